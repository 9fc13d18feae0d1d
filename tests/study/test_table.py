"""Tables: cases in columns, in case order."""

import numpy as np
import pytest

from scmanip.errors import InvalidInput, UnknownName
from scmanip.study import Case, Row, Status, Table, failures

from .toys import table, table_of


def rows():
    done = Row(Case(2, 1, 0, {"mass_kg": 5.0, "rate": (1.0, 2.0), "mode": "floating"}), Status.COMPLETED, {"error_m": 0.5})
    lost = Row(Case(0, 0, 0, {"mass_kg": 4.0, "rate": (3.0, 4.0), "mode": "fixed"}), Status.DIVERGED, {"error_m": 9.0}, "grew")
    return [done, lost]


def test_rows_become_columns_in_case_order():
    made = table_of(rows(), seed=3)
    assert made.numbers.tolist() == [0, 2]
    assert made.input("rate[1]").tolist() == [4.0, 2.0]
    assert made.input("mode").tolist() == ["fixed", "floating"]
    assert made.seed == 3


def test_a_case_that_did_not_complete_has_no_value_whatever_was_written():
    assert np.isnan(table_of(rows()).metric("error_m")[0])


def test_columns_of_other_lengths_and_cases_given_twice_are_refused():
    with pytest.raises(InvalidInput, match=r"'y'.*\(2,\).*found \(3,\)"):
        Table([0, 1], ["completed"] * 2, [""] * 2, {}, {"y": [1, 2, 3]})
    with pytest.raises(InvalidInput, match="case 1 more than once"):
        Table([1, 1], ["completed"] * 2, [""] * 2)


def test_a_misspelt_metric_is_named_with_those_there_are():
    with pytest.raises(UnknownName, match="did you mean 'error_m'"):
        table_of(rows()).metric("eror_m")


def test_columns_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        table({"y": np.ones(3)}).metrics["y"][0] = 2


def test_designs_are_told_apart_also_where_cases_are_missing():
    groups = dict(table({"y": np.arange(5.0)}, numbers=[0, 2, 3, 5, 8]).by_design(3))
    assert {design: rows.numbers.tolist() for design, rows in groups.items()} == {0: [0, 2], 1: [3, 5], 2: [8]}


def test_failures_are_listed_by_reason():
    made = table({"y": np.ones(4)}, status=["failed", "completed", "diverged", "diverged"])
    assert [(group.status, group.numbers, group.count) for group in failures(made)] == [
        ("diverged", (2, 3), 2),
        ("failed", (0,), 1),
    ]
