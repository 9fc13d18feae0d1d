"""A history travels: to another process, to a file, into a copy."""

import copy
import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scmanip.constraints import Lock
from scmanip.control import JointRegulator, Sampled
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold
from scmanip.impacts import Newton
from scmanip.modes import FixedBase, Floating
from scmanip.navigation import Encoders, Observation, Tachometers
from scmanip.shapes import Plane, Sphere
from scmanip.simulation import JointLimits, RigidContact, Switch, joined, simulate
from scmanip.system import Body, Joint, State, System, load_system
from tests.simulation.arms import model, moving_state

AGAIN = [copy.copy, copy.deepcopy, lambda history: pickle.loads(pickle.dumps(history))]


def flown(*, fixed):
    """A short run."""
    start = State(q=[0.4, -0.7], qdot=[0.3, -0.4]) if fixed else moving_state()
    mode = FixedBase() if fixed else Floating()
    return simulate(model(fixed=fixed), mode, lambda t, state: [0.1, -0.1], start, t_end_s=0.2, output_step_s=0.05, rtol=1e-8)


@pytest.mark.battery(2)
@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("again", AGAIN)
def test_a_history_can_be_copied_and_pickled_and_still_not_edited(fixed, again):
    history = flown(fixed=fixed)
    residuals = {name: residual.value for name, residual in history.residuals.items()}
    other = again(history)
    assert len(history.channels) > 15
    for name in (*history.channels, "step_s"):
        assert_array_equal(getattr(other, name), getattr(history, name))
        assert not getattr(other, name).flags.writeable
    assert_array_equal(other.states.x, history.states.x)
    assert_array_equal(other.final.q, history.final.q)
    assert (other.outcome, other.advice, other.steps, other.events) == (history.outcome, "", history.steps, ())
    assert repr(other) == repr(history)
    assert {name: residual.value for name, residual in other.residuals.items()} == residuals


def switched(*, in_python):
    """A joint is locked and let go."""
    arm = load_system("model:planar_four_link")
    arm = System(arm.name, arm.base, arm.bodies[1:], arm.frames, constraints=[Lock("lock", arm.joints[1].name)])
    believed = compile_model(arm)
    law = (lambda t, state: -state.qdot) if in_python else JointRegulator(believed, K_P=1.0, K_D=2.0)
    switches = [Switch(t_s=0.1, impose="lock"), Switch(t_s=0.2, release="lock")]
    start = State(q=[0.3, -0.5, 0.4, 0.2], qdot=[0.1, -0.15, 0.05, 0.2], r_0=np.zeros(3))
    run = {"reference": Hold(np.zeros(4)), "t_end_s": 0.3, "output_step_s": 0.1, "switches": switches}
    return simulate(believed, Floating(), law, start, **run)


def court(shapes=(), constraints=()):
    """A ball over a floor."""
    ball = Body("ball", 1.0, [0.1, 0.1, 0.1], parent="base", joint=Joint("way", "planar", [0, 0, 1]))
    base = Body("base", 10.0, [1, 1, 1])
    return compile_model(
        System("court", base, [ball], shapes=shapes, constraints=constraints, fixed=True, gravity_m_s2=[0, -9.8, 0])
    )


def struck():
    """A ball falls on a floor and stays there."""
    turned = [[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]
    floor = court([Sphere("rim", "ball", 0.3), Plane("floor", "ground", dcm=turned)])
    start, contact = State(q=[0.0, 0.31, 0.0], qdot=[0.5, 0.0, 0.0]), RigidContact("floor", "rim", Newton(0.0), 0.2)
    return simulate(
        floor, FixedBase(), lambda t, state: np.zeros(3), start, t_end_s=0.2, output_step_s=0.05, contacts=[contact]
    )


def seen():
    """A sampled law that sees encoders and tachometers."""
    arm = model(fixed=True)
    eyes = Observation([Encoders("q"), Tachometers("rates")])
    law = Sampled(JointRegulator(arm, K_P=1.0, K_D=1.0), rate_Hz=20.0)
    run = {"reference": Hold(np.zeros(2)), "t_end_s": 0.2, "output_step_s": 0.05, "observation": eyes}
    return simulate(arm, FixedBase(), law, State(q=[0.4, -0.7]), **run)


def watched():
    """Limits of joints are looked for."""
    arm, start = model(fixed=True), State(q=[0.4, -0.7], qdot=[0.3, -0.4])
    return simulate(arm, FixedBase(), lambda t, state: [0.1, -0.1], start, t_end_s=0.2, events=[JointLimits()])


KINDS = {
    "constraints switched in machine code": lambda: switched(in_python=False),
    "constraints switched in Python": lambda: switched(in_python=True),
    "rigid contact": struck,
    "seen by sensors": seen,
    "events": watched,
    "several runs": lambda: joined([flown(fixed=True), flown(fixed=True)]),
}


def equal(one, other):
    """Whether two things are the same to the last bit, in whatever they hold."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return repr(one) == repr(other)


@pytest.mark.battery(2)
@pytest.mark.parametrize("kind", KINDS)
def test_a_history_of_any_kind_is_the_same_after_a_way(kind):
    history = KINDS[kind]()
    for again in AGAIN:
        for one, other in ((history, again(history)), (history.finely, again(history).finely)):
            names = [*type(history).__annotations__, *history.channels.declared]
            assert [name for name in names if not equal(getattr(one, name), getattr(other, name))] == []
        assert again(history).finely.finely is not None
