"""Reaction wheels in runs: against the same wheels as bodies, against the torque asked for, ideal ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Model, RunTimeInertia, compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.modes import (
    Floating,
    Flying,
    ManoeuvreMode,
    RotationFloating,
    RotationFlying,
    TranslationFlying,
    turner_motors,
)
from scmanip.simulation import History, simulate
from scmanip.spatial import Array, dcm_from_quaternion
from scmanip.system import Body, Joint, State, System, Wheel

from ..dynamics.wheels import as_bodies, wheels_as_bodies
from ..simulation.arms import no_joints, two_joints
from .flights import push

AXES = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / np.sqrt(3)
HELD = [Floating(), RotationFlying(), TranslationFlying(), Flying()]
TURNING = [RotationFloating(), TranslationFlying(RotationFloating())]


def carrier(*, axes: Array = AXES, inertia: float = 0.05, bearings: float = 0.0) -> System:
    """`two_joints` with wheels of different size."""
    plain = two_joints(stiffness=2.0, damping=0.5)
    wheels = [Wheel(f"w{k}", a, inertia * (1 + k), damping_Nms_rad=bearings * k) for k, a in enumerate(axes)]
    return System(plain.name, plain.base, plain.bodies[1:], actuators=wheels)


@cache
def model_of(bearings: float) -> Model:
    return compile_model(carrier(bearings=bearings))


def start(speeds: Array | list[float] | tuple[()] = (40.0, -25.0, 10.0, 60.0)) -> State:
    attitude = np.array([0.1, -0.3, 0.2, 0.9])
    moving = ([0.3, -0.2, 0.1], attitude / np.linalg.norm(attitude), [0.4, -0.7], [0.05, 0.02, -0.03], [0.1, -0.2, 0.15])
    return State(*moving, [0.3, -0.4], wheel_rad_s=speeds)


def fly(model: Model, mode: ManoeuvreMode, state: State, law: Callable[[float, State], Array] | None = None) -> History:
    law = push(mode, model.layout.N) if law is None else law
    return simulate(model, mode, law, state, t_end_s=2.0, output_step_s=0.25, rtol=1e-12)


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("bearings", [0.0, 0.004])
@pytest.mark.parametrize("mode", [RotationFloating(), Floating()], ids=lambda mode: mode.name)
def test_a_run_with_wheels_in_the_state_is_one_with_wheels_as_bodies_that_their_motors_drive(
    mode: ManoeuvreMode, bearings: float
) -> None:
    model, n_w = model_of(bearings), len(AXES)
    law = push(mode, model.layout.N)
    ours = fly(model, mode, start(), law)
    plain = wheels_as_bodies(model.system)
    rotors = [
        Body(b.name, 0.0, b.inertia_kg_m2, parent="base", joint=Joint(w.name, "revolute", w.axis, b.joint.origin_m, damping=d))
        for b, w, d in zip(plain.bodies[1 : 1 + n_w], model.system.wheels, bearings * np.arange(4), strict=True)
    ]
    bodies = compile_model(System("rotors", plain.base, [*rotors, *plain.bodies[1 + n_w :]]))

    def motors(t: float, state: State) -> Array:
        seen = State(
            state.r_0,
            state.attitude_xyzw,
            state.q[n_w:],
            state.v_0,
            state.omega_0,
            state.qdot[n_w:],
            wheel_rad_s=state.qdot[:n_w],
        )
        force = mode.generalized_force(model, seen, law(t, seen))
        omega_0_dot = model.forward_dynamics(seen, force.tau, force.wrench)[3:6]
        spin_up = np.zeros(n_w) if force.actuator_rates is None else force.actuator_rates
        return np.concatenate([turner_motors(model.system, seen, spin_up, omega_0_dot).efforts, force.tau])

    theirs = fly(bodies, Floating(), as_bodies(model.system, start()), motors)
    for name in ("r_0", "attitude_xyzw", "v_0", "omega_0", "P", "L_C", "kinetic_energy", "work", "dissipated"):
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=1e-9, err_msg=name)
    assert_allclose(ours.q, theirs.q[:, n_w:], atol=1e-9)
    assert_allclose(ours.states.wheel_rad_s, theirs.qdot[:, :n_w], atol=1e-9 * 60)
    assert ours.residuals["energy"].relative < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("mode", TURNING, ids=repr)
def test_the_motion_does_not_depend_on_the_spin_inertia_and_without_wheels_it_is_that_of_ideal_ones(
    mode: ManoeuvreMode,
) -> None:
    bare = two_joints(stiffness=2.0, damping=0.5)
    ideal = fly(compile_model(bare), mode, start(()))
    for size in (0.01, 3.0):
        wheels = [Wheel(f"w{k}", axis, size) for k, axis in enumerate(np.eye(3))]
        system = System(bare.name, bare.base, bare.bodies[1:], actuators=wheels)
        real = fly(compile_model(system), mode, start([0.0, 0.0, 0.0]))
        for name in ("q", "r_0", "attitude_xyzw", "h_wheels", "L_C"):
            assert_allclose(getattr(real, name), getattr(ideal, name), atol=1e-10, err_msg=name)
    assert abs(ideal.h_wheels).max() > 0.1


def test_the_momentum_of_wheels_is_what_the_torque_on_the_base_took_in_base_axes() -> None:
    """dh/dt = -n where both are in base axes; here n is constant in them, so that h = -n t."""
    model, n_B = compile_model(two_joints()), np.array([0.5, -0.3, 0.2])

    def law(t: float, state: State) -> Array:
        del t
        return np.concatenate([np.zeros(3), dcm_from_quaternion(state.attitude_xyzw) @ n_B, np.zeros(2)])

    history = fly(model, RotationFloating(), start(()), law)
    in_base = [dcm_from_quaternion(a).T @ h for a, h in zip(history.attitude_xyzw, history.h_wheels, strict=True)]
    assert_allclose(in_base, -np.outer(history.t, n_B), atol=1e-10)


def test_four_wheels_share_a_torque_with_the_least_sum_of_squares() -> None:
    system, state, n = carrier(), start(), np.array([1.0, -2.0, 0.5])
    turned = RotationFloating().generalized_force(model_of(0.0), state, np.concatenate([np.zeros(3), n, np.zeros(2)]))
    inertia = np.array([wheel.inertia_kg_m2 for wheel in system.wheels])
    torques = inertia * turned.actuator_rates
    assert_allclose(-dcm_from_quaternion(state.attitude_xyzw) @ (torques @ AXES), n, atol=1e-13)
    null = np.linalg.svd(AXES.T)[2][3]  # a change of torques that the base does not feel
    assert_allclose(AXES.T @ null, 0.0, atol=1e-14)
    assert torques @ null == pytest.approx(0.0, abs=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("mode", HELD, ids=repr)
def test_a_mode_without_wheels_of_its_own_holds_them_at_their_speeds_by_their_motors(mode: ManoeuvreMode) -> None:
    history = fly(model_of(0.004), mode, start())
    assert_allclose(history.states.wheel_rad_s, np.tile(start().wheel_rad_s, (9, 1)), rtol=1e-14)
    for residual in history.residuals.values():
        assert residual.relative < 3e-10, residual


def test_spinning_wheels_stiffen_the_base_against_a_torque() -> None:
    """A gyrostat: with h along x a torque about y turns it about z at once, as -omega x h says."""
    brick = no_joints([1.0, 1.0, 1.0])
    gyrostat = compile_model(System("gyrostat", brick.base, actuators=[Wheel("w", [1.0, 0, 0], 0.1)]))
    state = State([0, 0, 0], q=[], omega_0=[0, 0.3, 0], wheel_rad_s=[100.0])
    udot = gyrostat.forward_dynamics(state, [], [0, 0, 0, 0, 2.0, 0])
    assert_allclose(udot[3:], [0, 2.0, 3.0])  # omega_y h = 0.3 * 10 about z


def test_a_brick_is_turned_by_wheels_alone_and_ends_where_momentum_says() -> None:
    """From rest L_C = 0 = I omega + h about a fixed axis; there is no arm to measure residuals against."""
    model = compile_model(no_joints([2.0, 3.0, 4.0]))

    def law(t: float, state: State) -> Array:
        del state
        return np.array([0, 0, 0, 0, 0, 0.5 * np.cos(t)])

    history = fly(model, RotationFloating(), State([0, 0, 0], q=[]), law)
    assert_allclose(history.omega_0[:, 2], 0.125 * np.sin(history.t), atol=1e-12)
    assert_allclose(history.h_wheels[:, 2], -0.5 * np.sin(history.t), atol=1e-12)
    for residual in history.residuals.values():
        assert residual.relative < 1e-10, residual


@pytest.mark.parametrize("mode", TURNING, ids=repr)
@pytest.mark.parametrize("axes", [AXES[:1], AXES[:2], [[1, 0, 0], [0, 1, 0], [0.6, 0.8, 0]]], ids=["one", "two", "in a plane"])
def test_wheels_that_cannot_turn_the_base_about_every_axis_are_refused(mode: ManoeuvreMode, axes: Array) -> None:
    model = compile_model(carrier(axes=np.asarray(axes, dtype=float)))
    sentence = (
        r"mode 'rotation_floating' turns the base by \[\[wheel\]\] about every axis, and the axes of w0.* of system "
        "'two joints' "
        "lie in a plane; add one out of it, or leave them out for ideal wheels"
    )
    with pytest.raises(ModeMismatch, match=sentence):
        fly(model, mode, start(np.zeros(len(axes))))


@pytest.mark.parametrize("mode", [*HELD, *TURNING], ids=repr)
def test_a_state_without_wheel_speeds_is_refused_for_a_system_that_has_wheels(mode: ManoeuvreMode) -> None:
    with pytest.raises(InvalidInput, match="state0: expected 4 speeds wheel_rad_s, found 0"):
        fly(model_of(0.0), mode, start(()))


@pytest.mark.parametrize("mode", HELD, ids=repr)
def test_wheel_speeds_are_refused_for_a_system_that_has_no_wheels(mode: ManoeuvreMode) -> None:
    with pytest.raises(InvalidInput, match="state0: expected 0 speeds wheel_rad_s, found 4"):
        fly(compile_model(two_joints()), mode, start())


def test_ideal_wheels_do_not_hide_what_else_is_wrong_with_a_state() -> None:
    model = compile_model(two_joints())
    with pytest.raises(InvalidInput, match="state0: expected a floating base, found a fixed base"):
        fly(model, RotationFloating(), State(q=[0.1, 0.2]))
    with pytest.raises(InvalidInput, match="state0: expected one state, found a batch of 2"):
        fly(model, RotationFloating(), State.stack([start(()), start(())]))
    with pytest.raises(InvalidInput, match="expected 2 joint coordinates"):
        fly(model, RotationFloating(), State([0, 0, 0], q=[0.1]))


def test_ideal_wheels_may_spin_from_the_start() -> None:
    history = fly(compile_model(two_joints()), RotationFloating(), start([3.0, 0.0, 0.0]))
    assert_allclose(history.h_wheels[0], dcm_from_quaternion(start().attitude_xyzw) @ [3.0, 0.0, 0.0])
    assert history.residuals["angular_momentum"].relative < 1e-10


def test_standing_wheels_are_given_to_states_that_say_nothing_of_them_and_to_no_others() -> None:
    model = model_of(0.0)
    assert_allclose(start(()).of_layout(model.layout).wheel_rad_s, np.zeros(4))
    assert start().of_layout(model.layout).wheel_rad_s[0] == 40.0
    bare = compile_model(two_joints())
    assert start(()).of_layout(bare.layout).wheel_rad_s.shape == (0,)


def test_a_model_is_equipped_once_with_its_own_options() -> None:
    model, mode = compile_model(two_joints(), inertia=RunTimeInertia()), RotationFloating()
    equipped = mode.equipped(model)
    assert mode.equipped(model) is equipped
    assert mode.equipped(equipped) is equipped
    assert [wheel.name for wheel in equipped.system.wheels] == ["ideal x", "ideal y", "ideal z"]
    assert equipped.card() != ""
    assert isinstance(equipped.symbolic.derivation.inertia, RunTimeInertia)
    real = model_of(0.0)
    assert mode.equipped(real) is real
    assert TranslationFlying().equipped(model) is model
