"""A gimbal of three axes that locks is refused by its name, whatever its accelerations look like."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import (
    BodyAngularVelocity,
    DecouplingSpeeds,
    JointRates,
    RatesFromSpeeds,
    Reference,
    change_speeds,
    compile_model,
    three_axis_gimbals,
)
from scmanip.errors import SingularInertia
from scmanip.interop import PinocchioTwin
from scmanip.system import Body, Joint, JointKind, State, System, Turn
from tests.oracles.random_systems import SEQUENCES, random_inertia, random_rotation

THREE = [sequence for sequence in SEQUENCES if len(sequence) == 3]
LOCKED = r"gimbal 'wrist' is in gimbal lock: its angle 'wrist.2' is .* deg and sequence '{}' locks at .*spherical joint"


def carried(sequence, *, fixed=False, mass=4.0):
    """A hinge and, behind it, a gimbal."""
    rng = np.random.default_rng(11)
    hinge = Joint("hinge", "revolute", [0, 0, 1], rng.normal(size=3))
    wrist = Joint("wrist", "gimbal", sequence=sequence, origin_m=rng.normal(size=3), dcm=random_rotation(rng))
    bodies = [
        Body("arm", 3.0, random_inertia(rng, 3.0, "massive"), rng.normal(size=3), "base", hinge),
        Body("hand", mass, random_inertia(rng, mass, "massive") if mass else np.zeros(3), rng.normal(size=3), "arm", wrist),
    ]
    return System("wristed", Body("base", 20.0, [5, 6, 7], [0.1, 0, 0]), bodies, fixed=fixed)


def lock_angle(sequence):
    return 0.0 if sequence[0] == sequence[2] else np.pi / 2


def at(system, middle):
    """A moving state with the gimbal's middle angle given."""
    q, qdot = [0.3, 0.7, middle, -1.2], [0.2, -0.1, 0.4, 0.3]
    return State(q=q, qdot=qdot) if system.fixed else State(r_0=np.zeros(3), q=q, omega_0=[0.1, 0.2, 0.3], qdot=qdot)


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("sequence", ["xyz", "zxz"])
def test_lock_is_reported_by_the_name_of_the_gimbal_and_of_its_angle(sequence, fixed):
    system = carried(sequence, fixed=fixed)
    model, tau = compile_model(system), np.ones(4)
    for locked in (lock_angle(sequence), lock_angle(sequence) - np.pi, lock_angle(sequence) + 5e-7):
        state = at(system, locked)
        for given in (tau, list(tau)):
            with pytest.raises(SingularInertia, match=LOCKED.format(sequence)):
                model.forward_dynamics(state, given)
        with pytest.raises(SingularInertia, match=LOCKED.format(sequence)):
            model.forward_dynamics(state, tau, wrenches=[("hand", np.ones(6))])


def test_lock_is_reported_in_other_speeds_too_unless_they_hold_the_gimbal():
    system = carried("xyz", fixed=True)
    for options in ({}, {"implementation": Reference()}):
        model, locked = compile_model(system, **options), at(system, np.pi / 2)
        for speeds in (JointRates(), DecouplingSpeeds(), BodyAngularVelocity("hand", ("wrist.1", "wrist.2", "wrist.3"))):
            with pytest.raises(SingularInertia, match=LOCKED.format("xyz")):
                change_speeds(model, speeds).forward_dynamics(locked, np.ones(4))
        held = change_speeds(model, RatesFromSpeeds(("hinge",), W=lambda at: np.eye(4)[:, :1]))
        turning = held.state(locked, [0.2])
        free = System("rigid", system.base, [system.bodies[1]], fixed=True)
        assert np.isfinite(held.forward_dynamics(turning, [1.0, 0, 0, 0])).all()
        assert held.M(turning) > compile_model(free).M(State(q=[0.3]))


@pytest.mark.parametrize("sequence", THREE)
def test_every_sequence_locks_where_it_says(sequence):
    system = carried(sequence)
    model = compile_model(system, implementation=Reference())
    with pytest.raises(SingularInertia, match="locks at 0 deg and" if sequence[0] == sequence[2] else "locks at 90 deg and"):
        model.forward_dynamics(at(system, lock_angle(sequence)), np.zeros(4))
    assert np.linalg.cond(model.equations(at(system, lock_angle(sequence))).M) > 1e15
    assert np.linalg.cond(model.equations(at(system, lock_angle(sequence) + 1)).M) < 1e6


def test_forces_whose_accelerations_cancel_or_vanish_do_not_hide_the_lock():
    system = carried("xyz")
    model, state = compile_model(system), at(system, np.pi / 2)
    at_rest = State.at_rest(system, state.q)
    for tau in np.vstack([np.zeros(4), np.eye(4), [0, 1, 0, 1], [0, 1, 0, -1]]):
        for x in (state, at_rest):
            with pytest.raises(SingularInertia, match=LOCKED.format("xyz")):
                model.forward_dynamics(x, tau)


@pytest.mark.battery(1)
@pytest.mark.parametrize("sequence", ["xyz", "zxz"])
def test_near_lock_the_motion_is_right_though_the_rates_are_large(sequence):
    system = carried(sequence)
    model, twin, state, tau = compile_model(system), PinocchioTwin(system), at(system, lock_angle(sequence) + 1e-3), np.ones(4)
    theirs = twin.forward_dynamics(state, tau, np.zeros(6), [])
    tolerance = 10 * np.linalg.cond(model.M(state)) * np.finfo(float).eps
    assert_allclose(model.forward_dynamics(state, tau), theirs, rtol=0, atol=tolerance * abs(theirs).max())


class Skew(JointKind):
    """Three turns about axes that are not square to each other."""

    name = "skew"
    axes = np.array([[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, 0.8]])

    def motions(self, joint):
        return tuple(map(Turn.about, self.axes))

    def parts(self, given):
        return "near", "middle", "far"


def test_three_turns_of_a_kind_of_ones_own_lock_too():
    base = Body("base", 20.0, [5, 6, 7])
    system = System("skewed", base, [Body("hand", 4.0, [2, 3, 4], [0.2, 0, 0.1], "base", Joint("wrist", Skew()))])
    (gimbal,) = three_axis_gimbals(system)
    state, model = State.at_rest(system, [0.3, gimbal.lock, -1.2]), compile_model(system)
    assert np.linalg.cond(model.equations(state).M) > 1e15 > np.linalg.cond(model.M(State.at_rest(system, [0.3, 0.0, 1.0])))
    with pytest.raises(
        SingularInertia, match=r"skew 'wrist' is in gimbal lock: its angle 'wrist\.middle' is .* deg and it locks"
    ):
        model.forward_dynamics(state, np.ones(3))


def test_gimbals_of_one_and_two_axes_never_lock():
    for sequence in SEQUENCES:
        assert len(three_axis_gimbals(carried(sequence))) == (len(sequence) == 3)


def test_a_gimbal_that_carries_nothing_lacks_mass_and_is_not_called_locked():
    with pytest.raises(SingularInertia, match=r"joint 'wrist.\d' can move without moving mass"):
        compile_model(carried("xyz", mass=0.0))
