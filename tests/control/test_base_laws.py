"""Laws that drive the base beside the arm: held against the arm's reaction, and momentum that is taken out."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from scmanip.control import BaseAttitude, BasePose, Controller, JointRegulator, MomentumDistribution, Saturated
from scmanip.dynamics import Model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold, JointReference, Sample
from scmanip.modes import (
    BaseDriven,
    Floating,
    Flying,
    RotationFloating,
    RotationFlying,
    TranslationFlying,
)
from scmanip.simulation import simulate
from scmanip.system import State

from ..simulation.arms import model, moving_state
from .flown_systems import NAMES, Flown, flown

TURNED = [RotationFloating(), RotationFlying()]
DRIVEN = [*TURNED, TranslationFlying(), TranslationFlying(RotationFloating()), Flying()]
ALL_SYSTEMS = pytest.mark.parametrize("name", NAMES)


def spinning(case: Flown, plant: Model) -> State:
    """The state of a case, with wheels that turn."""
    state = case.state().of_layout(plant.layout)
    wheels = {name: np.array([40.0 * (i + 1)]) for i, (name, _) in enumerate(plant.layout.states)}
    moving = (state.r_0, state.attitude_xyzw, state.q, state.v_0, state.omega_0, state.qdot)
    return State(*moving, actuators=wheels)


def answered(law: Controller, state: State, wanted: Sample) -> np.ndarray:
    mode, plant = law.made_for, law.believed
    assert mode is not None and plant is not None
    law.check(plant, mode)
    command, _ = law.command(0.0, state, wanted, None)
    mode.check_command(plant.layout, command, 0.0)
    force = mode.generalized_force(plant, state, command)
    return plant.forward_dynamics(state, force.tau, force.wrench)


def momenta(plant: Model, state: State) -> tuple[np.ndarray, np.ndarray]:
    """P and L of all but free bodies, about their CoM, without the wheels, of the base's rows of M."""
    whole = plant.M(state)[:6] @ state.u
    H0 = plant.H0(state)
    r = np.array([H0[5, 1], H0[3, 2], H0[4, 0]]) / H0[0, 0]
    return whole[:3], whole[3:] - np.cross(r, whole[:3])


def rates(plant: Model, state: State, udot: np.ndarray, h: float = 1e-4) -> tuple[np.ndarray, np.ndarray]:
    """Their rates by differences along the motion, of fourth order."""
    ahead = []
    for k in (-2, -1, 1, 2):
        dt = k * h
        turn = Rotation.from_rotvec(state.omega_0 * dt + udot[3:6] * dt**2 / 2)
        q, layout = state.q.copy(), plant.layout
        N, own = layout.N_tree, slice(layout.n_base, layout.n_base + layout.N_tree)
        q[:N] += state.qdot[:N] * dt + udot[own] * dt**2 / 2
        u = state.u + udot * dt
        place = state.r_0 + state.v_0 * dt + udot[:3] * dt**2 / 2
        attitude = (turn * Rotation.from_quat(state.attitude_xyzw)).as_quat()
        ahead.append(momenta(plant, State(place, attitude, q, u[:3], u[3:6], u[6:], actuators=state.actuators)))
    weights = np.array([1, -8, 8, -1]) / (12 * h)
    return tuple(sum(w * np.array(found[i]) for w, found in zip(weights, ahead, strict=True)) for i in (0, 1))  # type: ignore[return-value]


@ALL_SYSTEMS
@pytest.mark.parametrize("mode", TURNED, ids=repr)
@pytest.mark.parametrize("limit", [1e9, 0.3])
def test_the_attitude_obeys_its_gains_whatever_the_arm_does(name: str, mode: BaseDriven, limit: float) -> None:
    """Also where the law of the joints is cut, by joint forces that no inertia explains."""
    case = flown(name)
    pose = BasePose([0.0, 0.0, 0.6, 0.8])
    law = BaseAttitude(Saturated(JointRegulator(case.sums, K_P=9.0, K_D=4.0), limit), mode, K_P=0.8, K_D=1.2, pose=pose)
    plant = law.estimate
    state = spinning(case, plant)
    wanted = JointReference(Hold(state.q, layout=plant.layout).at(0.0).q + 0.0, 0.3 + 0 * state.qdot, 0 * state.qdot)
    udot = answered(law, state, wanted)
    turn = (Rotation.from_quat(pose.attitude_xyzw) * Rotation.from_quat(state.attitude_xyzw).inv()).as_rotvec()
    error = 2 * np.sin(np.linalg.norm(turn) / 2) * turn / np.linalg.norm(turn)
    assert_allclose(udot[3:6], 0.8 * error - 1.2 * state.omega_0, atol=1e-9)
    assert abs(udot[6:]).max() > 1e-2


