"""Impacts and rigid contacts between frames of a model."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Lock, Weld
from scmanip.dynamics import Reference, compile_model
from scmanip.errors import InvalidInput, NumericalFailure, UnknownName
from scmanip.impacts import Answers, ContactMode, Energetic, ImpactOutcome, Newton, Poisson, Touch
from scmanip.spatial import dcm_from_quaternion, quaternion_rate
from scmanip.system import Body, Frame, State, System, Wheel

from ..constraints.held_systems import with_parts
from ..impacts.rows import GRAVITY
from .arms import two_links

ATTITUDE = np.array([0.1, -0.2, 0.3, 0.9]) / np.linalg.norm([0.1, -0.2, 0.3, 0.9])
MOVING = State([0, 0, 0], ATTITUDE, [0.4, -0.7], [0.1, 0.2, -0.1], [0.1, -0.2, 0.3], [0.4, -0.6])
NORMAL = np.array([0.6, 0, -0.8])


def reference(system):
    return compile_model(system, implementation=Reference())


def approaching(model, frame, normal, state=MOVING):
    """The state with all speeds in the sense in which a frame comes near a surface at rest."""
    sign = -np.sign(normal @ jacobian(model, state, frame)[:3] @ state.u)
    return State(state.r_0, state.attitude_xyzw, state.q, sign * state.v_0, sign * state.omega_0, sign * state.qdot)


def jacobian(model, state, frame):
    return np.hstack([model.J0(state, frame), model.Jm(state, frame)])


@pytest.mark.parametrize("law", [Newton(0.5), Poisson(0.5), Energetic(0.5)])
@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize("beside", [None, [0.1, -0.3, 0.2]])
def test_what_strikes_the_ground_gives_its_momentum_there(law, friction, beside):
    model = reference(two_links())
    state = approaching(model, "tip", NORMAL)
    place = model.position(state, "tip") + (np.zeros(3) if beside is None else beside)
    touch = Touch("blow", ("ground", "tip"), NORMAL, None if beside is None else place)
    jump = model.impact(state, [touch], law, friction)
    impulse, before, after = jump.impulses["blow"], model.momentum(state), model.momentum(jump.state)
    arm = place - (state.r_0 + model.r_0C(state))
    assert jump.outcome is ImpactOutcome.JUMP
    assert_allclose(after.P - before.P, impulse, atol=1e-12)
    assert_allclose(after.L_C - before.L_C, np.cross(arm, impulse), atol=1e-12)
    assert_allclose(model.kinetic_energy(state) - model.kinetic_energy(jump.state), jump.energy_lost, atol=1e-12)
    v = jacobian(model, state, "tip")[:3]
    if not friction and beside is None:
        assert_allclose(NORMAL @ v @ jump.state.u, -0.5 * NORMAL @ v @ state.u, rtol=1e-10)
    assert np.linalg.norm(impulse - NORMAL * (NORMAL @ impulse)) <= friction * (NORMAL @ impulse) * (1 + 1e-9) + 1e-14


def test_bodies_of_one_system_strike_each_other_where_they_touch_and_keep_momenta():
    system = with_parts(two_links(), frames=[*two_links().frames, Frame("corner", "base", [0.1, 0.4, 0.2])])
    model, place = reference(system), np.array([0.3, 0.1, 0.2])
    jumps = [
        model.impact(MOVING, [Touch("blow", ("corner", "tip"), way * NORMAL, place)], Energetic(0.6), 0.3) for way in (1, -1)
    ]
    assert {jump.outcome for jump in jumps} == {ImpactOutcome.JUMP, ImpactOutcome.APART}
    for jump in jumps:
        for name in ("P", "L_C"):
            assert_allclose(getattr(model.momentum(jump.state), name), getattr(model.momentum(MOVING), name), atol=1e-12)
        assert jump.energy_lost >= 0


def test_a_lock_takes_its_part_of_a_blow_and_a_weld_makes_two_bodies_one():
    system = with_parts(two_links(), constraints=[Lock("brake", "elbow"), Weld("grip", ("base", "tip"))])
    model = reference(system)
    braked = model.constrained("brake")
    state = braked.imposed(approaching(model, "tip", NORMAL)).state
    jump = braked.impact(state, [Touch("blow", ("ground", "tip"), NORMAL)], Newton(1.0))
    assert_allclose(jump.state.qdot[1], 0, atol=1e-13)
    assert_allclose(jump.energy_lost, 0, atol=1e-12)
    free = model.impact(state, [Touch("blow", ("ground", "tip"), NORMAL)], Newton(1.0))
    assert abs(free.state.qdot[1]) > 1e-3
    gripped = model.constrained("grip").impact(MOVING, [], Newton(0.0))
    assert_allclose(gripped.state.u, model.constrained("grip").imposed(MOVING).state.u, atol=1e-13)
    assert gripped.outcome is ImpactOutcome.APART
    assert_allclose(gripped.energy_lost, model.constrained("grip").imposed(MOVING).energy_lost, rtol=1e-12)
    assert_allclose(gripped.impulses["grip"], model.constrained("grip").imposed(MOVING).impulses["grip"], atol=1e-12)


def test_wheels_turn_on_when_the_base_is_struck():
    wheel, arm = Wheel("a", [0, 0, 1], 2.0), 0.5
    system = System("box", Body("base", 50.0, [10, 12, 15]), frames=[Frame("corner", "base", [arm, 0, 0])], actuators=[wheel])
    model = reference(system)
    state = State([0, 0, 0], [0, 0, 0, 1], [], [0, -1.0, 0], [0, 0, 0], [], wheel_rad_s=[30])
    jump = model.impact(state, [Touch("blow", ("ground", "corner"), [0, 1, 0])], Newton(1.0))
    J = jump.impulses["blow"][1]
    assert_allclose(J, 2 / (1 / 50 + arm**2 / (15 - 2)), rtol=1e-12)
    assert_allclose(jump.state.omega_0, [0, 0, J * arm / 13], atol=1e-12)
    assert_allclose(jump.state.wheel_rad_s - 30, -J * arm / 13, rtol=1e-12)
    assert_allclose(jump.energy_lost, 0, atol=1e-12)


def rod():
    """Painleve's rod: 1 kg, half length 1 m, turning about z, that stands with one end on the floor y = 0."""
    return System("rod", Body("base", 1.0, [1e-3, 1 / 3, 1 / 3]), frames=[Frame("foot", "base", [-1, 0, 0])], constraints=[])


