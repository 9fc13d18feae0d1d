"""Studies of missions whose constraints come and go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from scmanip.campaign import Study, page_of_study
from scmanip.campaign.flight._group import Group
from scmanip.campaign.flight._steps import Steps
from scmanip.errors import InvalidInput
from scmanip.simulation import Outcome
from scmanip.study import Row, Status, dispersed, levels

from .files import written
from .test_switches import END, HEAD, HELD, phase

METRICS = {"lost_J": "final(dissipated_by_switches_J)", "rate_rad_s": "max(base_rate_rad_s)"}
SWITCH = '[[switch]]\nname = "lock"\nt_s = 0.5\nimpose = "brake"\n'


@pytest.fixture(scope="module")
def mission(tmp_path_factory: pytest.TempPathFactory) -> Path:
    parts = phase("one"), phase("two", 'impose = "grip"'), SWITCH
    return written(tmp_path_factory.mktemp("study"), HEAD + "".join(parts) + END, HELD)


@pytest.mark.slow
def test_times_of_switches_are_varied_and_cases_flown_alone(mission: Path) -> None:
    study = Study(mission, seed=1, metrics=METRICS, design={"switch.lock.t_s": levels(0.25, 0.5)}, output_step_s=0.1)
    assert not study.recipe.together
    rows = study.evaluator.rows([study.case(number) for number in range(2)])
    assert [row.status for row in rows] == [Status.COMPLETED] * 2, [row.reason for row in rows]
    for number, row in enumerate(rows):
        run = study.mission(number).run()
        assert [change.t for change in run.history.switches] == [(0.25, 0.5)[number], 1.0]
        assert row.metrics["lost_J"] == pytest.approx(sum(change.energy_lost for change in run.history.switches), rel=1e-12)
        peak = max(abs(history.finely.omega_0).max() for history in run.histories)
        assert row.metrics["rate_rad_s"] >= peak * (1 - 1e-9)


def test_a_switch_that_is_not_there_and_a_name_are_refused(mission: Path) -> None:
    for path, words in (("switch.lok.t_s", "lock"), ("switch.lock.name", "a name changes no flight")):
        with pytest.raises(InvalidInput, match=words):
            Study(mission, seed=1, metrics=METRICS, design={path: levels(0.2)})


def test_numbers_of_constraints_that_never_hold_have_no_effect(mission: Path) -> None:
    alone = written(mission.parent, HEAD + phase("one") + SWITCH + END, HELD)
    with pytest.raises(InvalidInput, match="nothing that flies depends on it"):
        Study(alone, seed=1, metrics=METRICS, design={"system.constraint.grip.tolerance_m": levels(0.2)})


@pytest.mark.slow
def test_cases_whose_phases_switch_are_flown_together_as_they_are_alone(tmp_path: Path) -> None:
    parts = (
        phase("one", 'impose = "brake"', 0.4),
        phase("two", 'impose = "grip"\nrelease = "brake"', 0.4),
        phase("three", t_s=0.4),
    )
    path = written(tmp_path, HEAD + "".join(parts) + phase("four", 'release = "grip"', 0.4) + END, HELD)
    chance = {"initial.q_rad": dispersed(stats.norm(0, 0.02), size=2, how="add")}
    metrics = METRICS | {"brake_impulse_Nms": "max(brake_angular_impulse_Nms)", "grip_impulse_Ns": "final(grip_impulse_Ns)"}
    metrics |= {"grip_N": "max(norm(grip_load_N))", "elbow_Nm": "max(norm(elbow_load_Nm))"}
    metrics |= {"held_s": "integral(grip_holds_fraction)"}
    study = Study(path, seed=3, repeats=9, metrics=metrics, dispersion=chance, output_step_s=0.1)
    assert study.evaluator.steps(study.case(0)) is not None  # together
    cases = [study.case(number) for number in range(5)]
    together, alone = study.evaluator.rows(cases), replace(study.recipe, alone="asked for").evaluator().rows(cases)
    for row, other in zip(together, alone, strict=True):
        assert (row.status, row.reason) == (other.status, other.reason) == (Status.COMPLETED, "")
        assert row.metrics == pytest.approx(other.metrics, rel=1e-6)
    (last,) = study.evaluator.rows(cases[4:])
    assert last.metrics == together[4].metrics


@pytest.mark.slow
def test_a_grasp_that_closes_over_time_does_so_from_where_each_case_has_come_to(tmp_path: Path) -> None:
    """Phases before it end by an event, so that each case has a clock of its own."""
    there = (
        'events = [{ name = "there", type = "approach", frame = "lower", point_m = [1.374, 0.317, 0.049], distance_m = 0.01 }]'
    )
    first = phase("one").replace("until = { t_s = 1.0 }", f'{there}\nuntil = {{ event = "there", timeout_s = 3.0 }}')
    led = 'name = "led"\ntype = "weld"\nframes = ["ground", "lower"]\ntolerance_m = 0.5\ntolerance_rad = 1.0\nclosing_s = 0.3\n'
    system = f"{HELD}\n[[constraint]]\n{led}pose = {{ origin_m = [1.38, 0.32, 0.04], rpy_deg = [-1.0, -13.0, 15.0] }}\n"
    path = written(tmp_path, HEAD + first + phase("two", 'impose = "led"', 0.5) + END, system)
    chance = {"initial.q_rad": dispersed(stats.norm(0, 0.003), size=2, how="add")}
    metrics = {"work_J": "final(work_J)", "rate_rad_s": "max(base_rate_rad_s)", "end_s": "integral(1 + 0 * base_rotation_rad)"}
    study = Study(path, seed=3, repeats=9, metrics=metrics, dispersion=chance, output_step_s=0.1)
    assert study.evaluator.steps(study.case(0)) is not None  # together
    compared(study, range(3))


@pytest.mark.slow
def test_a_start_that_denies_what_is_active_is_left_to_a_flight_by_itself(tmp_path: Path) -> None:
    """Which refuses it."""
    system = HELD.replace('joint = "elbow"', 'joint = "elbow"\nactive = true')
    path = written(tmp_path, HEAD + phase("one") + END, system)
    chance = {"initial.q_rad": dispersed(stats.norm(0, 0.01), size=2, how="add")}
    study = Study(path, seed=3, repeats=9, metrics=METRICS, dispersion=chance, output_step_s=0.1)
    recipe, case = study.recipe, study.case(0)
    assert recipe.together
    group = Group.of(recipe.variation, case.values, recipe.design(case), study.evaluator._shelf)
    moving = np.array(group.nominal.initial)
    moving[-1] = 0.1
    block = group.block([group.nominal, replace(group.nominal, initial=moving)], Steps(0.1, 0.1))
    assert block.outcomes == [Outcome.COMPLETED, Outcome.UNMET]
    assert block.strayed(0) == []
    block.legs[0].flown.drift[:] = 2e-6
    assert block.strayed(0) == ["constraint_drift"]


def compared(study: Study, numbers: Sequence[int]) -> list[Row]:
    """Rows of cases that were flown together, which are those that they have alone."""
    cases = [study.case(number) for number in numbers]
    together, alone = study.evaluator.rows(cases), replace(study.recipe, alone="asked for").evaluator().rows(cases)
    for row, other in zip(together, alone, strict=True):
        assert row.status == other.status, (row.reason, other.reason)
        assert row.metrics == pytest.approx(other.metrics, rel=1e-4, nan_ok=True)
        assert "flown by itself" not in row.reason or row.status is not Status.COMPLETED
    return together


@pytest.mark.slow
def test_the_page_of_a_study_tells_what_its_nominal_case_switches(tmp_path: Path) -> None:
    file = written(tmp_path, HEAD + phase("one") + phase("two", 'impose = "grip"') + SWITCH + END, HELD)
    study = Study(file, seed=1, metrics=METRICS, design={"switch.lock.t_s": levels(0.25)}, output_step_s=0.1)
    tables = {table.name: table for table in page_of_study(study, study.run(tmp_path / "out")).tables}
    assert [row[1] for row in tables["switches"].rows] == ["imposed 'brake'", "imposed 'grip'"]
    assert {"constraints", "switched_momenta"} < tables.keys()
