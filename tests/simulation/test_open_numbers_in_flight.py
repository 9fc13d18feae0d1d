"""Runs of models whose numbers stay open are those of the same hardware with constants, and share their programs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Coupling, PointOnPoint
from scmanip.control import ComputedTorque, CoordinatedComputedTorque, JointRegulator
from scmanip.dynamics import RunTimeInertia, compile_model
from scmanip.guidance import Hold
from scmanip.loads import Gravity, Orbit
from scmanip.modes import FixedBase, Floating, Flying, RotationFloating
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.system import Frame, Motor, SpringDamper, State, System, Wheel
from tests.modes.clusters import box, tug
from tests.simulation.arms import moving_state, two_joints
from tests.simulation.machine_code import all_in_machine_code

SERIES = ("q", "qdot", "work", "dissipated", "tau", "kinetic_energy")


class InPython(JointRegulator):
    """The same law by another class, which is not recorded."""


def craft(**options):
    """Two joints with motors, wheels, a spring between two points and frames."""
    system = two_joints(stiffness=2.0, damping=0.3, **options)
    wheels = [] if system.fixed else [Wheel(f"w{k}", a, 0.1, 0.5, 300.0, damping_Nms_rad=1e-4) for k, a in enumerate(np.eye(3))]
    motors = [Motor("shoulder", 3.0, 2.0, 50.0, 1e-4, 0.1, 0.2), Motor("elbow", 4.0, rotor_inertia_kg_m2=1e-3)]
    frames = [Frame("eye", "base", [0.2, 0.3, 0.5]), Frame("tip", "fore", [0.8, 0.0, 0.1])]
    tie = SpringDamper("tie", ("eye", "tip"), 5.0, 0.5, 0.4)
    return System(
        system.name,
        system.base,
        system.bodies[1:],
        frames,
        fixed=system.fixed,
        gravity_m_s2=system.gravity_m_s2,
        springs=[tie],
        actuators=[*motors, *wheels],
    )


VALUES = {
    "body.fore.mass_kg": 5.5,
    "body.base.com_m": [0.05, 0.02, -0.03],
    "body.upper.inertia_kg_m2": [0.4, 0.9, 1.0, 0.02, -0.01, 0.03],
    "joint.elbow.origin_m": [0.8, 0.1, -0.1],
    "joint.shoulder.stiffness_Nm_rad": 3.0,
    "joint.elbow.damping_Nms_rad": 0.4,
    "frame.tip.origin_m[0]": 0.6,
    "spring_damper.tie.stiffness_N_m": 8.0,
    "spring_damper.tie.damping_Ns_m": 0.9,
    "motor.shoulder.torque_Nm": 2.5,
    "motor.shoulder.rotor_inertia_kg_m2": 2e-4,
    "motor.shoulder.coulomb_Nm": 0.25,
}
WHEELS = {
    "wheel.w0.inertia_kg_m2": 0.13,
    "wheel.w1.torque_Nm": 0.3,
    "wheel.w2.speed_rad_s": 200.0,
    "wheel.w0.damping_Nms_rad": 3e-4,
}
DRIVEN = {"K_P": 1.0, "K_D": 2.0, "base_K_P": 0.2, "base_K_D": 0.8}


def start_of(system):
    """It moves, its wheels run."""
    at = moving_state()
    if system.fixed:
        return State(q=at.q, qdot=at.qdot)
    running = [30.0, -20.0, 10.0][: len(system.wheels)]
    return State(at.r_0, at.attitude_xyzw, at.q, at.v_0, at.omega_0, at.qdot, wheel_rad_s=running)


def runs(system, values, mode, law, **options):
    """The run of the folded model of other hardware, that of a model with open numbers, and that of its own values."""
    model, flown = compile_model(system, symbols=list(values)), []
    before = loops(model)
    for each in (compile_model(system.with_numbers(values)), model.with_values(values), model):
        given = {"t_end_s": 1.0, "output_step_s": 0.1, "rtol": 1e-9, "reference": Hold([0.1, 0.2]), **options}
        flown.append(simulate(each, mode, law(each), start_of(system), **given))
    assert loops(model) <= before + 1
    return flown


def loops(model):
    """How many loops were compiled for models that share programs with this one."""
    return sum(key[0] == "closed loop" for key in model.family.kept if isinstance(key, tuple))


def check(folded, ours, own, atol=1e-11):
    assert folded.outcome == ours.outcome == "completed"
    for name in SERIES:
        one, other = getattr(ours, name), getattr(folded, name)
        assert_allclose(one, other, rtol=0, atol=atol * max(1.0, abs(other).max()), err_msg=name)
    assert abs(own.q[-1] - ours.q[-1]).max() > 1e-3
    assert folded.events == ours.events


@pytest.mark.slow
@pytest.mark.parametrize("mode", [Floating(), RotationFloating()], ids=lambda mode: mode.name)
def test_motors_wheels_and_springs_in_machine_code(mode):
    def law(model):
        return CoordinatedComputedTorque(model, mode, **DRIVEN) if mode.commands_base else ComputedTorque(model, K_P=2.0)

    with all_in_machine_code():
        check(*runs(craft(), VALUES | WHEELS, mode, law))


@pytest.mark.slow
def test_in_python_too():
    values = {path: value for path, value in (VALUES | WHEELS).items() if "Nm" not in path}
    check(*runs(craft(), values, Floating(), lambda model: InPython(model, K_P=2.0, K_D=1.0), t_end_s=0.3), atol=1e-9)


@pytest.mark.slow
def test_gravity_and_a_base_that_is_held():
    system = craft(fixed=True, gravity=(0.0, 0.0, -9.81))
    values = {**VALUES, "gravity_m_s2": [0.5, 0.0, -1.6]}
    del values["body.base.com_m"]
    with all_in_machine_code():
        check(*runs(system, values, FixedBase(), lambda model: ComputedTorque(model, K_P=2.0)))


@pytest.mark.slow
def test_gravity_of_an_orbit_on_a_base_without_wheels_of_its_own():
    system = craft()
    system = system.with_actuators([part for part in system.actuators if part.kind == "motor"])
    orbit = Orbit(7.6e6, 0.1, 0.2, 0.3, 0.4, 0.5)
    with all_in_machine_code():
        flown = runs(
            system,
            VALUES,
            RotationFloating(),
            lambda model: CoordinatedComputedTorque(model, RotationFloating(), **DRIVEN),
            environment=Gravity(orbit),
        )
    check(*flown, atol=1e-9)  # of the size of what its steps may err by


@pytest.mark.slow
def test_thrusters_that_sit_elsewhere():
    body = tug(box())
    values = {
        "body.base.com_m": [0.03, -0.02, 0.01],
        f"thruster.{body.thrusters[0].name}.force_N": 1.3 * body.thrusters[0].force_N,
        f"thruster.{body.thrusters[1].name}.position_m": body.thrusters[1].position_m + np.array([0.05, 0.0, -0.04]),
        f"thruster.{body.thrusters[2].name}.isp_s": 180.0,
    }
    folded, ours, own = runs(body, values, Flying(), lambda model: CoordinatedComputedTorque(model, Flying(), **DRIVEN))
    for name in ("q", "v_0", "propellant_kg", "thrust_N"):
        one, other = getattr(ours, name), getattr(folded, name)
        assert_allclose(one, other, rtol=0, atol=1e-9 * max(1.0, abs(other).max()), err_msg=name)
    assert abs(own.propellant_kg[-1] - ours.propellant_kg[-1]) > 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("named", [("gear",), ("hold",)])
def test_constraints(named):
    system = craft()
    gear = Coupling("gear", "elbow", "shoulder", ratio=-1.5, offset=0.1, tolerance=10.0)
    hold = PointOnPoint("hold", ("eye", "tip"), tolerance_m=10.0)
    system = System(
        system.name,
        system.base,
        system.bodies[1:],
        system.frames,
        springs=system.springs,
        actuators=system.actuators,
        constraints=[gear, hold],
    )
    values = {**VALUES, "constraint.gear.ratio": -1.3, "constraint.gear.offset": 0.05}
    model = compile_model(system, symbols=list(values))
    fresh, ours = compile_model(system.with_numbers(values)), model.with_values(values)
    start, tau = start_of(system), np.array([0.3, -0.2])
    for each in (fresh, ours):
        state = each.constrained(*named).imposed(start).state
        udot = each.constrained(*named).forward_dynamics(state, tau)
        if each is fresh:
            expected = state.x, udot
    assert_allclose(state.x, expected[0], rtol=0, atol=1e-12 * abs(expected[0]).max())
    assert_allclose(udot, expected[1], rtol=0, atol=1e-10 * abs(expected[1]).max())
    flown = []
    for each in (fresh, ours):
        plant = Plant(each, Floating(), constraints=named)
        law, start = JointRegulator(each, K_P=2.0, K_D=1.0), each.constrained(*named).imposed(start_of(system)).state
        flown.append(simulate(plant, law, start, reference=Hold([0.1, 0.2]), t_end_s=0.5, output_step_s=0.1, rtol=1e-9))
    for name in ("q", "qdot", "work", "constraint_force", "interface_wrench"):
        one, other = (getattr(run, name) for run in flown)
        assert_allclose(one, other, rtol=0, atol=1e-8 * max(1.0, abs(one).max()), err_msg=name)


@pytest.mark.slow
def test_a_table_of_inertias_moves_the_point_about_which_thrusters_push():
    system, mode = tug(box()), Flying()
    other = system.with_numbers({"body.base.com_m": [0.03, -0.02, 0.01], "body.base.mass_kg": 44.0})
    model, flown = compile_model(system, inertia=RunTimeInertia()), []
    for each in (model, model.with_inertia_of(other), compile_model(other)):
        law = CoordinatedComputedTorque(each, mode, **DRIVEN)
        options = {"t_end_s": 1.0, "output_step_s": 0.1, "rtol": 1e-9, "reference": Hold([0.1, 0.2])}
        flown.append(simulate(each, mode, law, start_of(system), **options))
    for name in ("q", "omega_0", "v_0", "propellant_kg"):
        ours, theirs = getattr(flown[1], name), getattr(flown[2], name)
        assert_allclose(ours, theirs, rtol=0, atol=1e-9 * max(1.0, abs(theirs).max()), err_msg=name)