@pytest.mark.slow
def test_a_base_under_a_reacting_arm_turns_by_its_gains_alone() -> None:
    """theta'' + K_D theta' + K_P theta = 0 about a steady axis to 1e-9, while springs and dampers swing the arm."""
    case, mode, (K_P, K_D) = flown("planar"), RotationFloating(), (0.8, 1.2)
    state = case.state(pace=0.0)
    angle = 2 * np.arctan2(0.3, 0.9)
    law = BaseAttitude(
        JointRegulator(case.model, K_P=200.0, K_D=30.0), mode, K_P=K_P, K_D=K_D,
        pose=BasePose([0.0, 0.0, np.sin(angle / 2 + 1e-5), np.cos(angle / 2 + 1e-5)]),
    )  # fmt: skip
    start = state.of_layout(law.estimate.layout)
    options = {"t_end_s": 4.0, "rtol": 1e-12, "output_step_s": 0.5}
    history = simulate(law.estimate, mode, law, start, reference=Hold(state.q + 0.5), **options)
    A = np.array([[0.0, 1.0], [-K_P, -K_D]])
    for t, now in zip(history.t, history.states, strict=True):
        left = (Rotation.from_rotvec([0, 0, angle + 2e-5]) * Rotation.from_quat(now.attitude_xyzw).inv()).as_rotvec()
        assert_allclose(left, [0, 0, (expm(A * t) @ [2e-5, 0.0])[0]], atol=1e-9)
    assert np.ptp(history.q[:, 0]) > 0.3 and not history.broken_laws


@ALL_SYSTEMS
@pytest.mark.parametrize("mode", DRIVEN, ids=repr)
def test_momentum_falls_by_its_gains_while_the_joints_go_their_way(name: str, mode: BaseDriven) -> None:
    """With wheels that turn, in motion: rates by differences, joints as their errors ask for, and no force without momentum."""
    case, K = flown(name), np.array([0.3, 0.4, 0.5, 0.2, 0.6, 0.7])
    law = MomentumDistribution(case.sums, mode, K=K, K_P=1.5, K_D=0.7)
    plant = law.estimate
    state = spinning(case, plant)
    N = plant.layout.N_tree
    goal = state.q.copy()
    goal[:N] += 0.2
    wanted = JointReference(goal, 0.1 + 0 * state.qdot, 0.05 + 0 * state.qdot)
    udot = answered(law, state, wanted)
    joints = slice(6, 6 + N)
    assert_allclose(udot[joints], 0.05 + 0.7 * (0.1 - state.qdot[:N]) + 1.5 * 0.2, atol=1e-9)
    (P, L), (P_dot, L_dot) = momenta(plant, state), rates(plant, state, udot)
    scale = max(abs(P).max(), abs(L).max(), abs(plant.M(state)).max() * abs(udot).max())
    assert_allclose(P_dot, -K[:3] * P if mode.moves else np.zeros(3), atol=1e-7 * scale)
    if mode.turns:
        assert_allclose(L_dot, -K[3:] * L, atol=1e-7 * scale)
    still = State(state.r_0, state.attitude_xyzw, state.q, qdot=0 * state.qdot, actuators=state.actuators)
    command, _ = law.command(0.0, still, wanted, None)
    assert_allclose(command[:6], np.zeros(6), atol=1e-11)


@pytest.mark.slow
def test_a_tumbling_stack_comes_to_rest_and_its_wheels_have_it_all() -> None:
    """L exp(-K t) to 1e-9 while the arm folds; the total is kept."""
    case, mode, K = flown("spatial"), RotationFloating(), 0.4
    law = MomentumDistribution(case.model, mode, K=K)
    plant = law.estimate
    state = case.state().of_layout(plant.layout)
    history = simulate(plant, mode, law, state, reference=Hold(state.q + 0.3), t_end_s=10.0, rtol=1e-11, output_step_s=1.0)
    L = np.array([momenta(plant, now)[1] for now in history.states])
    assert_allclose(L, np.exp(-K * history.t)[:, None] * L[0], atol=1e-9 * abs(L[0]).max())
    assert_allclose(plant.momentum(history.final).L_C, plant.momentum(state).L_C, rtol=1e-9)
    assert np.linalg.norm(history.omega_0[-1]) < 0.1 * np.linalg.norm(history.omega_0[0]) and not history.broken_laws


def test_what_does_not_fit_is_refused() -> None:
    free = model()
    joints = JointRegulator(free, K_P=1.0, K_D=1.0)
    for mode in (Flying(), TranslationFlying(), Floating()):
        with pytest.raises(ModeMismatch, match="BaseAttitude turns the base by wheels or thrusters and pushes nothing"):
            BaseAttitude(joints, mode)
    with pytest.raises(ModeMismatch, match=r"in Floating.* nothing does; choose a mode with wheels or thrusters"):
        MomentumDistribution(free, Floating())
    with pytest.raises(ModeMismatch, match=r"MomentumDistribution was made for Flying.* flown in RotationFlying"):
        MomentumDistribution(free, Flying()).check(free, RotationFlying())
    with pytest.raises(ModeMismatch, match=r"BaseAttitude was made for RotationFlying.* flown in RotationFloating"):
        BaseAttitude(joints, RotationFlying()).check(free, RotationFloating())
    with pytest.raises(InvalidInput, match="law: expected a law of the joints with an estimate"):
        BaseAttitude(lambda t, state: np.zeros(2), RotationFlying())  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="K_P: expected one finite number >= 0 or 3 of them"):
        BaseAttitude(joints, RotationFlying(), K_P=[1.0] * 6)
    with pytest.raises(InvalidInput, match="K: expected one finite number >= 0 or 6 of them"):
        MomentumDistribution(free, Flying(), K=-1.0)
    with pytest.raises(InvalidInput, match=r"law.begun\(state\)"):
        open_pose = BaseAttitude(joints, RotationFlying())
        open_pose.command(0.0, moving_state(), Hold(np.zeros(2)).at(0.0), None)
