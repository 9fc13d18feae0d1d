"""The three missions of the Stanford arm [Kane1983], against the paper's equations and Pinocchio.

Forces in the paper's sense are (tau_1 ... tau_5, sigma); generalized forces are these times `SENSE`: all but tau_1 act
from the outer on the inner body. What the paper's figures show is not given in its text, except that the regulator brings
the arm from rest to rest in 10 s and that H . n2 stays below 1e-9.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.mission import Mission, Run, load_mission
from scmanip.simulation import History, simulate
from scmanip.system import State
from tests.dynamics.kane_levinson_listing import APPENDIX_3, SENSE, driving_forces, quantities, speeds
from tests.oracles.pinocchio_oracle import PinocchioOracle

FOLDER = Path(__file__).parents[2] / "missions"
PRESCRIBED, REGULATED, FREE = "stanford_arm", "stanford_arm_regulator", "stanford_arm_regulator_tau1_zero"
CHAIN = [0, 1, 3, 4, 5, 2]  # q1 ... q6 of the paper among our joints q1, q2, q6, q3, q4, q5
STARTS = np.radians([0.0, 90.0, 0.0, 0.0, 0.0, 0.0])
GOALS = np.array([*np.radians([60.0] * 5), 0.1])
T = 10.0


@cache
def mission(name: str) -> Mission:
    return load_mission(FOLDER / f"{name}.toml")


@cache
def run(name: str) -> Run:
    return mission(name).run()


def history(name: str) -> History:
    return run(name).history


def papers_forces(name: str) -> np.ndarray:
    """(n, 6) tau_1 ... tau_5, sigma of a run, in the paper's sense."""
    return SENSE * history(name).tau[:, CHAIN]


