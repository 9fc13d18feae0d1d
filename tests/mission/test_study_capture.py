"""Captures flown together, phases that events end and constraints that begin included, are captures flown alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from numpy.testing import assert_array_equal

from scmanip import load_study
from scmanip.campaign import Study
from scmanip.study import Row, Status

MISSIONS = Path(__file__).parents[2] / "missions"
CASES = 6


@pytest.fixture(scope="module")
def study() -> Study:
    return load_study(MISSIONS / "monte_carlo_capture.toml")


def rows(study: Study, cases: Sequence[int]) -> list[Row]:
    return study.evaluator.rows([study.case(number) for number in cases])


@pytest.mark.slow
def test_captures_are_those_of_cases_flown_alone(study: Study) -> None:
    assert study.evaluator.steps(study.case(0)) is not None  # together
    alone = replace(study.recipe, alone="asked for").evaluator().rows([study.case(number) for number in range(CASES)])
    for row, other in zip(rows(study, range(CASES)), alone, strict=True):
        assert (row.status, row.reason) == (other.status, other.reason) == (Status.COMPLETED, "")
        assert row.metrics == pytest.approx(other.metrics, rel=1e-7)


@pytest.mark.slow
def test_company_changes_no_bit_of_a_capture(study: Study) -> None:
    whole = rows(study, range(CASES))
    for some in ([3], [5, 1], [4, 3, 2, 1, 0]):
        for row in rows(study, some):
            assert_array_equal([*row.metrics.values()], [*whole[row.case.number].metrics.values()])
