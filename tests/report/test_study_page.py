"""The report of a study: what its tables say is what the cases say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scmanip.report import ReportPage, StudyResults, study_page
from scmanip.study import Metric, Plan, Requirement, Row, Sense, Status, dispersed, levels
from tests.study.toys import table_of

SECTIONS = [
    "Verdicts", "Compliance", "What was varied", "Cases", "Trade", "Percentiles", "Sensitivity", "Worst cases", "Provenance"
]  # fmt: skip


def results(repeats: int = 120, **changes: object) -> StudyResults:
    """A heavier base turns less, a faster start asks more; case 7 of every 60 diverges."""
    plan = Plan(
        seed=3,
        design={"system.base.mass_kg": levels(500.0, 1000.0)},
        dispersion={"initial.rate": dispersed(stats.uniform(0, 1)), "system.body.link3.mass_kg": dispersed(stats.norm(20, 1))},
        repeats=repeats,
    )
    rows = []
    for case in plan.cases_between(0, plan.cases):
        mass, rate = float(case.values["system.base.mass_kg"]), float(case.values["initial.rate"])  # type: ignore[arg-type]
        lost = case.number % 60 == 7
        metrics = {"turn_deg": 2000 / mass + rate, "torque_Nm": 10 * rate}
        lost_metrics = dict.fromkeys(metrics, math.nan)
        status = Status.DIVERGED if lost else Status.COMPLETED
        rows.append(Row(case, status, lost_metrics if lost else metrics, "joint2 passed 100 rad/s" if lost else ""))
    given: dict[str, object] = {
        "title": "Two bases",
        "plan": plan,
        "metrics": [Metric("turn_deg", "max(degrees(base_rotation_rad))"), Metric("torque_Nm", "max(abs(tau_Nm))")],
        "requirements": [Requirement(metric="turn_deg", max=4.0, unit="deg", probability=0.5)],
        "cases": table_of(rows, seed=3),
        "replay": "scmanip replay results/two --case {}".format,
        "trade": {"turn_deg": Sense.MIN, "torque_Nm": Sense.MIN},
        "provenance": {"scmanip": "0.1.0"},
    }
    return StudyResults(**{**given, **changes})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def page() -> ReportPage:
    return study_page(results())


def rows(page: ReportPage, name: str) -> list[tuple[str, ...]]:
    return list(next(table for table in page.tables if table.name == name).rows)


def test_every_section_is_there(page: ReportPage) -> None:
    assert [section.heading for section in page.sections if section.blocks] == SECTIONS


def test_cases_that_failed_are_counted_with_their_reason_and_numbers(page: ReportPage) -> None:
    assert rows(page, "cases")[1] == ("diverged", "joint2 passed 100 rad/s", "4", "7, 67, 127, 187")


def test_a_case_that_failed_keeps_no_limit_and_the_bounds_are_exact(page: ReportPage) -> None:
    given = results()
    kept = int(np.sum(given.cases.metric("turn_deg") <= 4.0))
    bounds = stats.binomtest(kept, 240).proportion_ci(0.9, method="exact")
    (row,) = rows(page, "verdicts")
    assert row[4] == f"{kept} of 240"
    assert row[6] == f"{100 * bounds.low:.4g} to {100 * bounds.high:.4g} %"


def test_what_is_too_few_runs_to_tell_is_neither_ok_nor_failed() -> None:
    asked = [Requirement(metric="torque_Nm", max=11.0, unit="Nm", probability=0.9973)]
    few = results(requirements=asked, repeats=3)
    (row,) = rows(study_page(few), "compliance")
    assert row[7] == "not shown"
    assert "852 runs would do" in row[6]
    assert study_page(few).verdict.kind == "open"


def test_a_limit_without_a_probability_is_asked_of_every_case(page: ReportPage) -> None:
    asked = [Requirement(metric="torque_Nm", max=11.0, unit="Nm")]
    (row,) = rows(study_page(results(requirements=asked)), "compliance")
    assert row[7] == "FAILED"  # four cases have no value
    assert row[6].startswith("236 of 240 cases")


def test_designs_stand_side_by_side_with_their_means(page: ReportPage) -> None:
    cases = results().cases
    for row, part in zip(rows(page, "trade"), (cases.first(120), cases.where(slice(120, 240))), strict=True):
        assert float(row[2]) == pytest.approx(np.nanmean(part.metric("turn_deg")), rel=1e-4)


def test_what_causes_the_torque_is_the_rate_alone(page: ReportPage) -> None:
    found = {row[1]: (float(row[2]), float(row[4])) for row in rows(page, "sensitivity") if row[0] == "torque_Nm"}
    assert found["initial.rate"] == pytest.approx((1.0, 1.0), abs=0.02)
    assert max(found["system.base.mass_kg"] + found["system.body.link3.mass_kg"]) < 0.05


def test_the_worst_cases_come_with_the_command_that_flies_them_again(page: ReportPage) -> None:
    values = results().cases.metric("turn_deg")
    order = np.argsort(np.where(np.isnan(values), -np.inf, values))[::-1][:5]
    found = [row for row in rows(page, "worst") if row[0] == "turn_deg"]
    assert [int(row[2]) for row in found] == order.tolist()
    assert found[0][4] == f"scmanip replay results/two --case {order[0]}"


@pytest.mark.slow
def test_too_few_cases_for_sensitivities_are_said_to_be() -> None:
    text = study_page(results(repeats=3)).html()
    assert "not to be told" in text and "at least" in text


def test_a_design_that_sets_several_values_at_once_has_one_column() -> None:
    wheels = {"system.wheel.*.torque_Nm": ("system.wheel.a.torque_Nm", "system.wheel.b.torque_Nm")}
    plan = Plan(seed=3, design={"system.wheel.*.torque_Nm": levels(0.1, 0.2, 0.4)}, targets=wheels)
    made = [
        Row(case, Status.COMPLETED, {"turn_deg": 1.0 - float(case.values["system.wheel.a.torque_Nm"]), "torque_Nm": 0.1})  # type: ignore[arg-type]
        for case in plan.cases_between(0, 3)
    ]
    table = rows(study_page(results(plan=plan, cases=table_of(made, seed=3))), "trade")
    assert [row[:3] for row in table] == [("0", "0.1", "0.9"), ("1", "0.2", "0.8"), ("2", "0.4", "0.6")]