def standing(turn, slip):
    th = np.arctan(2.0)
    s, c = np.sin(th), np.cos(th)
    attitude = [0, 0, np.sin(th / 2), np.cos(th / 2)]
    return State([c, s, 0], attitude, [], [slip - s * turn, c * turn, 0], [0, 0, turn], [])


@pytest.mark.parametrize(("mu", "turn", "slip", "answers"), [
    (1.30, 0.0, -1.0, Answers.ONE), (1.34, 0.0, -1.0, Answers.NONE), (1.34, 5.0, -1.0, Answers.SEVERAL),
    (1.34, 0.0, 1.0, Answers.ONE),
])  # fmt: skip
def test_painleves_rod_as_a_system(mu, turn, slip, answers):
    model, weight = reference(rod()).constrained(), [0, -GRAVITY, 0, 0, 0, 0]
    floor = [Touch("floor", ("ground", "foot"), [0, 1, 0])]
    found = model.contact_forces(standing(turn, slip), floor, [], weight, friction=mu)
    assert found.answers is answers
    if answers is not Answers.ONE:
        with pytest.raises(NumericalFailure):
            found.motion  # noqa: B018
        return
    f_n = (GRAVITY - 0.0) / (1 + 3 * 0.2 + np.sign(slip) * 3 * mu * 0.4)  # cos^2 = 1/5, sin cos = 2/5
    assert_allclose(found.motion.forces["floor"], [-np.sign(slip) * mu * f_n, f_n, 0], atol=1e-9 * f_n)
    assert found.motion.modes == {"floor": ContactMode.SLIDES}


