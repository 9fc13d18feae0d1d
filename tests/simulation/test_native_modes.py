"""Runs in machine code in every mode, with every actuator that is a formula, are the runs step by step in Python."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, CoordinatedComputedTorque, Sampled
from scmanip.dynamics import Model, RunTimeInertia, compile_model
from scmanip.guidance import Hold, ReferenceMotion
from scmanip.loads import Gravity, Load, Orbit
from scmanip.modes import FixedBase, Floating, Flying, ManoeuvreMode
from scmanip.simulation import RK4, FixedDOP853, FullState, History, simulate
from scmanip.simulation.loop._native import NativeLoop
from scmanip.system import Motor, State, System, Wheel
from tests.modes.flights import ALL_MODES, K_D, K_P, MODES, PLANTS, POSE, errand, plant, push
from tests.simulation.arms import moving_state, two_joints
from tests.simulation.machine_code import all_in_machine_code

SERIES = ("q", "qdot", "r_0", "attitude_xyzw", "v_0", "omega_0", "work", "dissipated", "impulse", "tau", "wrench", "L_C")
SERIES += ("h_wheels", "wheel_torque", "missing_wrench")
CIRCLE = Gravity(Orbit.circular(altitude_m=500e3, inclination_rad=0.7, argument_of_latitude_rad=1.0))
ELLIPSE = Gravity(Orbit.elliptic(semi_major_axis_m=9e6, eccentricity=0.2, true_anomaly_rad=2.0))
AXES = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.6, 0, 0.8]])


class InPython(CoordinatedComputedTorque):
    """The same law by another class, which is not recorded."""


class PrintedInPython(ComputedTorque):
    """The same law by another class, which is not recorded."""


def wheels(**limits: float) -> list[Wheel]:
    """Four wheels of different size."""
    return [Wheel(f"w{k}", axis, 0.02 * (k + 1), damping_Nms_rad=1e-3, **limits) for k, axis in enumerate(AXES)]


def motors(system: System, **limits: float) -> list[Motor]:
    """A motor at every hinge."""
    hinges = [joint.name for joint in system.joints if str(joint.type) == "revolute"]
    friction = {"damping_Nms_rad": 0.3, "coulomb_Nm": 0.2, "coulomb_width_rad_s": 0.05}
    return [Motor(name, **limits, gear_ratio=20.0 - k, rotor_inertia_kg_m2=1e-3, **friction) for k, name in enumerate(hinges)]


def fitted(name: str, *, wheel_limits=None, motor_limits=None) -> tuple[Model, State]:
    """A plant with wheels that spin and motors, as far as they are asked for."""
    model, state = plant(name)
    system = model.system
    gears = [] if motor_limits is None else motors(system, **motor_limits)
    turning = [] if wheel_limits is None else wheels(**wheel_limits)
    parts = {"springs": system.springs, "actuators": [*gears, *turning]}
    whole = System(system.name, system.base, system.bodies[1:], system.frames, **parts)
    spin = [5.0, -3.0, 2.0, 1.0] if turning else []
    speeds = (state.v_0, state.omega_0, state.qdot)
    return compile_model(whole), State(state.r_0, state.attitude_xyzw, state.q, *speeds, wheel_rad_s=spin)


def both(
    model: Model, state: State, mode: ManoeuvreMode, *, environment: Load | None = None, **options: float
) -> tuple[History, History]:
    """The run in machine code, all of it, and the run in Python."""
    runs = []
    with all_in_machine_code():
        for kind in (CoordinatedComputedTorque, InPython):
            law = kind(model, mode, K_P=K_P, K_D=K_D, pose=POSE)
            runs.append(follow(model, mode, law, state, wanted(model, state), environment, **{"t_end_s": 2.0, **options}))
    return runs[0], runs[1]


def wanted(model: Model, state: State) -> ReferenceMotion:
    """A motion of all joints, or a goal where there are spherical ones, whose motion on the way is not recorded."""
    motion = errand(model, state)
    return Hold(motion.at(10.0).q, layout=model.layout) if model.layout.quaternions else motion


def follow(model, mode, law, state, reference: ReferenceMotion, environment, **options) -> History:
    options = {"rtol": 1e-9, "output_step_s": 0.25, "environment": environment, "coordinates": FullState(), **options}
    return simulate(model, mode, law, state, reference=reference, **options)


def check_equal(runs: tuple[History, History], tolerance: float = 1e-10) -> None:
    """Everything in both histories agrees, and both obey every law."""
    fast, slow = runs
    assert (fast.outcome, fast.steps) == (slow.outcome, slow.steps) == ("completed", slow.steps)
    for name in SERIES:
        one, other = getattr(fast, name), getattr(slow, name)
        assert_allclose(one, other, rtol=0, atol=tolerance * max(1.0, np.abs(other).max(initial=0.0)), err_msg=name)
    assert fast.events == slow.events
    if slow.external is not None:
        for name in ("impulse", "angular_impulse", "displacement", "work"):
            one, other = getattr(fast.external, name), getattr(slow.external, name)
            assert_allclose(one, other, rtol=0, atol=tolerance * max(1e-4, np.abs(other).max()), err_msg=name)


@pytest.mark.battery(0, each=1)
@ALL_MODES
@pytest.mark.parametrize("name", PLANTS)
def test_every_mode_on_trees_with_ideal_actuators(name: str, mode: ManoeuvreMode) -> None:
    model, state = plant(name)
    check_equal(both(model, state, mode))


LIMITS = {
    "free": ({}, {}),
    "speed and rate": ({"speed_rad_s": 5.2, "momentum_Nms": 0.12}, {"torque_Nm": 3.0, "rate_rad_s": 0.4}),
    "torque": ({"torque_Nm": 0.15}, {"torque_Nm": 0.6}),
}


@pytest.mark.battery(0, each=1)
@ALL_MODES
@pytest.mark.parametrize("limits", LIMITS)
def test_wheels_and_motors_give_what_their_limits_leave_and_the_run_says_the_same_of_it(
    mode: ManoeuvreMode, limits: str
) -> None:
    wheel_limits, motor_limits = LIMITS[limits]
    model, state = fitted("hinges and a slide", wheel_limits=wheel_limits, motor_limits=motor_limits)
    runs = both(model, state, mode, integrator=FixedDOP853(0.02), output_step_s=0.04)
    check_equal(runs)  # by steps of one length: at the kinks of a limit, controlled ones follow rounding
    assert runs[0].dissipated[-1] > 0
    if limits != "free":
        wheeled = mode in (MODES["rotation floating"], MODES["translation flying with wheels"])
        assert any("the motor of joint" in event for event in runs[0].events)
        assert any("wheel 'w" in event for event in runs[0].events) is wheeled


@pytest.mark.battery(0, judged=2)
@ALL_MODES
def test_steps_of_the_classical_method_are_the_same(mode: ManoeuvreMode) -> None:
    model, state = fitted("three hinges", wheel_limits={"torque_Nm": 0.15}, motor_limits={"torque_Nm": 0.6})
    runs = both(model, state, mode, environment=CIRCLE, integrator=RK4(0.01), output_step_s=0.033)
    check_equal(runs)


@pytest.mark.battery(0, each=1)
@ALL_MODES
@pytest.mark.parametrize("environment", [CIRCLE, ELLIPSE], ids=["circle", "ellipse"])
def test_gravity_acts_alike_and_keeps_the_same_books(mode: ManoeuvreMode, environment: Load) -> None:
    model, state = fitted("three hinges", wheel_limits={})
    runs = both(model, state, mode, environment=environment)
    check_equal(runs)
    later = both(model, state, mode, environment=environment.later(700.0), t_end_s=0.5)
    check_equal(later)
    assert not np.array_equal(runs[0].external.impulse[1], later[0].external.impulse[1])


@pytest.mark.slow
@ALL_MODES
def test_contracts_hold_to_rounding_at_the_finest_tolerance(mode: ManoeuvreMode) -> None:
    model, state = fitted("three hinges", wheel_limits={}, motor_limits={})
    law = CoordinatedComputedTorque(model, mode, K_P=K_P, K_D=K_D, pose=POSE)
    history = follow(model, mode, law, state, errand(model, state), None, t_end_s=3.0, rtol=1e-12)
    assert history.outcome == "completed" and history.demand is None
    for name, residual in history.residuals.items():
        assert residual.relative < 1e-10, name


@pytest.mark.slow
@ALL_MODES
def test_a_sampled_law_holds_commands_of_base_and_joints(mode: ManoeuvreMode) -> None:
    """The plant runs in machine code whatever the law; joint forces alone leave the base undriven."""
    model, state = fitted("three hinges", wheel_limits={"speed_rad_s": 5.2}, motor_limits={"torque_Nm": 0.4})
    N, calls = model.layout.N, []

    def law(t: float, state: State) -> np.ndarray:
        command = push(mode, N)(t, state)
        calls.append(t)
        return command[-N:] if len(calls) % 2 else command

    runs = []
    for native in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            if not native:
                patch.setattr(NativeLoop, "carries", staticmethod(lambda setup: False))
            calls.clear()
            options = {"t_end_s": 1.0, "rtol": 1e-9, "output_step_s": 0.1, "environment": CIRCLE}
            runs.append(simulate(model, mode, Sampled(law, rate_Hz=20.0), state, **options))
    fast, slow = runs
    for name in SERIES:
        one, other = getattr(fast, name), getattr(slow, name)
        assert_allclose(one, other, rtol=0, atol=1e-9 * max(1.0, np.abs(other).max(initial=0.0)), err_msg=name)
    assert fast.events == slow.events
    assert fast.events


@pytest.mark.slow
def test_motors_on_a_held_base() -> None:
    system = two_joints(fixed=True, gravity=(0.5, 0.0, -3.0))
    geared = motors(system, torque_Nm=2.0, rate_rad_s=0.9)
    parts = {"fixed": True, "gravity_m_s2": system.gravity_m_s2, "actuators": geared}
    model = compile_model(System(system.name, system.base, system.bodies[1:], **parts))
    reference, start = Hold([0.1, 0.2]), State(q=[0.4, -0.7], qdot=[0.3, -0.4])
    runs = [
        simulate(
            model, FixedBase(), law, start, reference=reference, t_end_s=2.0, output_step_s=0.05, integrator=FixedDOP853(0.02)
        )
        for law in (ComputedTorque(model, K_P=9.0), PrintedInPython(model, K_P=9.0))
    ]
    check_equal((runs[0], runs[1]))
    assert any("the motor of joint" in event for event in runs[0].events)


@pytest.mark.slow
def test_gravity_with_inertias_at_run_time_is_that_of_each_system() -> None:
    plants = [compile_model(two_joints(), inertia=RunTimeInertia())]
    plants.append(plants[0].with_inertia_of(two_joints(mass_2=9.0)))
    runs = []
    for model in plants:
        laws = [kind(plants[0], Flying(), pose=POSE) for kind in (CoordinatedComputedTorque, InPython)]
        pair = [follow(model, Flying(), law, moving_state(), Hold([0.1, 0.2]), CIRCLE, t_end_s=1.0) for law in laws]
        check_equal((pair[0], pair[1]))
        runs.append(pair[0])
    kept = sum(key[0] == "closed loop" for key in plants[0].family.kept if isinstance(key, tuple))
    assert kept == 2  # of both systems: one with the law, one that asks it in Python
    assert abs(runs[0].q[-1] - runs[1].q[-1]).max() > 1e-3


@pytest.mark.slow
def test_limits_of_one_system_are_not_those_of_another_of_its_family() -> None:
    system = two_joints()
    strong, weak = (
        System(system.name, system.base, system.bodies[1:], actuators=[Motor("shoulder", torque)]) for torque in (50.0, 0.1)
    )
    model = compile_model(strong, inertia=RunTimeInertia())
    ends = []
    for plant_ in (model, model.with_inertia_of(weak)):
        law = ComputedTorque(plant_, K_P=4.0, K_D=4.0)
        run = simulate(plant_, Floating(), law, moving_state(), reference=Hold([0.1, 0.2]), t_end_s=1.0, output_step_s=0.1)
        ends.append(np.abs(run.tau[:, 0]).max())
    assert ends[0] > 0.2
    assert ends[1] == 0.1
