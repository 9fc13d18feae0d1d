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


@pytest.fixture(scope="module")
def whole(study: Study) -> list[Row]:
    """All cases, flown together."""
    return rows(study, range(CASES))


def rows(study: Study, cases: Sequence[int]) -> list[Row]:
    return study.evaluator.rows([study.case(number) for number in cases])


@pytest.mark.battery(0, judged=2)
@pytest.mark.parametrize("number", range(CASES))
def test_captures_are_those_of_cases_flown_alone(number: int, study: Study, whole: list[Row]) -> None:
    assert study.evaluator.steps(study.case(0)) is not None  # together
    (alone,) = replace(study.recipe, alone="asked for").evaluator().rows([study.case(number)])
    row = whole[number]
    assert (row.status, row.reason) == (alone.status, alone.reason) == (Status.COMPLETED, "")
    assert row.metrics == pytest.approx(alone.metrics, rel=1e-7)


@pytest.mark.battery(0, judged=1)
@pytest.mark.parametrize("some", [[5, 1], [3], [4, 3, 2, 1, 0]], ids=str)
def test_company_changes_no_bit_of_a_capture(some: list[int], study: Study, whole: list[Row]) -> None:
    for row in rows(study, some):
        assert_array_equal([*row.metrics.values()], [*whole[row.case.number].metrics.values()])
