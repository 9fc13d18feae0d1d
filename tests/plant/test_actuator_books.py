"""Rates of the books of a run, worked out by hand from one state and one set of forces."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from scmanip.dynamics import compile_model
from scmanip.modes import Floating, GeneralizedForce, Situation, turner_motors
from scmanip.plant import ActuatorBooks, Plant
from scmanip.simulation import simulate
from scmanip.simulation.equations._limited import has_limits, unmet
from scmanip.system import Body, Frame, Joint, Motor, SpringDamper, State, System, Wheel

WHEELS = {"x": ([1.0, 0, 0], 0.1, 2e-3), "skew": ([0, 0.6, 0.8], 0.2, 3e-3)}
ATTITUDE = Rotation.from_rotvec([0.4, -0.2, 0.9])
V_0, OMEGA_0, QDOT, SPINS = (
    np.array([0.1, -0.2, 0.3]),
    np.array([0.2, 0.1, -0.3]),
    np.array([0.7, -0.4]),
    np.array([30.0, -50.0]),
)


def craft(**limits):
    """Two links, friction in joints and a motor, a damped spring along the arm, two wheels."""
    joints = [Joint("a", "revolute", [0, 0, 1.0], damping=0.3), Joint("b", "prismatic", [1.0, 0, 0], damping=0.5)]
    bodies = [
        Body("upper", 3.0, np.ones(3), [0.5, 0, 0], "base", joints[0]),
        Body("fore", 2.0, np.ones(3), [0.2, 0.1, 0], "upper", joints[1]),
    ]
    wheels = [Wheel(name, axis, spin, damping_Nms_rad=rub, **limits) for name, (axis, spin, rub) in WHEELS.items()]
    frames, ties = [Frame("eye", "upper", [0, 0.5, 0])], [SpringDamper("tie", ("eye", "fore"), 4.0, 6.0, 0.1)]
    motors = [Motor("a", coulomb_Nm=0.2, coulomb_width_rad_s=0.05)]
    base = Body("base", 20.0, [3.0, 4.0, 5.0], [0.1, 0.2, 0.3])
    return compile_model(System("craft", base, bodies, frames, actuators=[*motors, *wheels], springs=ties))


def state():
    return State([0, 1, 2], ATTITUDE.as_quat(), [0.3, 0.8], V_0, OMEGA_0, QDOT, wheel_rad_s=SPINS)


PUSH, TORQUE = np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.2, -0.6])
TAU, WHEEL_RATES, UDOT = np.array([1.5, -2.5]), np.array([0.8, -1.1]), np.arange(8) / 10.0


@pytest.fixture(scope="module")
def model():
    return craft()


def rates(model, *, pushed=True, burns=True, **changes):
    both = np.concatenate([PUSH, TORQUE])
    given = {"wrench": both + 9.0, "actuator_rates": WHEEL_RATES, "pushed": both, "propellant_kg_s": 0.07} | changes
    books, now = ActuatorBooks(pushed=pushed, burns=burns), Situation.of(model, state())
    spin_up = np.zeros(2) if given["actuator_rates"] is None else given["actuator_rates"]
    return books.rates(now, GeneralizedForce(TAU, **given), turner_motors(model.system, now, spin_up, UDOT[3:6]).powers)


def wheel_power():
    """Motors turn their wheels in inertial space and rub in their bearings."""
    turning = ATTITUDE.inv().apply(UDOT[3:6])
    rows = zip(WHEELS.values(), WHEEL_RATES, SPINS, strict=True)
    return sum((spin * (rate + np.dot(axis, turning)) + rub * speed) * speed for (axis, spin, rub), rate, speed in rows)


def test_power_is_that_of_joints_wheels_and_of_what_pushes_from_outside(model):
    joints, outside = 1.5 * 0.7 + 2.5 * 0.4, PUSH @ V_0 + TORQUE @ OMEGA_0
    assert rates(model)[0] == pytest.approx(joints + outside + wheel_power(), rel=1e-13)
    inside = rates(model, pushed=False, burns=False, actuator_rates=None, wrench=None)
    held = WHEEL_RATES @ (SPINS * [spin for _, spin, _ in WHEELS.values()])
    assert inside[0] == pytest.approx(joints + wheel_power() - held, rel=1e-13)
    assert inside.shape == (2,)


def test_joints_motors_bearings_and_dampers_take_what_their_rates_say(model):
    eye, fore = (model.position(state(), name) for name in ("eye", "fore"))
    h = 1e-6
    moved = State([0, 1, 2], ATTITUDE.as_quat(), [0.3 + h * 0.7, 0.8 - h * 0.4], wheel_rad_s=SPINS)
    along = [np.linalg.norm(model.position(s, "eye") - model.position(s, "fore")) for s in (state(), moved)]
    assert along[0] == pytest.approx(np.linalg.norm(eye - fore))
    joints = 0.3 * 0.7**2 + 0.2 * np.tanh(0.7 / 0.05) * 0.7 + 0.5 * 0.4**2
    bearings = 2e-3 * 30.0**2 + 3e-3 * 50.0**2
    tie = 6.0 * ((along[1] - along[0]) / h) ** 2
    assert rates(model)[1] == pytest.approx(joints + bearings + tie, rel=1e-5)


def test_impulse_is_taken_about_the_system_s_centre_of_mass_and_propellant_as_it_burns(model):
    bodies = {body.name: body.mass_kg for body in model.system.bodies}
    places = {name: model.position(state(), f"{name}.com") for name in bodies}
    centre = sum(bodies[name] * places[name] for name in bodies) / sum(bodies.values())
    moment = TORQUE + np.cross(places["base"] - centre, PUSH)
    assert_allclose(rates(model)[2:], [*PUSH, *moment, 0.07], rtol=1e-12)
    assert_allclose(rates(model, actuator_rates=None, wrench=None, propellant_kg_s=0.0)[2:], np.zeros(7))
    assert rates(model, burns=False).shape == (8,)


@pytest.mark.parametrize("limit", [{"speed_rad_s": 60.0}, {"momentum_Nms": 12.0}, {"torque_Nm": 1.0}, {}], ids=str)
def test_any_limit_of_a_wheel_is_one_to_be_told_of(limit):
    assert has_limits(Plant(craft(**limit), Floating())) is bool(limit)


def test_what_is_not_given_of_joints_and_base_adds_up(model):
    system = System("two", model.system.base, model.system.bodies[1:], actuators=[Motor("a", 1.0)])
    now = Situation.of(compile_model(system), State([0, 0, 0], q=[0, 0]))
    given = GeneralizedForce(np.array([1.0, -2.5]), np.zeros(6))
    asked = np.array([9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 1.5, -2.5])
    assert unmet(now, asked, given, np.zeros(0)) == pytest.approx(0.5)
    assert unmet(now, asked, given._replace(missing=np.array([0, -1.0, 0, 0, 2.0, 0])), np.zeros(0)) == pytest.approx(3.5)
    assert unmet(now, given.tau, given, np.zeros(0)) == 0.0


def test_a_wheel_beyond_a_limit_adds_by_what_part_of_it():
    whole = craft(speed_rad_s=40.0, torque_Nm=2.0)
    found = unmet(Situation.of(whole, state()), TAU, GeneralizedForce(TAU, None), np.array([-2.5, 1.0]))
    assert found == pytest.approx(1.25 - 1 + 50.0 / 40.0 - 1, rel=1e-6)


def test_momentum_of_the_base_is_its_mass_s_and_inertia_s_and_the_rest_is_the_arm_s(model):
    history = simulate(model, Floating(), lambda t, now: TAU, state(), t_end_s=0.2, output_step_s=0.1)
    for k, now in enumerate(history.states[i] for i in range(len(history.t))):
        R, bodies = Rotation.from_quat(now.attitude_xyzw).as_matrix(), model.system.bodies
        centre = sum(body.mass_kg * model.position(now, f"{body.name}.com") for body in bodies) / model.system.mass_kg
        P = 20.0 * now.v_0
        L = R @ np.diag([3.0, 4.0, 5.0]) @ R.T @ now.omega_0 + np.cross(now.r_0 - centre, P)
        wheels = [(R @ axis, spin, speed) for (axis, spin, _), speed in zip(WHEELS.values(), now.wheel_rad_s, strict=True)]
        h = sum(spin * speed * axis for axis, spin, speed in wheels)
        whole = model.momentum(now)
        assert_allclose(history.P_base[k], P, atol=1e-12)
        assert_allclose(history.P_arm[k], whole.P - P, atol=1e-12)
        assert_allclose(history.L_base[k], L, atol=1e-12)
        assert_allclose(history.h_wheels[k], h, atol=1e-12)
        assert_allclose(history.L_arm[k], whole.L_C - L - h, atol=1e-12)
        assert_allclose(history.r_C[k], centre, atol=1e-12)
        alone = [spin * speed * (speed / 2 + axis @ now.omega_0) for axis, spin, speed in wheels]
        assert_allclose(history.kinetic_energy_by_wheel[k], alone, rtol=1e-12)
