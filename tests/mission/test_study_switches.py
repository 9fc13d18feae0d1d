"""Studies of missions whose constraints come and go."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scipy import stats

from scmanip.campaign import Study
from scmanip.errors import InvalidInput
from scmanip.study import Status, dispersed, levels

from .files import written
from .test_switches import END, HEAD, HELD, phase

METRICS = {"lost_J": "final(dissipated_by_switches_J)", "rate_rad_s": "max(base_rate_rad_s)"}
SWITCH = '[[switch]]\nname = "lock"\nt_s = 0.5\nimpose = "brake"\n'


@pytest.fixture(scope="module")
def mission(tmp_path_factory: pytest.TempPathFactory) -> Path:
    parts = phase("one"), phase("two", 'impose = "grip"'), SWITCH
    return written(tmp_path_factory.mktemp("study"), HEAD + "".join(parts) + END, HELD)


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


def test_cases_whose_phases_switch_are_flown_together_as_they_are_alone(tmp_path: Path) -> None:
    parts = (
        phase("one", 'impose = "brake"', 0.4),
        phase("two", 'impose = "grip"\nrelease = "brake"', 0.4),
        phase("three", t_s=0.4),
    )
    path = written(tmp_path, HEAD + "".join(parts) + phase("four", 'release = "grip"', 0.4) + END, HELD)
    chance = {"initial.q_rad": dispersed(stats.norm(0, 0.02), size=2, how="add")}
    metrics = METRICS | {"brake_impulse_Nms": "max(brake_angular_impulse_Nms)", "grip_impulse_Ns": "final(grip_impulse_Ns)"}
    study = Study(path, seed=3, repeats=9, metrics=metrics, dispersion=chance, output_step_s=0.1)
    assert study.recipe.together
    cases = [study.case(number) for number in range(5)]
    together, alone = study.evaluator.rows(cases), replace(study.recipe, together=False).evaluator().rows(cases)
    for row, other in zip(together, alone, strict=True):
        assert (row.status, row.reason) == (other.status, other.reason) == (Status.COMPLETED, "")
        assert row.metrics == pytest.approx(other.metrics, rel=1e-6)
    (last,) = study.evaluator.rows(cases[4:])
    assert last.metrics == together[4].metrics
