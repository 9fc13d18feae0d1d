"""Computed torque for joints and base together: the accelerations that it asks for are those that the plant has."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from scmanip.control import BasePose, CoordinatedComputedTorque, WithFeedforward
from scmanip.control import ComputedTorque as JointsAlone
from scmanip.dynamics import Reference, compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import JointReference
from scmanip.modes import Floating, Flying, ManoeuvreMode, RotationFloating, RotationFlying, TranslationFlying
from scmanip.system import State, System, Wheel

from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_state, random_system, random_tree
from ..simulation.arms import model, moving_state, two_joints

MODES = [
    Floating(),
    RotationFloating(),
    RotationFlying(),
    TranslationFlying(),
    TranslationFlying(RotationFloating()),
    Flying(),
]
ALL_MODES = pytest.mark.parametrize("mode", MODES, ids=repr)
SEEDS = [4, 7, FIRST_TREE + 5, FIRST_TREE + 8, FIRST_TREE + 9, FIRST_OF_ALL, FIRST_OF_ALL + 2]
POSE = BasePose(np.array([0.2, -0.4, 0.1, 0.7]) / np.sqrt(0.7), [0.3, -1.0, 0.5])
FREE = model()
WANTED = JointReference(np.array([0.6, -0.5]), np.array([0.1, 0.2]), np.array([0.7, -0.3]))


def wanted_by_hand(law: CoordinatedComputedTorque, state: State, wanted: JointReference) -> np.ndarray:
    """Wanted joint accelerations; those of spherical joints with SciPy's rotations."""
    layout = law.estimate.layout
    single, qddot = np.array(layout.single(), dtype=int).reshape(-1, 2), np.zeros(layout.N)
    for i, j in single:
        error, rate = wanted.q[i] - state.q[i], wanted.qdot[j] - state.qdot[j]
        qddot[j] = law.feedforward * wanted.qddot[j] + law.K_D[j] * rate + law.K_P[j] * error
    for i, j in layout.quaternions:
        mine = slice(j, j + 3)
        between = Rotation.from_quat(state.q[i : i + 4]).inv() * Rotation.from_quat(wanted.q[i : i + 4])
        turn, sigma = between.as_rotvec(), state.qdot[mine]
        sigma_D = between.apply(wanted.qdot[mine])
        error = 2 * np.sin(np.linalg.norm(turn) / 2) * turn / np.linalg.norm(turn)
        qddot[mine] = law.feedforward * (between.apply(wanted.qddot[mine]) - np.cross(sigma, sigma_D))
        qddot[mine] += law.K_D[mine] * (sigma_D - sigma) + law.K_P[mine] * error
    return qddot