def test_contact_forces_as_wrenches_give_the_motion_on_which_the_place_keeps_to_the_surface():
    """The wrist presses on the base's own face; the base is free and everything turns."""
    system = with_parts(two_links(), frames=[*two_links().frames, Frame("face", "base", [0.1, 0.4, 0.2])],
                        constraints=[Lock("brake", "shoulder")])  # fmt: skip
    model = reference(system)
    braked = model.constrained("brake")
    normal = -_unit(jacobian(model, MOVING, "tip")[:3, 7])  # the elbow presses the tip against it
    touch = Touch("press", ("face", "tip"), normal)
    state = braked.impact(MOVING, [touch], Newton(0.0)).state  # neither comes nearer nor leaves
    state = State(state.r_0, state.attitude_xyzw, state.q, state.v_0, state.omega_0, [0.0, 0.0])
    motion = braked.contact_forces(state, [touch], [0.0, 3.0], friction=0.2).motion
    force = np.append(motion.forces["press"], np.zeros(3))
    place = model.position(state, "tip")
    arm = model.position(state, "face") - place
    back = np.append(-force[:3], np.cross(place - (place + arm), -force[:3]))
    tau = np.array([motion.forces["brake"][0], 3.0])
    assert_allclose(model.forward_dynamics(state, tau, None, [("tip", force), ("face", back)]), motion.udot, atol=1e-12)
    assert motion.forces["press"] @ normal > 1
    assert_allclose(gap_acceleration(model, state, motion.udot, touch), 0, atol=1e-7)


def gap_acceleration(model, state, udot, touch):
    """How the speed at which a place leaves a surface changes, by central differences along the motion."""
    a, b = touch.frames
    fixed = dcm_from_quaternion(state.attitude_xyzw).T @ touch.normal  # in the base

    def speed(h):
        x = np.array(state.x)
        turning = quaternion_rate(state.attitude_xyzw, state.omega_0)
        x = x + h * np.concatenate([state.v_0, turning, state.qdot, udot])
        x[3:7] /= np.linalg.norm(x[3:7])
        now = State.unpack(x, model.layout)
        J = jacobian(model, now, b)[:3] - jacobian(model, now, a)[:3]
        way = model.position(now, b) - model.position(now, a)
        v = J @ now.u - np.cross(now.omega_0, way)
        return (dcm_from_quaternion(now.attitude_xyzw) @ fixed) @ v

    return (speed(1e-5) - speed(-1e-5)) / 2e-5


def _unit(v):
    return v / np.linalg.norm(v)


def test_what_cannot_touch_is_refused_by_name():
    model = reference(two_links())
    with pytest.raises(UnknownName, match="nose"):
        model.impact(MOVING, [Touch("blow", ("ground", "nose"), NORMAL)], Newton(0.5))
    with pytest.raises(InvalidInput, match="'blow': expected frames of bodies that can move"):
        model.impact(MOVING, [Touch("blow", ("lower", "tip"), NORMAL)], Newton(0.5))
    with pytest.raises(InvalidInput, match="every name once"):
        model.impact(MOVING, [Touch("blow", ("ground", "tip"), NORMAL)] * 2, Newton(0.5))
    with pytest.raises(InvalidInput, match="a unit vector"):
        Touch("blow", ("ground", "tip"), [1, 1, 0])
    with pytest.raises(InvalidInput, match="names of two frames"):
        Touch("blow", ("tip", "tip"), NORMAL)
    with pytest.raises(InvalidInput, match="law: expected"):
        model.impact(MOVING, [Touch("blow", ("ground", "tip"), NORMAL)], 0.5)
