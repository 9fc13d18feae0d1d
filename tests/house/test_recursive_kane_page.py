"""The page on recursive Kane prints what recording finds, and names tests and functions that exist."""

import re
from pathlib import Path

import numpy as np
import pytest

from ..dynamics.kane_counts import STAGES, TABLE_1, TABLES, customised, general_arm, stages
from .test_documents import run_all

ROOT = Path(__file__).parents[2]
PAGE = "docs/recursive-kane.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_counts_is_what_recording_finds(name):
    assert "\n".join(TABLES[name]()) in TEXT


def test_recorded_counts_beat_the_paper_on_an_arm_with_nothing_special():
    *_, plain = stages(general_arm(6))
    own = customised(general_arm(6))
    assert own.M + own.A < plain.M + plain.A < 521 + 435
    assert own.M < plain.M < 521 and own.A < plain.A < 435


def test_the_formulas_of_the_stages_add_up_and_give_the_numbers_of_table_1():
    """Eqs 52, 56, 57 sum to eqs 58, 59, and those give 521 and 435 for six joints."""
    *parts, total = (np.array(row[2:]) for row in STAGES)
    assert np.array_equal(sum(parts), total)
    assert np.array_equal(total, TABLE_1[-1][2:])
    assert (total @ [6, 1]).tolist() == [521, 435]


def test_the_code_of_the_page_runs():
    assert run_all(PAGE)["forces"].tau.shape == (6,)


def test_every_test_and_function_that_the_page_names_exists():
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests/dynamics").glob("test_*angeles*.py"))
    names = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(names) == 7 and all(f"def {name}(" in tests for name in names)
    files = ("scmanip/dynamics/recursions/_recursive_kane.py", "tests/dynamics/partial_rates.py")
    code = "".join((ROOT / file).read_text() for file in files)
    table = TEXT[TEXT.index("| paper | equations |") : TEXT.index("```python")]
    functions = set(re.findall(r"`(?:\w+\.)?([a-z]\w+)", table)) - {"spin_tensor", "dynamics", "link_recursion"}
    assert len(functions) >= 10 and all(f"def {name}(" in code for name in functions)