@pytest.mark.battery(3, each=2)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("feedforward", [True, False])
@ALL_MODES
def test_the_plant_gets_the_accelerations_that_the_errors_ask_for(seed: int, mode: ManoeuvreMode, feedforward: bool) -> None:
    build = random_tree if seed >= FIRST_TREE else random_system
    system, rng = build(seed, fixed=False, joints=3), np.random.default_rng(seed)
    bare, state = compile_model(system, implementation=Reference()), random_state(system, seed)
    plant, N = mode.equipped(bare), system.layout.N
    if plant.layout.n_w:
        moving = (state.r_0, state.attitude_xyzw, state.q, state.v_0, state.omega_0, state.qdot)
        state = State(*moving, wheel_rad_s=[1.0, -2.0, 3.0])
    gains = {name: rng.uniform(0.5, 3, size) for name, size in (("K_P", N), ("K_D", N), ("base_K_P", 6), ("base_K_D", 6))}
    law = CoordinatedComputedTorque(bare, mode, pose=POSE, feedforward=feedforward, **gains)
    goal = random_state(system, seed + 1).q
    wanted = JointReference(goal, rng.normal(size=N), rng.normal(size=N))
    command, memory = law.command(0.0, state, wanted, None)
    assert memory is None
    mode.check_command(plant.layout, command, 0.0)
    force = mode.generalized_force(plant, state, command)
    udot = plant.forward_dynamics(state, force.tau, force.wrench)
    noise = max(1e-11, 1e3 * np.finfo(float).eps * np.linalg.cond(plant.M(state))) * max(1.0, abs(udot).max())
    assert_allclose(udot[6:], wanted_by_hand(law, state, wanted), atol=noise)
    if 3 in mode.actuated(plant.layout):
        turn = (Rotation.from_quat(POSE.attitude_xyzw) * Rotation.from_quat(state.attitude_xyzw).inv()).as_rotvec()
        error = 2 * np.sin(np.linalg.norm(turn) / 2) * turn / np.linalg.norm(turn)
        assert_allclose(udot[3:6], gains["base_K_P"][3:] * error - gains["base_K_D"][3:] * state.omega_0, atol=noise)
    if isinstance(mode, Flying):
        pull = gains["base_K_P"][:3] * (POSE.position_m - state.r_0) - gains["base_K_D"][:3] * state.v_0
        assert_allclose(udot[:3], pull, atol=noise)
    if isinstance(mode, TranslationFlying):
        v_C = plant.momentum(state).P / system.mass_kg
        pull = gains["base_K_P"][:3] * (POSE.position_m - state.r_0 - plant.r_0C(state)) - gains["base_K_D"][:3] * v_C
        assert_allclose(command[:3], system.mass_kg * pull, atol=noise * system.mass_kg)


@pytest.mark.parametrize("feedforward", [True, False])
def test_in_floating_it_is_computed_torque_with_feedforward_or_without(feedforward: bool) -> None:
    state = moving_state()
    law = CoordinatedComputedTorque(FREE, Floating(), K_P=1.5, K_D=0.7, feedforward=feedforward)
    printed = JointsAlone(FREE, K_P=1.5, K_D=0.7)
    ours, _ = law.command(0.0, state, WANTED, None)
    theirs, _ = (WithFeedforward(printed) if feedforward else printed).command(0.0, state, WANTED, None)
    assert_allclose(ours, theirs, rtol=1e-11)


def test_without_errors_a_base_at_rest_is_held_against_the_arm() -> None:
    """Flying with the arm accelerating: the wrench is that of inverse dynamics with the base at rest."""
    state = State([0.3, -1.0, 0.5], POSE.attitude_xyzw, [0.4, -0.7], qdot=[0.2, 0.3])
    wanted = JointReference(state.q, state.qdot, np.array([0.5, -1.0]))
    command, _ = CoordinatedComputedTorque(FREE, Flying(), pose=POSE).command(0.0, state, wanted, None)
    held = FREE.inverse_dynamics(state, np.concatenate([np.zeros(6), wanted.qddot]))
    assert_allclose(command, [*held.wrench, *held.tau], atol=1e-11)


GAINS = {
    "K_P": ({"K_P": -1.0}, "one finite number >= 0 or 2 of them"),
    "K_D": ({"K_D": [1.0, 2.0, 3.0]}, "one finite number >= 0 or 2 of them"),
    "base_K_P": ({"base_K_P": [1.0] * 3}, "one finite number >= 0 or 6 of them"),
    "base_K_D": ({"base_K_D": np.nan}, "one finite number >= 0 or 6 of them"),
}


@pytest.mark.parametrize("key", GAINS)
def test_gains_that_are_none_are_refused(key: str) -> None:
    bad, expected = GAINS[key]
    with pytest.raises(InvalidInput, match=f"{key}: expected {expected}"):
        CoordinatedComputedTorque(FREE, Flying(), **bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bad", "key"),
    [
        ({"attitude_xyzw": [0, 0, 0, 2.0]}, "attitude_xyzw: expected a unit quaternion"),
        ({"attitude_xyzw": [[0, 0, 0, 1.0]] * 2}, "attitude_xyzw: expected one quaternion"),
        ({"position_m": [1.0, 2.0]}, "position_m: expected 3 finite numbers"),
        ({"position_m": [1.0, 2.0, np.inf]}, "position_m: expected 3 finite numbers"),
    ],
)
def test_a_place_that_is_none_is_refused(bad: dict[str, object], key: str) -> None:
    with pytest.raises(InvalidInput, match=key):
        BasePose(**bad)  # type: ignore[arg-type]


