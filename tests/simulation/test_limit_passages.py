"""Joints beyond their limits are facts of a run, whether or not anybody asked."""

import numpy as np
import pytest
from scipy.optimize import brentq

from scmanip.control import ComputedTorque, Sampled, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.guidance import RateProfile
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import DOP853, FixedDOP853, JointLimits, simulate
from scmanip.simulation.record._limit_passages import _above
from scmanip.system import Body, Joint, State, System
from tests.simulation.arms import INERTIA_1


class InPython(DOP853):
    """The same integrator by another class, with which a run is in Python."""


def plant(**limits):
    """One hinge between two free bodies."""
    hinge = Joint("hinge", "revolute", [0, 0, 1], origin_m=[0.5, 0, 0], **limits)
    link = Body("link", 3.0, INERTIA_1, [0.5, 0, 0], "base", hinge)
    return compile_model(System("hinged", Body("base", 20.0, [3.0, 4.0, 5.0]), [link]))


# to 0.25 and back to -0.5; at 0.25, t = 1, rate and acceleration vanish, so that the time of the peak is soft
ROCKING = RateProfile(1, [1.0], [(0.5, 0.0, 0.5), (0.5, 0.5, 0.0), (1.0, 0.0, -1.0), (0.5, -1.0, 0.0)])


def flown(model, *, law=None, **options):
    """A run that follows `ROCKING` exactly."""
    law = WithFeedforward(ComputedTorque(model)) if law is None else law(WithFeedforward(ComputedTorque(model)))
    start = State.at_rest(model.system, [0.0])
    given = {"reference": ROCKING, "t_end_s": 2.5, "output_step_s": 0.7, "rtol": 1e-12} | options
    return simulate(model, Floating(), law, start, **given)


def angle(t):
    """Where the reference has the hinge."""
    return float(ROCKING.at(t).q[0])


def test_a_joint_that_stays_within_its_limits_is_not_mentioned():
    history = flown(plant(lower=-0.51, upper=0.2501))
    assert history.passages == history.events == ()


@pytest.mark.slow
@pytest.mark.parametrize("integrator", [DOP853(), InPython()], ids=["in machine code", "in Python"])
def test_a_run_says_which_joint_passed_which_limit_when_and_how_far(integrator):
    upper, lower = flown(plant(lower=-0.3, upper=0.2), integrator=integrator).passages
    assert (upper.coordinate, upper.side, upper.limit, upper.unit) == ("hinge", "upper", 0.2, "rad")
    assert upper.t_s == pytest.approx(brentq(lambda t: angle(t) - 0.2, 0.0, 1.0), abs=1e-7)
    assert upper.t_back_s == pytest.approx(brentq(lambda t: angle(t) - 0.2, 1.0, 2.0), abs=1e-7)
    assert upper.excess == pytest.approx(0.05, abs=1e-7)
    assert upper.t_excess_s == pytest.approx(1.0, abs=0.01)
    assert (lower.coordinate, lower.side, lower.t_back_s) == ("hinge", "lower", None)
    assert lower.t_s == pytest.approx(brentq(lambda t: angle(t) + 0.3, 1.0, 2.5), abs=1e-7)
    assert lower.excess == pytest.approx(0.2, abs=1e-7)
    assert lower.t_excess_s == pytest.approx(2.5, abs=0.01)


def test_what_happens_between_two_samples_is_seen():
    history = flown(plant(upper=0.2499), output_step_s=1.25)
    assert history.q.max() < 0.245
    (passage,) = history.passages
    assert passage.excess == pytest.approx(1e-4, rel=1e-3)


@pytest.mark.slow
def test_a_way_out_and_back_between_the_only_two_samples_is_seen():
    there_and_back = RateProfile(1, [1.0], [(0.5, 0.0, 0.5), (0.5, 0.5, 0.0), (0.5, 0.0, -0.5), (0.5, -0.5, 0.0)])
    history = flown(plant(upper=0.2), reference=there_and_back, t_end_s=2.0, output_step_s=2.0)
    assert history.q[:, 0] == pytest.approx([0.0, 0.0], abs=1e-9)
    (passage,) = history.passages
    assert passage.excess == pytest.approx(0.05, abs=1e-7)


@pytest.mark.slow
def test_the_events_of_the_run_have_it_in_a_sentence():
    (sentence,) = flown(plant(upper=0.2)).events
    assert sentence.startswith("'hinge' was beyond its upper limit 0.2 rad from t = 0.658")
    assert " to t = 1.43" in sentence
    assert ", by 0.05 rad at most, at t = " in sentence


@pytest.mark.slow
def test_a_start_beyond_a_limit_counts_from_the_start():
    (passage,) = flown(plant(lower=0.1)).passages[:1]
    assert passage.t_s == 0.0
    assert passage.excess == pytest.approx(0.1)


@pytest.mark.slow
def test_a_sampled_law_passes_limits_too():
    (passage,) = flown(plant(upper=0.2), law=lambda law: Sampled(law, rate_Hz=40.0)).passages
    assert passage.excess == pytest.approx(0.05, abs=1e-2)


def test_a_run_that_ends_at_a_limit_was_never_beyond_it():
    history = flown(plant(upper=0.2), events=[JointLimits()])
    assert history.q[-1, 0] == pytest.approx(0.2, abs=1e-12)
    assert history.passages == ()


def test_a_joint_that_rests_on_its_limit_keeps_it():
    model = plant(upper=0.0)
    rest = State.at_rest(model.system, [0.0])
    history = simulate(model, Floating(), lambda t, state: np.zeros(1), rest, t_end_s=1.0, output_step_s=0.1)
    assert history.passages == ()


@pytest.mark.parametrize(("side", "sign"), [("upper", 1), ("lower", -1)])
def test_a_peak_between_two_places_of_the_look_is_found_in_closed_form(side, sign):
    """A thrown hinge, q = 0.4 t - t^2 / 4, in one step of 2 s: at 0.8 s, far from any place, it is a thousandth too far."""
    hinge = Joint("hinge", "revolute", [0, 0, 1], **{side: sign * 0.159})
    link = Body("link", 3.0, [1.0, 1.0, 4.0], parent="base", joint=hinge)
    thrown = compile_model(System("thrown", Body("base", 1.0, [1.0, 1.0, 1.0]), [link], fixed=True))
    run = {"t_end_s": 2.0, "output_step_s": 2.0, "integrator": FixedDOP853(2.0)}
    history = simulate(thrown, FixedBase(), lambda t, state: [-2.0 * sign], State(q=[0.0], qdot=[sign * 0.4]), **run)
    (passage,) = history.passages
    half = np.sqrt(4 * 1e-3)
    assert (passage.side, passage.t_s, passage.t_back_s) == (side, pytest.approx(0.8 - half), pytest.approx(0.8 + half))
    assert (passage.excess, passage.t_excess_s) == (pytest.approx(1e-3), pytest.approx(0.8, abs=1e-4))


@pytest.mark.parametrize("hull", [(0.1, 0.2, 0.2, 0.5), (0.5, 0.3, 0.2, 0.1)])
def test_what_is_all_beyond_and_goes_one_way_is_told_as_by_its_roots(hull):
    """A little dent makes it look for roots, which say the same."""
    (told,), (found,) = _above(*hull), _above(hull[0], hull[1], hull[1] + 1e-12 * (hull[0] - hull[3]), hull[3])
    assert (told.start, told.stop) == (found.start, found.stop) == (0.0, 1.0)
    assert (told.top, told.at) == (max(hull), float(hull[3] > hull[0])) == (pytest.approx(found.top, rel=1e-9), found.at)
