import ast
import importlib
import inspect
import subprocess
import sys

import pytest

import scmanip

WITH_LATE_NAMES = ("analysis", "report")


def said_to_checkers(room: str) -> set[str]:
    """Return the names that a room imports for type checkers alone."""
    tree = ast.parse(inspect.getsource(importlib.import_module(f"scmanip.{room}")))
    blocks = (node for node in tree.body if isinstance(node, ast.If))
    return {alias.name for block in blocks for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}


@pytest.mark.parametrize("room", WITH_LATE_NAMES)
def test_names_that_load_late_are_those_that_type_checkers_are_told(room: str) -> None:
    module = importlib.import_module(f"scmanip.{room}")
    eager = {name for name in vars(module) if not name.startswith("_")} - {"TYPE_CHECKING", "late"}
    assert said_to_checkers(room) == {name for name in dir(module) if not name.startswith("_")} - eager
    assert all(getattr(module, name) is not None for name in dir(module))


def test_a_run_loads_no_rooms_of_pages_and_studies() -> None:
    needless = ("study", "scene", "interop", "campaign", "live", "report.pages", "analysis.linear")
    script = f"import sys, scmanip.command._fly; print([n for n in {needless} if 'scmanip.' + n in sys.modules])"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_a_name_that_no_file_has_is_refused_as_python_does() -> None:
    with pytest.raises(AttributeError, match=r"module 'scmanip\.report' has no attribute 'run_pages'"):
        _ = scmanip.report.run_pages
