"""Tasks of what a mode commands: the plant gets the accelerations that they ask for, each as far as those before it let it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from scmanip.control import (
    BasePose,
    ComputedTorque,
    CoordinatedComputedTorque,
    Posture,
    QuietBase,
    Task,
    TaskComputedTorque,
    TaskPriority,
    WithFeedforward,
    pose_error,
    reaction_null_space,
)
from scmanip.control.tasks._task_stack import DrivenMotion
from scmanip.dynamics import Model, Reference, compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold, JointReference, PoseReference, Reach
from scmanip.modes import (
    FixedBase,
    Floating,
    Flying,
    ManoeuvreMode,
    RotationFloating,
    RotationFlying,
    Situation,
    TranslationFlying,
)
from scmanip.simulation import simulate
from scmanip.system import State, load_system

from ..simulation.arms import model, moving_state
from .flown_systems import NAMES, Flown, flown

MODES = [Floating(), RotationFloating(), RotationFlying(), TranslationFlying(), TranslationFlying(RotationFloating()), Flying()]
ALL_MODES = pytest.mark.parametrize("mode", MODES, ids=repr)
ALL_SYSTEMS = pytest.mark.parametrize("name", NAMES)
AXES = ("x", "y", "z", "rx", "ry", "rz")
SMALL = 1e-9  # of singular values: nothing is damped


def wanted_pose(plant: Model, state: State, frame: str) -> PoseReference:
    rng = np.random.default_rng(1)
    turn = Rotation.from_rotvec(rng.normal(size=3) * 0.3) * Rotation.from_quat(plant.attitude(state, frame))
    twists = rng.normal(size=(2, 6)) * 0.1
    return PoseReference(frame, plant.position(state, frame) + rng.normal(size=3) * 0.1, turn.as_quat(), *twists)


def answered(law: Task | TaskPriority, state: State, wanted: PoseReference | JointReference | None) -> np.ndarray:
    """What the plant does, udot (n_u,)."""
    mode, plant = law.made_for, law.believed
    assert mode is not None and plant is not None
    state = state.of_layout(plant.layout)
    command, memory = law.begun(state).command(0.0, state, wanted, None)
    assert memory is None
    mode.check_command(plant.layout, command, 0.0)
    force = mode.generalized_force(plant, state, command)
    return plant.forward_dynamics(state, force.tau, force.wrench)


def tip_motion(plant: Model, state: State, udot: np.ndarray, frame: str) -> tuple[np.ndarray, np.ndarray]:
    """The twist of a frame and its rate."""
    J = np.hstack([plant.J0(state, frame), plant.Jm(state, frame)])
    return J @ state.u, J @ udot + plant.J_dot_u(state, frame)


def errors_of(plant: Model, state: State, wanted: PoseReference) -> np.ndarray:
    """Place and attitude, the latter by SciPy."""
    turn = (
        Rotation.from_quat(wanted.attitude_xyzw) * Rotation.from_quat(plant.attitude(state, wanted.frame)).inv()
    ).as_rotvec()
    angle = np.linalg.norm(turn)
    return np.concatenate([wanted.position_m - plant.position(state, wanted.frame), 2 * np.sin(angle / 2) * turn / angle])


def reach(case: Flown, state: State, way: list[float], duration_s: float) -> Reach:
    """Lead the tip along a way and keep its attitude."""
    goal, attitude = case.model.position(state, "tip") + np.array(way), case.model.attitude(state, "tip")
    return Reach.from_state(case.model, state, "tip", position_m=goal, attitude_xyzw=attitude, duration_s=duration_s)


@ALL_SYSTEMS
@ALL_MODES
def test_the_frame_gets_the_acceleration_that_its_errors_ask_for(name: str, mode: ManoeuvreMode) -> None:
    case = flown(name)
    law = TaskComputedTorque(case.sums, mode, K_P=1.5, K_D=0.7, sigma_0=SMALL, axes=case.axes)
    plant = law.estimate
    state = case.state().of_layout(plant.layout)
    wanted = wanted_pose(plant, state, case.frame)
    udot = answered(law, state, wanted)
    twist, rate = tip_motion(plant, state, udot, case.frame)
    asked = wanted.twist_dot + 0.7 * (wanted.twist - twist) + 1.5 * errors_of(plant, state, wanted)
    counted = [AXES.index(axis) for axis in case.axes]
    assert_allclose(rate[counted], asked[counted], atol=1e-9)
    assert abs(plant.momentum(state).L_C).max() > 1e-3


@ALL_SYSTEMS
@ALL_MODES
def test_the_base_gets_what_its_errors_ask_for_and_the_frame_what_is_left(name: str, mode: ManoeuvreMode) -> None:
    """By the arm where nothing else turns it, by what the mode has otherwise, and then the frame is led as well."""
    case = flown(name)
    driven = mode.commands_base and getattr(mode, "turns", False)
    pose = BasePose([0.0, 0.0, 0.6, 0.8], [0.3, -1.0, 0.5])
    plant = mode.equipped(case.sums)
    base = QuietBase(plant, mode, K_P=0.8, K_D=1.2, pose=pose, sigma_0=SMALL, axes=None if driven else case.quiet)
    tip = TaskComputedTorque(plant, mode, K_P=1.5, K_D=0.7, sigma_0=SMALL if driven else 0.05, axes=case.axes)
    state = case.state().of_layout(plant.layout)
    wanted = wanted_pose(plant, state, case.frame)
    udot = answered(TaskPriority(base, tip), state, wanted)
    turn = (Rotation.from_quat(pose.attitude_xyzw) * Rotation.from_quat(state.attitude_xyzw).inv()).as_rotvec()
    error = 2 * np.sin(np.linalg.norm(turn) / 2) * turn / np.linalg.norm(turn)
    held = range(3) if driven else [("rx", "ry", "rz").index(axis) for axis in case.quiet]
    assert_allclose(udot[3:6][held], (0.8 * error - 1.2 * state.omega_0)[held], atol=1e-9)
    if isinstance(mode, Flying):
        assert_allclose(udot[:3], 0.8 * (pose.position_m - state.r_0) - 1.2 * state.v_0, atol=1e-9)
    twist, rate = tip_motion(plant, state, udot, case.frame)
    asked = wanted.twist_dot + 0.7 * (wanted.twist - twist) + 1.5 * errors_of(plant, state, wanted)
    counted = [AXES.index(axis) for axis in case.axes]
    if driven:
        assert_allclose(rate[counted], asked[counted], atol=1e-9)


@pytest.mark.slow
def test_a_frame_flies_by_the_error_dynamics_of_its_gains_while_momentum_is_not_zero() -> None:
    """e'' + K_D e' + K_P e = 0 of the place to 1e-9, its base adrift and turning."""
    case, (K_P, K_D) = flown("spatial"), (1.0, 1.4)
    state = case.state()
    law = TaskComputedTorque(case.model, Floating(), K_P=K_P, K_D=K_D, sigma_0=SMALL)
    reference = reach(case, state, [0.2, -0.1, 0.15], 4.0)
    history = simulate(case.model, Floating(), law, state, reference=reference, t_end_s=6.0, rtol=1e-12, output_step_s=0.5)
    start = reference.at(0.0)
    e = [
        start.position_m - case.model.position(state, "tip"),
        (start.twist - tip_motion(case.model, state, state.u, "tip")[0])[:3],
    ]
    for t, now in zip(history.t, history.states, strict=True):
        phi = expm(np.array([[0.0, 1.0], [-K_P, -K_D]]) * t)
        assert_allclose(pose_error(case.model, now, reference.at(float(t)))[:3], phi[0] @ np.array(e), atol=1e-9)
    assert max(history.residuals[law].relative for law in ("momentum", "angular_momentum")) < 1e-9