def test_what_is_no_place_and_no_choice_is_refused() -> None:
    with pytest.raises(InvalidInput, match="pose: expected a BasePose, or None, found 'home'"):
        CoordinatedComputedTorque(FREE, Flying(), pose="home")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="feedforward: expected true or false, found 'no'"):
        CoordinatedComputedTorque(FREE, Flying(), feedforward="no")  # type: ignore[arg-type]


def test_a_place_and_a_law_cannot_be_edited() -> None:
    law = CoordinatedComputedTorque(FREE, Flying())
    for array in (law.pose.attitude_xyzw, law.pose.position_m, law.K_P, law.base_K_D):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 2.0
    with pytest.raises(AttributeError):
        law.mode = Floating()  # type: ignore[misc]


def test_an_estimate_with_other_joints_or_other_wheels_is_refused() -> None:
    plain = two_joints()
    axes = np.vstack([np.eye(3), np.ones(3) / np.sqrt(3)])
    wheels = [Wheel(f"w{k}", axis, 0.1) for k, axis in enumerate(axes)]
    carrier = compile_model(System(plain.name, plain.base, plain.bodies[1:], actuators=wheels), implementation=Reference())
    for mode in (RotationFloating(), Flying()):
        ideal = "ideal x, ideal y, ideal z" if isinstance(mode, RotationFloating) else r"\(none\)"
        with pytest.raises(
            ModeMismatch, match=f"estimate has the actuators {ideal}, the simulated system has w0, w1, w2, w3; make"
        ):
            CoordinatedComputedTorque(FREE, mode).check(carrier, mode)
        CoordinatedComputedTorque(carrier, mode).check(carrier, mode)
    one = compile_model(System("one", plain.base, plain.bodies[1:2]), implementation=Reference())
    with pytest.raises(ModeMismatch, match="CoordinatedComputedTorque's estimate has a floating base and joints shoulder, the"):
        CoordinatedComputedTorque(one, Flying()).check(FREE, Flying())
    with pytest.raises(InvalidInput, match="estimate: expected a Model"):
        CoordinatedComputedTorque(plain, Flying())  # type: ignore[arg-type]


def test_without_a_reference_it_says_what_is_missing() -> None:
    with pytest.raises(InvalidInput, match="reference: expected a motion for CoordinatedComputedTorque to follow"):
        CoordinatedComputedTorque(FREE, Flying()).command(0.0, moving_state(), None, None)


@pytest.mark.parametrize("mode", [Flying(), TranslationFlying()], ids=lambda mode: mode.name)
def test_what_a_pose_leaves_open_is_held_where_the_run_begins(mode: ManoeuvreMode) -> None:
    """The base's own centre of mass in `Flying`, that of the system elsewhere."""
    state = moving_state()
    centre = state.r_0 if isinstance(mode, Flying) else state.r_0 + FREE.r_0C(state)
    assert np.linalg.norm(FREE.r_0C(state)) > 0.1
    for open_pose in (BasePose(None, None), BasePose(position_m=None), BasePose(None)):
        begun = CoordinatedComputedTorque(FREE, mode, pose=open_pose).begun(state)
        attitude = state.attitude_xyzw if open_pose.attitude_xyzw is None else [0, 0, 0, 1]
        assert_allclose(begun.pose.attitude_xyzw, attitude, atol=1e-15)
        assert_allclose(begun.pose.position_m, centre if open_pose.position_m is None else np.zeros(3), atol=1e-15)
    whole = CoordinatedComputedTorque(FREE, mode)
    assert whole.begun(state) is whole
