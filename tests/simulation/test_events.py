"""Events: found where they happen, in machine code and in Python, and what they do to a run."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, Sampled, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, UnknownName
from scmanip.guidance import RateProfile
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import DOP853, Approach, JointLimits, MomentumReduced, Near, Outcome, Saturation, When, simulate
from scmanip.system import Body, Frame, Joint, State, System
from tests.simulation.arms import INERTIA_1, model

PLANT = model()
LAW = WithFeedforward(ComputedTorque(PLANT))
ROCKING = RateProfile(2, [1.0, 0.0], [(1.0, 0.0, 0.5), (1.0, 0.5, -0.5), (2.0, -0.5, -0.5), (1.0, -0.5, 0.0)])
REST = State.at_rest(PLANT.system, [0.0, 0.0])


class InPython(DOP853):
    """The same integrator by another class, with which a run is in Python."""


WAYS = pytest.mark.parametrize("integrator", [DOP853(), InPython()], ids=["in machine code", "in Python"])


def flown(events, *, integrator=None, law=LAW, **options):
    """A run that follows its reference exactly."""
    options = {"reference": ROCKING, "t_end_s": 5.0, "output_step_s": 0.25, "rtol": 1e-11} | options
    return simulate(PLANT, Floating(), law, REST, events=events, integrator=integrator or DOP853(), **options)


def joint_at(angle, **options):
    """The shoulder passes an angle."""
    return When("the shoulder is there", lambda t, state: state.q[0] - angle, **options)


def time_of(condition):
    """The first time at which the reference fulfils a condition, by bisection."""
    times = np.linspace(0, 5, 5001)
    k = next(i for i, t in enumerate(times) if condition(ROCKING.at(t)))
    low, high = times[k - 1], times[k]
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if condition(ROCKING.at(middle)) else (middle, high)
    return high


def noted(history):
    """The times of the events of a run."""
    return [float(sentence.split("t = ")[1].split()[0]) for sentence in history.events]


@WAYS
@pytest.mark.parametrize("coordinates", [None, MomentumReduced()], ids=repr)
def test_an_event_that_ends_the_run_ends_it_where_it_happens(integrator, coordinates):
    history = flown([joint_at(0.3)], integrator=integrator, coordinates=coordinates)
    assert history.outcome is Outcome.EVENT
    assert history.advice.startswith("the shoulder is there at t = 1.")
    assert history.t[-1] == pytest.approx(time_of(lambda sample: sample.q[0] > 0.3), abs=1e-8)
    assert history.q[-1, 0] == pytest.approx(0.3, abs=1e-9)
    assert_allclose(history.t[:-1], np.arange(len(history.t) - 1) * 0.25)
    assert len(history.events) == 1
    assert history.residuals["momentum"].relative < 1e-9


@WAYS
def test_an_event_that_does_not_end_the_run_changes_nothing_but_what_is_noted(integrator):
    plain = flown((), integrator=integrator)
    back = When("back", lambda t, state: -state.q[0] - 0.1, ends=False)
    history = flown([joint_at(0.3, ends=False), back], integrator=integrator)
    assert history.outcome is Outcome.COMPLETED
    assert_allclose(history.t, plain.t)
    assert_allclose(history.states.x, plain.states.x, atol=1e-9)
    assert noted(history) == pytest.approx([time_of(lambda s: s.q[0] > 0.3), time_of(lambda s: s.q[0] < -0.1)], abs=1e-7)
    assert [sentence.split(" at t")[0] for sentence in history.events] == ["the shoulder is there", "back"]


def test_several_events_are_noted_in_order_and_the_first_that_ends_ends():
    history = flown([joint_at(0.35), joint_at(0.2, ends=False), joint_at(0.1, ends=False)])
    assert history.outcome is Outcome.EVENT
    assert history.q[-1, 0] == pytest.approx(0.35, abs=1e-9)
    assert noted(history) == sorted(noted(history))
    assert len(history.events) == 3


def test_what_is_positive_from_the_start_must_fall_before_it_can_happen():
    assert flown([When("it was so", lambda t, state: state.q[0] + 9.0)]).outcome is Outcome.COMPLETED
    again = flown([When("up again", lambda t, state: 0.05 - state.q[0])])
    assert again.outcome is Outcome.EVENT
    assert again.t[-1] > 2.0


def test_limits_of_joints_come_from_the_system():
    joint = Joint("hinge", "revolute", [0, 0, 1], lower=-0.2, upper=0.4)
    leaf = Body("leaf", 2.0, INERTIA_1, parent="base", joint=joint)
    plant = compile_model(System("door", Body("base", 1.0, [1, 1, 1]), [leaf], fixed=True))
    for rate, limit, t in ((0.5, "upper limit 0.4", 0.8), (-0.5, "lower limit -0.2", 0.4)):
        start, events = State(q=[0.0], qdot=[rate]), [JointLimits()]
        history = simulate(plant, FixedBase(), lambda t, state: [0.0], start, t_end_s=2.0, events=events)
        assert history.outcome is Outcome.EVENT
        assert f"'hinge' passed its {limit} rad at t = " in history.advice
        assert history.t[-1] == pytest.approx(t, abs=1e-9)


@WAYS
def test_saturation_is_noted_when_the_torque_passes_it(integrator):
    most = 0.5 * abs(flown((), integrator=integrator).tau[:, 0]).max()
    history = flown([Saturation([most, 1e9])], integrator=integrator)
    assert history.outcome is Outcome.COMPLETED
    assert history.events
    assert all("the joint force of 'shoulder' passed" in sentence for sentence in history.events)
    short = flown([Saturation([most, 1e9], ends=True)], integrator=integrator)
    assert short.t[-1] == pytest.approx(noted(history)[0], abs=1e-6)
    assert abs(short.tau[-1, 0]) == pytest.approx(most, rel=1e-6)


def test_two_frames_that_approach():
    frames = [Frame("tip", "fore", np.array([0.8, 0, 0])), Frame("port", "base", np.array([0.0, 1.0, 0.2]))]
    plant = compile_model(System("snipper", PLANT.system.base, PLANT.system.bodies[1:], frames))
    law, events = WithFeedforward(ComputedTorque(plant)), [Approach("tip", "port", 2.3)]
    history = simulate(plant, Floating(), law, REST, reference=ROCKING, t_end_s=5.0, rtol=1e-10, events=events)
    assert history.outcome is Outcome.EVENT
    between = plant.position(history.final, "tip") - plant.position(history.final, "port")
    assert np.linalg.norm(between) == pytest.approx(2.3, abs=1e-9)


def test_events_of_a_sampled_run():
    history = flown([joint_at(0.3)], law=Sampled(LAW, rate_Hz=20.0))
    assert history.outcome is Outcome.EVENT
    assert history.q[-1, 0] == pytest.approx(0.3, abs=1e-9)


def test_what_is_no_event_is_refused():
    for events in (["impact"], 3, None, [JointLimits]):
        with pytest.raises(InvalidInput, match="events: expected a sequence of events"):
            flown(events)
    with pytest.raises(InvalidInput, match="Saturation tau_max"):
        flown([Saturation([1.0, -1.0])])
    with pytest.raises(UnknownName):
        flown([Approach("tip", "nowhere", 1.0)])


@WAYS
def test_a_frame_comes_near_a_point_that_does_not_move(integrator):
    """Where the hand is at 4 s, which it comes near before and leaves again."""
    system = PLANT.system
    whole = System(system.name, system.base, system.bodies[1:], [Frame("hand", "fore", [0.9, 0.0, 0.0])])
    plant = compile_model(whole)
    law = WithFeedforward(ComputedTorque(plant))
    options = {"reference": ROCKING, "t_end_s": 5.0, "rtol": 1e-11, "integrator": integrator, "output_step_s": 0.25}
    there = plant.position(simulate(plant, Floating(), law, REST, **options).states[8], "hand")
    history = simulate(plant, Floating(), law, REST, events=[Near("hand", there, 0.1)], **options)
    assert history.outcome is Outcome.EVENT and 0 < history.t[-1] < 2.0
    assert_allclose(np.linalg.norm(plant.position(history.final, "hand") - there), 0.1, rtol=1e-9)
    (occurrence,) = history.occurrences
    assert occurrence.first_s == occurrence.last_s == history.t[-1] and str(occurrence) == history.advice
    assert occurrence.later(10.0).first_s == history.t[-1] + 10.0


def test_a_point_that_is_none_is_refused():
    with pytest.raises(InvalidInput, match=r"(?s)Near distance_m.*Near point_m"):
        Near("upper", [0, 0], 0.0).names(PLANT)
