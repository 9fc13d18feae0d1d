"""The house rules: rooms import downwards, what is exported exists, what is public is documented."""

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import scmanip
from scmanip.dynamics import Batch, Model

ROOMS = tuple(scmanip._ROOMS)
PACKAGE = Path(scmanip.__file__).parent
GLOBAL_RANDOM = re.compile(r"np\.random\.(?!default_rng|Generator|SeedSequence|Philox)")


def test_everything_that_is_exported_exists():
    for name in scmanip.__all__:
        assert hasattr(scmanip, name), name


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_exports_only_public_names_and_keeps_its_files_private(room):
    module = importlib.import_module(f"scmanip.{room}")
    assert module.__doc__
    for path in (PACKAGE / room).rglob("*.py"):
        assert path.stem == "__init__" or path.stem.startswith("_"), path


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_of_a_room_has_a_docstring(room):
    module = importlib.import_module(f"scmanip.{room}")
    for name in dir(module):
        value = getattr(module, name)
        if name.startswith("_") or inspect.ismodule(value) or not (inspect.isclass(value) or inspect.isfunction(value)):
            continue
        assert inspect.getdoc(value), f"scmanip.{room}.{name}"


def test_a_public_name_of_several_rooms_is_one_thing():
    """But for tableaux of `compiled`, which are called as the integrators of `simulation` that are made of them."""
    found = {}
    for room in ROOMS:
        module = importlib.import_module(f"scmanip.{room}")
        for name in dir(module):
            value = getattr(module, name)
            if not name.startswith("_") and getattr(value, "__module__", "").startswith("scmanip."):
                found.setdefault(name, set()).add(id(value))
    assert {name for name, values in found.items() if len(values) > 1} == {"DOP853", "RK4"}


def public_methods(cls):
    return [(n, f) for n, f in inspect.getmembers(cls, inspect.isfunction) if not n.startswith("_")]


@pytest.mark.parametrize("cls", [Model, Batch])
def test_every_method_of_the_model_says_what_it_returns_and_in_which_shape(cls):
    for name, method in public_methods(cls):
        doc = inspect.getdoc(method)
        assert doc, name
        returns_arrays = method.__annotations__.get("return") in (
            "Array",
            "InverseDynamics",
            "FloatingInverseDynamics",
            "Momentum",
        )
        if returns_arrays:
            assert "(" in doc or "`." in doc, f"{cls.__name__}.{name} gives no shape"


def test_the_batch_has_every_quantity_of_the_model():
    other = {
        "base_parameters",
        "card",
        "carrying",
        "code",
        "constrained",
        "derivative",
        "equations",
        "impact",
        "kernel",
        "point",
        "resolved_joint_rates",
        "touches",
        "with_inertia_of",
    }
    for name, _ in public_methods(Model):
        assert name in other or hasattr(Batch, name), name


def test_no_room_imports_a_room_above_it():
    importlib.import_module("importlinter")
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=PACKAGE.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_importing_scmanip_loads_nothing_heavy():
    heavy = ("scipy.integrate", "matplotlib", "sympy", "control", "h5py", "pydantic", "rich", "llvmlite")
    code = f"import scmanip, sys; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stdout.strip() == "[]"


def test_the_dynamics_room_calls_no_linear_algebra_that_needs_floats():
    for path in (PACKAGE / "dynamics").rglob("*.py"):
        code = [line for line in path.read_text().splitlines() if not line.lstrip().startswith((">>>", "..."))]
        assert "linalg" not in "\n".join(code), path  # examples may ask for it of results


def test_numpy_is_asked_for_no_global_random_numbers():
    for path in PACKAGE.rglob("*.py"):
        assert not GLOBAL_RANDOM.search(path.read_text(encoding="utf-8")), path