def relative(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """(6,) largest error of each force over the run, relative to its largest size."""
    return abs(found - wanted).max(axis=0) / abs(wanted).max(axis=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", [PRESCRIBED, REGULATED, FREE])
def test_the_missions_keep_their_limits_and_start_at_rest_with_q2_at_90_degrees(name: str) -> None:
    assert run(name).passed, str(run(name).summary())
    assert mission(name).system.layout.joint_names == ("q1", "q2", "q6", "q3", "q4", "q5")
    assert_allclose(mission(name).initial.q[CHAIN], STARTS, rtol=0, atol=1e-15)
    assert not mission(name).initial.qdot.any()
    assert history(name).t[-1] == T
    assert -mission(name).system.gravity_m_s2[1] == APPENDIX_3["g"]


# --- the prescribed motion ---------------------------------------------------------------------------------------------


def eq_127(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, qdot, qddot (n, 6) of the prescribed motion."""
    way, turn = (GOALS - STARTS) / T, 2 * np.pi * np.asarray(t)[:, None] / T
    return (
        STARTS + way * (np.asarray(t)[:, None] - T / (2 * np.pi) * np.sin(turn)),
        way * (1 - np.cos(turn)),
        way * 2 * np.pi / T * np.sin(turn),
    )


def test_the_arm_follows_eq_127() -> None:
    run_of = history(PRESCRIBED)
    q, qdot, _ = eq_127(run_of.t)
    assert_allclose(run_of.q[:, CHAIN], q, rtol=0, atol=1e-11)
    assert_allclose(run_of.qdot[:, CHAIN], qdot, rtol=0, atol=1e-11)


def test_driving_forces_along_the_motion_are_those_of_pinocchio_and_of_the_paper() -> None:
    system, reference = mission(PRESCRIBED).system, mission(PRESCRIBED).phases[0].reference
    model, twin = mission(PRESCRIBED).model, PinocchioOracle(system)
    ours, theirs, listed = [], [], []
    for t in history(PRESCRIBED).t[::10]:
        wanted = reference.at(t)
        state = State(q=wanted.q, qdot=wanted.qdot)
        ours.append(model.inverse_dynamics(state, wanted.qddot).tau[CHAIN])
        theirs.append(twin.inverse_dynamics(state, wanted.qddot)[1][CHAIN])
        listed.append(SENSE * driving_forces(wanted.q[CHAIN], wanted.qdot[CHAIN], wanted.qddot[CHAIN]))
    assert relative(np.array(ours), np.array(theirs)).max() < 1e-12
    assert relative(np.array(ours), np.array(listed)).max() < 1e-12


def test_the_run_gives_the_driving_forces_of_the_prescribed_motion_in_the_papers_sense() -> None:
    """Within what the integrator leaves the loop to correct: rtol 1e-12, gains 4 1/s^2 and 4 1/s."""
    q, qdot, qddot = eq_127(history(PRESCRIBED).t)
    wanted = np.array([driving_forces(*motion) for motion in zip(q, qdot, qddot, strict=True)])
    assert relative(papers_forces(PRESCRIBED), wanted).max() < 1e-9


def test_at_rest_the_driving_forces_carry_the_weight() -> None:
    """By hand: the arm stretched out horizontally, with all its weight on tau_2 and that of the hand on tau_4."""
    L2, L3, L5, L6, g = (APPENDIX_3[name] for name in ("L2", "L3", "L5", "L6", "g"))
    hand = 0.6 * L6 + 0.5 * L3
    start = [0.0, g * (1.0 * L5 + 1.1 * L2 + hand), 0.0, g * hand, 0.0, 0.0]
    assert_allclose(papers_forces(PRESCRIBED)[0], start, rtol=0, atol=1e-12)


# --- the regulator -----------------------------------------------------------------------------------------------------


def eqs_128_to_133(q: np.ndarray, qdot: np.ndarray) -> np.ndarray:
    """(n, 6) tau_1 ... tau_5, sigma as the paper writes its feedback law."""
    L2, L3, L5, L6, g = (APPENDIX_3[name] for name in ("L2", "L3", "L5", "L6", "g"))
    mC, mD, mE, mF = (APPENDIX_3[name] for name in ("mC", "mD", "mE", "mF"))
    e, rate, q6 = (q - GOALS).T, qdot.T, q[:, 5]
    (s2, s3, s4), (c2, c3, c4) = np.sin(q[:, 1:4]).T, np.cos(q[:, 1:4]).T
    hand = mE * L6 + mF * L3
    carried = ((mC + mD) * q6 + mD * L5) * s2 + hand * (c4 * s2 + c3 * s4 * c2) + (mE + mF) * (q6 + L2) * s2
    return np.array([
        -3.0 * e[0] - 5.0 * rate[0],
        1.0 * e[1] + 3.0 * rate[1] + g * carried,
        0.3 * e[2] + 0.6 * rate[2] - g * hand * s2 * s3 * s4,
        0.3 * e[3] + 0.6 * rate[3] + g * hand * (c2 * s4 + s2 * c3 * c4),
        0.25 * e[4] + 0.25 * rate[4],
        30.0 * e[5] + 41.0 * rate[5] - g * (mC + mD + mE + mF) * c2,
    ]).T  # fmt: skip


def test_the_regulator_is_eqs_128_to_133_counted_the_papers_way() -> None:
    motion = history(REGULATED)
    wanted = eqs_128_to_133(motion.q[:, CHAIN], motion.qdot[:, CHAIN])
    assert relative(papers_forces(REGULATED), wanted).max() < 1e-12


def test_the_regulator_is_at_its_goal_within_ten_seconds() -> None:
    """The curves of Figure 3 have levelled out: 2 % of each way is left, 5 % of each rate, and no curve overshoots."""
    motion = history(REGULATED)
    left = abs(motion.q[:, CHAIN] - GOALS) / abs(GOALS - STARTS)
    assert left[0] == pytest.approx(1.0)
    assert np.all(left[-1] < 0.02)
    assert np.all(np.diff(left, axis=0) < 1e-9), "no joint passes its goal or turns back"
    assert np.all(abs(motion.qdot[-1]) < 0.05 * abs(motion.qdot).max(axis=0))


def derivative(series: np.ndarray, step: float) -> np.ndarray:
    """Central differences of eighth order of rows (n, 6); (n - 8, 6), without the first and last four."""
    weights = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0.0, 4 / 5, -1 / 5, 4 / 105, -1 / 280]) / step
    n = len(series) - 8
    return sum(w * series[k : k + n] for k, w in enumerate(weights))


def off_by(motion: History, after_s: float) -> float:
    """How far inverse dynamics of the motion, whose accelerations are differences of its rates, is from the run's forces."""
    model, inner = mission(REGULATED).model, slice(4, -4)
    qddot = derivative(motion.qdot, float(motion.t[1] - motion.t[0]))
    states = zip(motion.q[inner], motion.qdot[inner], qddot, strict=True)
    back = np.array([model.inverse_dynamics(State(q=q, qdot=qdot), a).tau for q, qdot, a in states])
    later = motion.t[inner] > after_s
    return float((abs(back - motion.tau[inner])[later].max(axis=0) / abs(motion.tau).max(axis=0)).max())


def test_the_regulators_motion_put_through_inverse_dynamics_returns_the_forces_it_commanded() -> None:
    """The paper's check of its two programs, on the transient of q5 (K_D / F2 = 125 1/s) and on the rest of the motion.

    Differences of eighth order truncate at (rate h)^8 / 630: 5e-4 s in the transient and 0.02 s after it leave less than
    1e-12. The integrator's error in the rates, 1e-12 to 1e-13, is divided by h: up to 1e-9 of the forces remain.
    """
    flown, phase = mission(REGULATED), mission(REGULATED).phases[0]
    start = simulate(
        flown.model, phase.mode, phase.controller, flown.initial, reference=phase.reference, t_end_s=0.5, rtol=1e-13,
        output_step_s=5e-4,
    )  # fmt: skip
    assert off_by(start, 0.0) < 1e-9
    assert off_by(history(REGULATED), 0.5) < 1e-9


# --- the constant of motion --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_without_tau_1_the_angular_momentum_about_the_vertical_stays_zero() -> None:
    motion = history(FREE)
    assert abs(papers_forces(FREE)[:, 0]).max() < 1e-14
    residual = motion.residuals["root_joint_momentum"]
    assert residual.value < 1e-9
    assert residual.scale > 0.1  # N m s: the arm does move
    listed = [quantities(q, speeds(q, qdot))["W31"] for q, qdot in zip(motion.q[:, CHAIN], motion.qdot[:, CHAIN], strict=True)]
    assert abs(np.array(listed)).max() < 1e-9
    assert "root_joint_momentum" not in history(REGULATED).residuals


def test_with_tau_1_the_angular_momentum_about_the_vertical_is_its_impulse() -> None:
    """d(H . n2)/dt = tau_1, so the law that the free joint keeps is one that the driven joint breaks by its torque."""
    motion = history(REGULATED)
    step = motion.t[1] - motion.t[0]
    rate = derivative(motion.L_0[:, 1:2], step)
    later = motion.t[4:-4] > 0.5  # the transient of q5 is too fast for these samples
    assert_allclose(rate[later, 0], motion.tau[4:-4, 0][later], rtol=0, atol=1e-6)
    assert abs(motion.L_0[:, 1]).max() > 0.5


def test_q1_drifts_as_the_outer_joints_move() -> None:
    motion = history(FREE)
    assert 0.01 < abs(motion.q[-1, 0]) < 0.1
    assert_array_equal(mission(FREE).phases[0].reference.at(0.0).q[0], 0.0)


# --- files -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", [PRESCRIBED, REGULATED, FREE])
def test_the_resolved_mission_is_the_same_mission(name: str, tmp_path: Path) -> None:
    run(name).save(tmp_path / "out")
    again = load_mission(tmp_path / "out" / "mission.resolved.toml")
    mine, its = mission(name).phases[0], again.phases[0]
    assert again.resolved["phase"] == mission(name).resolved["phase"]
    for t in (0.0, 3.0, T):
        assert_array_equal(mine.reference.at(t).q, its.reference.at(t).q)
    state = State(q=[0.3, 1.2, 0.05, -0.4, 0.7, 0.2], qdot=[0.1] * 6)
    assert_allclose(
        mine.controller.command(0.0, state, mine.reference.at(0.0), None)[0],
        its.controller.command(0.0, state, its.reference.at(0.0), None)[0],
        rtol=0,
        atol=0,
    )


def test_gains_by_joint_and_in_the_order_of_the_chain_are_the_same(tmp_path: Path) -> None:
    text = (FOLDER / f"{REGULATED}.toml").read_text(encoding="utf-8")
    given = "K_P = { q1 = 3.0, q2 = 1.0, q3 = 0.3, q4 = 0.3, q5 = 0.25, q6 = 30.0 }"
    assert given in text
    listed = tmp_path / f"{REGULATED}.toml"
    listed.write_text(text.replace(given, "K_P = [3.0, 1.0, 30.0, 0.3, 0.3, 0.25]"), encoding="utf-8")
    gains = [m.phases[0].controller.K_P for m in (mission(REGULATED), load_mission(listed))]
    assert_array_equal(*gains)


@pytest.mark.slow
def test_a_driven_root_joint_fails_a_limit_on_its_momentum(tmp_path: Path) -> None:
    text = (FOLDER / f"{FREE}.toml").read_text(encoding="utf-8")
    driven = text.replace("K_D = { q1 = 0.0", "K_D = { q1 = 1.0").replace("t_s = 10.0", "t_s = 0.2")
    (tmp_path / "driven.toml").write_text(driven, encoding="utf-8")
    flown = load_mission(tmp_path / "driven.toml").run()
    assert flown.completed and not flown.passed
    assert "q1 was driven" in str(flown.summary())