@pytest.mark.slow
def test_the_first_task_is_kept_while_the_second_asks_for_what_is_not_left() -> None:
    """A quiet base, and a tip that is asked for more than the reactionless motions give: the base stays to 1e-10."""
    case = flown("spatial")
    state, mode = case.state(pace=0.0), Floating()
    base = QuietBase(case.model, mode, sigma_0=SMALL)
    tip = TaskComputedTorque(case.model, mode, K_P=1.0, K_D=2.0)
    law = TaskPriority(base, tip)
    far = reach(case, state, [0.4, 0.3, 0.2], 10.0)
    history = simulate(case.model, mode, law, state, reference=far, t_end_s=10.0, rtol=1e-11, output_step_s=0.5)
    turned = [(Rotation.from_quat(now.attitude_xyzw) * Rotation.from_quat(state.attitude_xyzw).inv()).magnitude()
              for now in history.states]  # fmt: skip
    assert max(turned) < 1e-10 and abs(history.omega_0).max() < 1e-10
    miss = pose_error(case.model, history.final, far.at(10.0))
    assert np.linalg.norm(miss) > 0.05  # six rows of three that are left
    assert np.linalg.norm(history.q[-1] - state.q) > 0.05


@ALL_SYSTEMS
def test_rates_of_the_reaction_null_space_do_not_turn_the_base(name: str) -> None:
    """Below 1e-12 rad/s, by the velocities that momentum zero leaves; as many of them as there are joints more than axes."""
    case = flown(name)
    state = case.state(pace=0.0)
    P = reaction_null_space(case.sums, state)
    assert np.linalg.matrix_rank(P) == case.system.layout.N_tree - len(case.quiet)
    assert_allclose(P @ P, P, atol=1e-14)
    rates = P @ np.random.default_rng(3).normal(size=len(P))
    qdot = np.concatenate([rates, np.zeros(case.system.layout.N - len(rates))])
    base = -np.linalg.solve(case.sums.M(state)[:6, :6], case.sums.M(state)[:6, 6:] @ qdot)
    assert abs(base[3:]).max() < 1e-12 and abs(rates).max() > 0.1
    with pytest.raises(ModeMismatch, match="'floating' needs a base that is free"):
        reaction_null_space(compile_model(load_system("model:general_6r"), implementation=Reference()), state)


