"""The capture of a tumbling target, and the study of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.campaign import load_study
from scmanip.mission import load_mission
from scmanip.simulation import Outcome
from scmanip.study import Status

FOLDER = Path(__file__).parents[2] / "missions"


@pytest.mark.slow
def test_the_target_is_taken_where_it_passes_and_stopped() -> None:
    run = load_mission(FOLDER / "capture_tumbling_target.toml").run()
    assert run.passed, run.summary()
    model, history = run.mission.model, run.history
    assert [part.ended_by for part in run.flown[:2]] == ["close", "within_reach"]
    (grasp,) = history.switches
    before, after = (model.momentum(state) for state in (grasp.before, grasp.after))
    assert_allclose(after.P, before.P, rtol=0, atol=1e-10)
    assert_allclose(after.L_C, before.L_C, rtol=0, atol=1e-9)
    assert grasp.energy_lost == pytest.approx(model.kinetic_energy(grasp.before) - model.kinetic_energy(grasp.after), rel=1e-9)
    held = history.t > grasp.t
    gap = [model.position(state, "grapple") - model.position(state, "tip") for state in history.states[held]]
    assert np.linalg.norm(gap, axis=1) == pytest.approx(0.03, abs=1e-9)  # as it was found, however the stack turns
    tumble = np.linalg.norm(history.qdot[:, -3:], axis=1)
    assert tumble[0] == pytest.approx(np.radians(0.99), rel=0.02) and tumble[-1] < 0.01 * tumble[0]


@pytest.mark.slow
def test_a_target_that_passes_too_far_off_is_not_taken(tmp_path: Path) -> None:
    text = (FOLDER / "capture_tumbling_target.toml").read_text(encoding="utf-8").replace('"systems/', f'"{FOLDER}/systems/')
    file = tmp_path / "missed.toml"
    file.write_text(text.replace("[-0.4433, 2.1692,", "[-0.3933, 2.1692,"), encoding="utf-8")
    run = load_mission(file).run()
    assert run.outcome is Outcome.TIMEOUT and not run.passed and not run.history.switches


@pytest.mark.slow
def test_cases_of_the_capture_are_taken_and_differ() -> None:
    study = load_study(FOLDER / "monte_carlo_capture.toml")
    rows = study.evaluator.rows([study.case(number) for number in range(3)])
    assert [row.status for row in rows] == [Status.COMPLETED] * 3, [row.reason for row in rows]
    assert len({row.metrics["grasp_J"] for row in rows}) == 3
    assert all(0.9 < row.metrics["grasp_impulse_Ns"] < 0.94 for row in rows)
    assert all(0.3 < row.metrics["grasp_torque_Nm"] < 0.6 for row in rows)
