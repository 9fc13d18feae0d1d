"""Pages of numbers are made of what was printed, and leave out what a busy machine cannot tell."""

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PRINTED = """Machine
-------
processor: one, 2 cores, widest vectors AVX2
load average over 1, 5, 15 minutes: {load} 1.00 1.00

Single calls from Python
------------------------
ns, median        kernel  Pinocchio  to Pinocchio
----------------  ------  ---------  ------------
forward dynamics     123       4567         37.1x

Afterwards
----------
load average over 1, 5, 15 minutes: 1.00 1.00 1.00
"""


@pytest.mark.parametrize(("load", "head"), [("0.50", "| ns, median | kernel | Pinocchio |"), ("4.00", "|  | to Pinocchio |")])
def test_times_are_told_of_a_quiet_machine_alone(load: str, head: str) -> None:
    page = runpy.run_path(str(DOCS / "make_performance_page.py"))["page"](PRINTED.format(load=load))
    assert head in page and "37.1x" in page and ("busy" in page, "4567" in page) == (load == "4.00", load == "0.50")