@pytest.mark.battery(1)
@pytest.mark.parametrize("name", ["planar", "spatial"])
def test_joints_follow_their_way_as_far_as_the_base_stays(name: str) -> None:
    """A quiet base and a posture after it: below 1e-9 rad/s all along, while the joints move by what is left."""
    case, mode = flown(name), Floating()
    state = case.state(pace=0.0)
    law = TaskPriority(QuietBase(case.model, mode, axes=case.quiet), Posture(case.model, mode, K_P=4.0, K_D=4.0))
    goal = Hold(state.q + 0.4)
    history = simulate(case.model, mode, law, state, reference=goal, t_end_s=3.0, rtol=1e-10, output_step_s=0.25)
    assert abs(history.omega_0).max() < 1e-9
    moved = history.q[-1] - state.q
    assert np.linalg.norm(moved) > 0.1
    assert_allclose(history.work[-1], history.kinetic_energy[-1] - history.kinetic_energy[0], atol=1e-9)


def test_a_posture_alone_is_computed_torque_and_behind_the_base_that_of_both() -> None:
    plant, state = model(), moving_state()
    wanted = JointReference(np.array([0.6, -0.5]), np.array([0.1, 0.2]), np.array([0.7, -0.3]))
    ours, _ = Posture(plant, Floating(), K_P=1.5, K_D=0.7).command(0.0, state, wanted, None)
    theirs, _ = WithFeedforward(ComputedTorque(plant, K_P=1.5, K_D=0.7)).command(0.0, state, wanted, None)
    assert_allclose(ours, theirs, rtol=1e-11)
    for mode in (RotationFloating(), RotationFlying(), TranslationFlying(RotationFloating()), Flying()):
        pose = BasePose([0.0, 0.0, 0.6, 0.8], [0.3, -1.0, 0.5])
        known = mode.equipped(plant)
        base = QuietBase(known, mode, K_P=2.0, K_D=3.0, pose=pose)
        both = TaskPriority(base, Posture(known, mode, K_P=1.5, K_D=0.7))
        whole = CoordinatedComputedTorque(known, mode, K_P=1.5, K_D=0.7, base_K_P=2.0, base_K_D=3.0, pose=pose)
        spinning = state.of_layout(known.layout)
        assert_allclose(both.command(0.0, spinning, wanted, None)[0], whole.command(0.0, spinning, wanted, None)[0], atol=1e-10)


def test_tasks_of_one_level_share_by_their_weights() -> None:
    """Against the least squares of all rows, each times its weight; five rows of three joints."""
    case, mode = flown("two arms"), Floating()
    state, plant = case.state(), case.sums
    one, other = (TaskComputedTorque(plant, mode, sigma_0=SMALL, axes=axes) for axes in (("x", "y"), ("rz",)))
    law = TaskPriority(
        QuietBase(plant, mode, sigma_0=SMALL, axes=("rz",)), one, other, levels=(1, 1, 1), weights=[5.0, 2.0, 0.5]
    )
    wanted = wanted_pose(plant, state, case.frame)
    udot = answered(law, state, wanted)
    motion = DrivenMotion.of(Situation.of(plant, state), mode)
    begun = law.begun(state)
    rows = [task.rows(motion, wanted, task.numbers) for task in begun.tasks]
    J = np.concatenate([w * r.J for w, r in zip(law.weights, rows, strict=True)])
    asked = np.concatenate([w * r.asked for w, r in zip(law.weights, rows, strict=True)])
    least = np.linalg.lstsq(J, asked, rcond=1e-12)[0]
    free = (np.eye(6) - np.linalg.pinv(J, rcond=1e-9) @ J) @ -state.qdot[:6]
    assert_allclose(udot[6:12], least + free, atol=1e-8)


