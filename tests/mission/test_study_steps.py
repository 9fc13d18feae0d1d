"""Cases that the steps of all do not suit are flown by themselves, and every row is as close to the truth as is promised."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from scmanip.campaign import Study, page_of_study
from scmanip.campaign.flight._evaluator import ALONE
from scmanip.campaign.flight._steps import MOST
from scmanip.campaign.flight._trial import Trial
from scmanip.study import Row, Status, dispersed

from .test_study import MISSION

CASES = 16
METRICS = {
    "final_rotation_deg": "final(degrees(base_rotation_rad))",
    "final_rate_rad_s": "norm(final(joint_rate_rad_s))",
    "final_place_m": "final(norm(tip_position_m))",
    "work_J": "final(work_J)",
}


@pytest.fixture(scope="module")
def mission(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("steps") / "short.toml"
    path.write_text(MISSION, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def stiff(mission: Path) -> Study:
    """Gains of which some are far above the others, masses and initial rates beside them."""
    chance = {
        "phase.*.controller.K_P": dispersed(stats.lognorm(1.5, scale=20.0)),
        "system.body.*.mass_kg": dispersed(stats.norm(1, 0.05), how="scale"),
        "initial.omega_0_deg_s": dispersed(stats.norm(0, 0.3), size=3),
    }
    return Study(mission, seed=11, repeats=CASES, dispersion=chance, metrics=METRICS, output_step_s=0.25)


@pytest.fixture(scope="module")
def flown(stiff: Study) -> list[Row]:
    return stiff.evaluator.rows([stiff.case(number) for number in range(CASES)])


@pytest.mark.slow
def test_gains_far_from_the_nominal_one_fail_no_case(mission: Path) -> None:
    chance = {"phase.*.controller.K_P": dispersed(stats.uniform(1, 400))}
    study = Study(mission, seed=1, repeats=60, dispersion=chance, metrics=METRICS, output_step_s=0.5)
    assert {row.status for row in study.evaluator.rows([study.case(number) for number in range(12)])} == {Status.COMPLETED}


@pytest.mark.slow
def test_no_case_fails_for_the_steps_of_the_others(flown: list[Row]) -> None:
    assert {row.status for row in flown} == {Status.COMPLETED}
    alone = [row for row in flown if row.reason.startswith(f"{ALONE}: with the steps of all ")]
    assert alone and all(row in alone or not row.reason for row in flown)


def test_every_row_is_within_the_error_that_the_study_promises(stiff: Study, flown: list[Row]) -> None:
    for row in flown:
        mission = stiff.evaluator.mission(row.case)
        exact = replace(mission, integration=replace(mission.integration, rtol=1e-12, atol=1e-12)).run()
        last = exact.histories[-1]
        first, end = exact.histories[0].attitude_xyzw[0], last.attitude_xyzw[-1]
        true = {
            "final_rotation_deg": np.degrees(2 * np.arccos(min(1.0, abs(float(first @ end))))),
            "final_rate_rad_s": np.linalg.norm(last.qdot[-1]),
            "final_place_m": np.linalg.norm(mission.model.position(last.final, "tip")),
            "work_J": sum(part.work[-1] for part in exact.histories),
        }
        for name, value in true.items():
            assert row.metrics[name] == pytest.approx(value, rel=MOST, abs=MOST), (row.case.number, name)


def test_estimated_errors_are_above_the_true_ones(stiff: Study) -> None:
    """Of cases that the steps of all do not suit, too, which is how they are found."""
    group, step = stiff.evaluator._group(stiff.case(0))
    assert step is not None
    cases = [stiff.case(number) for number in range(CASES)]
    block = group.block([group.numbers(case.values, stiff.recipe.design(case)) for case in cases], step)
    estimated = block.errors()
    for number in range(0, CASES, 3):
        mission = stiff.evaluator.mission(cases[number])
        exact = replace(mission, integration=replace(mission.integration, rtol=1e-12, atol=1e-12)).run()
        true = np.concatenate([history.states.x for history in exact.histories])
        found = np.concatenate([leg.flown.x[number] for leg in block.legs])
        size = np.maximum(1.0, np.abs(true).max(axis=0))
        assert np.abs((found - true) / size).max() < estimated[number] / 5


def test_which_cases_are_flown_by_themselves_does_not_depend_on_the_others(stiff: Study, flown: list[Row]) -> None:
    for numbers in ((3,), (7, 1, 4)):
        assert stiff.evaluator.rows([stiff.case(number) for number in numbers]) == [flown[number] for number in numbers]


@pytest.mark.slow
def test_a_study_tells_how_many_cases_were_flown_by_themselves(stiff: Study, flown: list[Row], tmp_path: Path) -> None:
    result = stiff.run(tmp_path / "study", executor="serial", cases=CASES)
    assert result.table.remarks == {ALONE: sum(bool(row.reason) for row in flown)}


@pytest.mark.slow
def test_the_page_of_a_study_tells_it_too(stiff: Study, tmp_path: Path) -> None:
    result = stiff.run(tmp_path / "study", executor="serial", cases=CASES)
    assert f"of these {ALONE}" in page_of_study(stiff, result).html()


@pytest.mark.slow
def test_steps_that_are_known_are_not_looked_for_again(stiff: Study, flown: list[Row], monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers get them from where the study was begun."""
    told = stiff.evaluator.knowing
    assert told.key == stiff.recipe.key
    assert [*told.steps.values()] == [stiff.evaluator.steps(stiff.case(0))]
    worker = pickle.loads(pickle.dumps(told)).evaluator()
    monkeypatch.setattr(Trial, "steps", lambda *_: pytest.fail("they were looked for"))
    for ours, its in zip(flown, worker.rows([stiff.case(number) for number in range(CASES)]), strict=True):
        assert (its.status, its.metrics, its.reason) == (ours.status, ours.metrics, ours.reason)
