"""What is released may be pushed off: momentum is kept, the velocity is as asked, and the energy is in the books."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Lock, Weld
from scmanip.control import JointRegulator
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, InvalidState
from scmanip.guidance import Hold
from scmanip.modes import Floating
from scmanip.simulation import Switch, simulate
from scmanip.spatial import cross, dcm_from_quaternion
from scmanip.system import Body, Frame, Joint, State, System, Wheel, load_system

ARM = load_system("model:planar_four_link")
TIP = ARM.bodies[-1].name
PUSH = np.array([0.05, -0.01, 0.02])


@pytest.fixture(scope="module")
def model():
    target = Body("target", 30.0, [3.0, 4.0, 5.0], [0.2, -0.1, 0.3], "ground", Joint("target", "free"))
    wheel = Wheel("wheel", axis=[0, 0, 1], inertia_kg_m2=0.2, torque_Nm=1.0, speed_rad_s=400.0)
    frames = [*ARM.frames, Frame("grip", "target", np.array([0.1, 0.2, 0.0]))]
    holds = [Weld("grasp", (TIP, "grip"), active=True), Lock("brake", "joint3")]
    return compile_model(System("c", ARM.base, [*ARM.bodies[1:], target], frames, actuators=[wheel], constraints=holds))


@pytest.fixture(scope="module")
def start(model):
    q, qdot = [0.3, -0.5, 0.4, 0.2, 4.0, 0, 0, 0, 0, 0, 1], [0.1, 0, 0, 0, 0.01, -0.02, 0.03, 0.1, 0.05, -0.1]
    state = State(r_0=np.zeros(3), q=q, qdot=qdot, wheel_rad_s=[30.0])
    return model.constrained("grasp").imposed(state).state


def velocity(model, state):
    """Return that (3,) of the grip as the tip sees it, in axes of the tip."""
    R = dcm_from_quaternion(model.attitude(state, TIP))
    way = model.position(state, "grip") - model.position(state, TIP)
    grip, tip = (np.concatenate([model.J0(state, f), model.Jm(state, f)], axis=1) @ state.u for f in ("grip", TIP))
    return R.T @ (grip[:3] - tip[:3] - cross(tip[3:], way))


def flown(model, start, *switches):
    law = JointRegulator(model, K_P=1.0, K_D=2.0)
    given = {"reference": Hold(start.q, layout=model.layout), "t_end_s": 0.5, "output_step_s": 0.1, "switches": switches}
    return simulate(model, Floating(), law, start, **given)


@pytest.mark.slow
def test_a_target_is_pushed_off_as_fast_as_asked(model, start):
    history = flown(model, start, Switch(t_s=0.3, release="grasp", push_off_m_s=PUSH))
    (change,) = history.switches
    assert abs(velocity(model, change.before)).max() < 1e-9
    assert_allclose(velocity(model, change.after) - velocity(model, change.before), PUSH, atol=1e-12)
    before, after = (model.momentum(state) for state in (change.before, change.after))
    assert_allclose(after.P, before.P, rtol=0, atol=1e-12)
    assert_allclose(after.L_C, before.L_C, rtol=0, atol=1e-12)
    gained = model.kinetic_energy(change.after) - model.kinetic_energy(change.before)
    assert change.pushed_J == pytest.approx(gained, rel=1e-11) and gained > 0
    assert change.energy_lost == 0.0
    assert history.work_by_constraints[-1] == pytest.approx(change.pushed_J, rel=1e-12)
    assert str(change).startswith("released 'grasp' at t = 0.3 s, pushing off with 0.01")
    assert not history.broken_laws and history.residuals["energy"].relative < 1e-9


def test_what_holds_goes_on_holding(model, start):
    apart = State(
        start.r_0, start.attitude_xyzw, start.q, start.v_0, start.omega_0, [*start.qdot[:-1], 0.3], wheel_rad_s=[30.0]
    )
    held = model.constrained("brake").imposed(apart).state  # the frames pass each other already
    assert abs(velocity(model, held)).max() > 0.01
    kept = model.constrained("brake")
    pushed = kept.pushed(held, (TIP, "grip"), PUSH)
    assert abs(pushed.state.qdot[2]) < 1e-14
    assert_allclose(velocity(model, pushed.state) - velocity(model, held), PUSH, atol=1e-12)
    gained = [model.momentum_by_tree(state).P[1] for state in (held, pushed.state)]
    assert_allclose(pushed.impulse, gained[1] - gained[0], atol=1e-13)
    assert set(pushed.impulses) == {"brake"} and abs(pushed.impulses["brake"][0]) > 1e-6


def test_frames_that_cannot_part_and_releases_of_nothing_are_refused(model, start):
    with pytest.raises(InvalidState, match="'link4' and 'grip' that are free to part so"):
        model.constrained("grasp").pushed(start, (TIP, "grip"), PUSH)
    for switch, words in (
        (Switch(t_s=0.1, release="brake", push_off_m_s=PUSH), "one constraint between two frames to release"),
        (Switch(t_s=0.1, impose="brake", push_off_m_s=PUSH), "one constraint between two frames to release"),
        (Switch(t_s=0.1, release="grasp", push_off_m_s=(1.0, 2.0)), "3 finite numbers"),
        (Switch(t_s=0.1, release="grasp", push_off_m_s=(0.0, 0.0, 0.0)), "a velocity that is not zero"),
        (Switch(t_s=0.1, release="grasp", push_off_m_s=0.1), "3 finite numbers"),
    ):
        with pytest.raises(InvalidInput, match=words):
            flown(model, start, switch)


@pytest.mark.slow
def test_a_constraint_that_does_not_hold_pushes_nothing(model, start):
    late = Switch(t_s=0.2, release="grasp", push_off_m_s=PUSH)
    history = flown(model, start, Switch(t_s=0.1, release="grasp"), late)
    assert history.switches[1].pushed_J == 0.0
    assert history.switches[1].idle == ("grasp",)