BAD = {
    "K_P": (lambda m: TaskComputedTorque(m, Floating(), K_P=[1.0, 2.0]), "K_P: expected one finite number >= 0 or 6 of them"),
    "sigma_0": (lambda m: QuietBase(m, Floating(), sigma_0=0.0), "sigma_0: expected a finite number > 0"),
    "axes": (lambda m: TaskComputedTorque(m, Floating(), axes=("x", "w")), "axes: expected different ones of x, y"),
    "roll": (lambda m: QuietBase(m, Floating(), axes=("x",)), "axes: expected different ones of rx, ry, rz"),
    "mode": (lambda m: Posture(m, "floating"), "mode: expected a manoeuvre mode"),
    "estimate": (lambda m: Posture(m.system, Floating()), "estimate: expected a Model"),
    "no task": (lambda m: TaskPriority(), "tasks: expected one task or more"),
    "no tasks": (lambda m: TaskPriority(ComputedTorque(m)), "tasks: expected one task or more"),
    "levels": (lambda m: TaskPriority(QuietBase(m, Floating()), Posture(m, Floating()), levels=(1, 3)), "ascending by 0 or 1"),
    "order": (lambda m: TaskPriority(Posture(m, Floating()), QuietBase(m, Floating())), "Posture last, which takes all"),
    "level": (lambda m: TaskPriority(QuietBase(m, Floating()), Posture(m, Floating()), levels=(1, 1)), "a level of its own"),
    "weights": (lambda m: TaskPriority(Posture(m, Floating()), weights=0.0), "weights: expected one finite number > 0"),
    "rest": (lambda m: TaskPriority(Posture(m, Floating()), rest_K_D=-1.0), "rest_K_D: expected a finite number >= 0"),
    "models": (lambda m: TaskPriority(QuietBase(m, Floating()), Posture(model(), Floating())), "that believe in one model"),
}  # fmt: skip


@pytest.mark.parametrize("key", BAD)
def test_what_is_no_task_is_refused_by_name(key: str) -> None:
    made, words = BAD[key]
    with pytest.raises(InvalidInput, match=words):
        made(model())


def test_modes_that_cannot_serve_are_refused_by_a_sentence() -> None:
    free, held = model(), model(fixed=True)
    with pytest.raises(ModeMismatch, match="QuietBase holds a base that is free"):
        QuietBase(held, FixedBase())
    with pytest.raises(ModeMismatch, match="mode 'floating' needs a base that is free to move"):
        TaskComputedTorque(held, Floating())
    with pytest.raises(ModeMismatch, match=r"fly in one mode, not in Floating.* and Flying"):
        TaskPriority(QuietBase(free, Floating()), Posture(free, Flying()))
    with pytest.raises(ModeMismatch, match=r"TaskComputedTorque was made for Floating.* and is flown in Flying"):
        TaskComputedTorque(free, Floating()).check(free, Flying())
    with pytest.raises(ModeMismatch, match="Posture's estimate has a floating base and joints shoulder, elbow, the simulated"):
        TaskPriority(Posture(free, Floating())).check(flown("planar").sums, Floating())
    with pytest.raises(InvalidInput, match="a motion of a frame for TaskComputedTorque to follow, found one of the joints"):
        TaskComputedTorque(free, Floating()).command(0.0, moving_state(), Hold(np.zeros(2)).at(0.0), None)
    place = PoseReference("base", np.zeros(3), None, np.zeros(6), np.zeros(6))
    with pytest.raises(InvalidInput, match="an attitude, of which rz count, found a place of 'base' alone"):
        TaskComputedTorque(free, Floating(), axes=("rz",)).command(0.0, moving_state(), place, None)
    for task in (QuietBase(free, Floating()), Posture(free, Floating())):
        with pytest.raises(InvalidInput, match=r"law.begun\(state\)"):
            task.command(0.0, moving_state(), place, None)
