"""Example 2 of [Angeles1989] as its mission file flies it, and what is wrong with other lines."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import InvalidMission
from scmanip.mission import load_mission
from scmanip.mission.guidances import _line_guidance
from scmanip.system import State

from ..oracles.pinocchio_oracle import PinocchioOracle

FILE = Path(__file__).parents[2] / "missions" / "angeles_example2.toml"
AMPLITUDE_M = 0.5  # ours


@pytest.fixture(scope="module")
def run():
    return load_mission(FILE).run()


@pytest.mark.slow
def test_the_mission_is_completed_within_its_limits(run):
    assert run.passed and run.history.t[-1] == 1.0
    assert run.history.residuals["energy"].relative < 1e-10


@pytest.mark.slow
def test_the_tip_runs_along_y_in_one_second_and_does_not_turn(run):
    model, history = run.mission.model, run.history
    start = history.states[0]
    r_0, attitude = model.position(start, "tip"), model.attitude(start, "tip")
    for i in range(0, len(history.t), 10):
        x, state = history.t[i], history.states[i]
        s = AMPLITUDE_M * (10 * x**3 - 15 * x**4 + 6 * x**5)
        assert_allclose(model.position(state, "tip"), r_0 + np.array([0, s, 0]), atol=1e-10)
        assert abs(model.attitude(state, "tip") @ attitude) == pytest.approx(1, abs=1e-12)
    assert_allclose(history.qdot[-1], 0, atol=1e-9)


@pytest.mark.slow
def test_the_torques_are_those_that_pinocchio_needs_for_the_motion(run):
    history, (phase,) = run.history, run.mission.phases
    twin = PinocchioOracle(run.mission.system)
    for i in range(0, len(history.t), 10):
        wanted = phase.reference.at(history.t[i])
        _, tau = twin.inverse_dynamics(State(q=wanted.q, qdot=wanted.qdot), wanted.qddot)
        assert_allclose(history.tau[i], tau, rtol=0, atol=1e-8 * abs(history.tau).max())


@pytest.mark.slow
def test_the_first_joint_alone_gives_what_turns_the_arm_about_the_vertical(run):
    """Its torque is the rate of the angular momentum about Z_0: no weight acts about it."""
    history, model = run.history, run.mission.model
    L_z = np.array([model.momentum(state).L_0[2] for state in (history.states[i] for i in range(len(history.t)))])
    rate = (L_z[2:] - L_z[:-2]) / (history.t[2:] - history.t[:-2])
    assert_allclose(history.tau[1:-1, 0], rate, rtol=0, atol=2e-3 * abs(rate).max())


@pytest.mark.slow
def test_the_amplitude_is_labelled_as_ours(run):
    assert "amplitude ours" in run.mission.title
    assert "OURS is the amplitude of 0.5 m" in FILE.read_text(encoding="utf-8")


MISTAKES = {
    "an unknown frame": ('"tip"', '"tipp"', "phase[0].guidance.frame", "did you mean 'tip'"),
    "no direction": ("[0.0, 1.0, 0.0]", "[0.0, 0.0, 0.0]", "phase[0].guidance.direction", "not all zero"),
    "a direction of two": ("[0.0, 1.0, 0.0]", "[0.0, 1.0]", "phase[0].guidance.direction", "3 numbers, not all zero"),
    "no distance": ("distance_m = 0.5, ", "", "phase[0].guidance.distance_m", "a number > 0"),
    "no time": ("duration_s = 1.0", "duration_s = 0", "phase[0].guidance.duration_s", "a number > 0"),
    "out of reach": ("distance_m = 0.5", "distance_m = 2.5", "phase[0].guidance.distance_m", "found 1.93 m of 2.5 m"),
    "a base that floats": ("model:industrial_6r", "model:bench_6r", "phase[0].guidance.type", "a system whose base is held"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_line_that_cannot_be_flown_is_refused_at_its_key(mistake, tmp_path):
    old, new, key, words = MISTAKES[mistake]
    text = FILE.read_text(encoding="utf-8")
    path = tmp_path / "bad.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InvalidMission) as refused:
        load_mission(path)
    found = [problem for problem in refused.value.problems if problem.key == key]
    assert len(found) == 1 and words in str(found[0]), refused.value
    assert found[0].line


LATER = """
[[phase]]
name = "then"
guidance = { type = "hold" }
until = { t_s = -1.0 }
"""
ELSEWHERE = {
    "a later phase": ("\n[integration]", f"{LATER}[integration]"),
    "a limit": ("energy_relative = 1e-9", "energy_relative = -1.0"),
    "a figure": ('"joint_forces"', '"joint_force"'),
}


@pytest.mark.parametrize("mistake", ELSEWHERE)
def test_with_a_mistake_elsewhere_no_line_is_followed(mistake, tmp_path, monkeypatch):
    """An arm takes a while for that, and a file may ask for it often."""
    followed = []
    monkeypatch.setattr(_line_guidance, "Line", lambda *given, **keys: followed.append(given))
    path = tmp_path / "bad.toml"
    path.write_text(FILE.read_text(encoding="utf-8").replace(*ELSEWHERE[mistake]), encoding="utf-8")
    with pytest.raises(InvalidMission):
        load_mission(path)
    assert not followed
