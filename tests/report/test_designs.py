"""Trades without chance are judged as designs: which meet all requirements, which is best, which no other beats."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scmanip.report import Designs, ReportPage, StudyResults, study_page
from scmanip.report.figures.studies._design_figures import level_name, mapped
from scmanip.study import Metric, Plan, Requirement, Row, Sense, Status, levels, pareto
from tests.study.toys import table_of

MASSES, MODES = (500.0, 1000.0, 2000.0), ("floating", "flying")


def results(most_deg: float = 2.5, **changes: object) -> StudyResults:
    """A heavier base turns less and takes more torque; flying, it turns by rounding alone. Design 5 diverges."""
    plan = Plan(seed=3, design={"system.base.mass_kg": levels(*MASSES), "phase.slew.mode": levels(*MODES)})
    rows = []
    for case in plan.cases_between(0, plan.cases):
        mass, flies = float(case.values["system.base.mass_kg"]), case.values["phase.slew.mode"] == "flying"  # type: ignore[arg-type]
        metrics = {"turn_deg": (1e-15 if flies else 2000.0) / mass, "torque_Nm": mass / 100 + (1.0 if flies else 0.0)}
        lost = case.number == 5
        status = Status.DIVERGED if lost else Status.COMPLETED
        rows.append(Row(case, status, dict.fromkeys(metrics, math.nan) if lost else metrics, "too fast" if lost else ""))
    asked = [Requirement(metric="turn_deg", max=most_deg, unit="deg"), Requirement(metric="torque_Nm", max=15.0, unit="Nm")]
    given: dict[str, object] = {
        "title": "Bases",
        "plan": plan,
        "metrics": [Metric("turn_deg", "max(degrees(base_rotation_rad))"), Metric("torque_Nm", "max(abs(tau_Nm))")],
        "requirements": asked,
        "cases": table_of(rows, seed=3),
        "trade": {"turn_deg": Sense.MIN, "torque_Nm": Sense.MIN},
        "by_chance": False,
    }
    return StudyResults(**{**given, **changes})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def page() -> ReportPage:
    return study_page(results())


def rows(page: ReportPage, name: str) -> list[dict[str, str]]:
    table = next(table for table in page.tables if table.name == name)
    return [dict(zip(table.headings, row, strict=True)) for row in table.rows]


@pytest.mark.slow
def test_the_page_speaks_of_designs_and_not_of_chance(page: ReportPage) -> None:
    headings = [section.heading for section in page.sections if section.blocks]
    assert headings == ["Verdicts", "Compliance", "What was varied", "Cases", "Designs", "Figures"]
    assert page.subtitle == "6 designs, 5 completed, seed 3"
    assert (page.verdict.text, page.verdict.kind) == ("3 of 6 designs meet all requirements.", "good")
    for word in ("confidence</", "Clopper", "Wilks", "percentile", "variance"):
        assert word not in page.html().replace("<th>confidence</th>", "")


def test_every_design_says_what_it_breaks_and_whether_another_beats_it(page: ReportPage) -> None:
    found = {row["design"]: (row["meets all"], row["breaks"], row["no other beats it"]) for row in rows(page, "designs")}
    assert found == {
        "0": ("no", "turn_deg", ""),
        "1": ("yes", "", "yes"),  # 2e-18 and 1e-18 deg are the same, and it takes less torque than design 3
        "2": ("yes", "", ""),
        "3": ("yes", "", ""),
        "4": ("no", "torque_Nm", ""),
        "5": ("no", "turn_deg, torque_Nm", ""),
    }


def test_the_best_are_among_those_that_meet_everything_and_rounding_makes_no_difference(page: ReportPage) -> None:
    turn, torque = rows(page, "best")
    assert (turn["best is"], turn["designs"]) == ("lowest", "1, 3")
    assert (torque["value"], torque["designs"], torque["to fly the first again"]) == ("6", "1", "case 1")


def test_each_requirement_has_its_best_value_and_how_many_meet_it(page: ReportPage) -> None:
    (turn, torque), (first, _) = rows(page, "verdicts"), rows(page, "compliance")
    assert (turn["met by"], turn["verdict"]) == ("4 of 6 designs", "ok")
    assert (torque["best"], torque["its margin"], torque["met by"]) == ("5", "10", "4 of 6 designs")
    assert first["confidence"] == "met by 4 of 6 designs, nothing dispersed"


def test_a_trade_in_which_no_design_meets_everything_fails() -> None:
    none = study_page(results(most_deg=-1.0))
    assert (none.verdict.text, none.passed) == ("None of the 6 designs meets all requirements.", False)
    assert {row["verdict"] for row in rows(none, "verdicts")} == {"FAILED", "ok"}
    assert study_page(results(doubts=["2 cases are missing"])).verdict.kind == "open"


def test_most_is_best_where_a_limit_is_one_from_below() -> None:
    given = results()
    designs = Designs([Requirement(metric="torque_Nm", min=8.0, unit="Nm")], given.cases)
    assert designs.best("torque_Nm").tolist() == [4]
    assert designs.meets.tolist() == [False, False, True, True, True, False]


def test_figures_show_every_metric_against_every_choice_and_as_a_map(page: ReportPage) -> None:
    pictures = {block.name: block.figure for section in page.sections for block in section.blocks if hasattr(block, "figure")}
    assert [*pictures] == ["pareto", "against_turn_deg", "map_turn_deg", "against_torque_Nm", "map_torque_Nm"]
    mass, mode = pictures["against_torque_Nm"].axes
    assert (mass.get_ylabel(), mass.get_xlabel()) == ("torque [N m]", "system.base.mass [kg]")
    assert mode.get_xlabel() == "phase.slew.mode"
    drawn = np.vstack([np.asarray(part.get_offsets()) for part in mass.collections])
    assert sorted(drawn[:, 0].tolist()) == [500.0, 500.0, 1000.0, 1000.0, 2000.0, 2000.0]
    field, bar = pictures["map_torque_Nm"].axes
    assert bar.get_ylabel() == "torque [N m]"
    assert [text.get_text() for text in field.texts] == ["5", "10", "20", "6", "11"]  # where design 5 is nothing is told
    assert [text.get_bbox_patch() is not None for text in field.texts] == [False, True, False, True, True]


def test_maps_go_over_the_two_choices_with_most_values() -> None:
    assert mapped({"a": [1, 1, 1], "b": [1, 2, 1], "c": ["x", "y", "z"]}) == ["c", "b"]
    assert mapped({"a": list(range(50)), "b": [1, 2] * 25}) == ["b"]
    assert level_name("systems/light_arm.toml") == "light arm"


def test_what_is_alike_is_equal_in_a_trade() -> None:
    cases = results().cases
    senses = {"turn_deg": Sense.MIN, "torque_Nm": Sense.MIN}
    assert pareto(cases, senses).front.tolist() == [3, 1, 0]
    assert pareto(cases, senses, alike=1e-6).front.tolist() == [1, 0]
