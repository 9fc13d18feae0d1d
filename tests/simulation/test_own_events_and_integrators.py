"""Events and integrators of one's own: what they say has to be what it is taken for, or is named."""

from dataclasses import replace

import numpy as np
import pytest

from scmanip import Floating, Plant, State, compile_model, load_system
from scmanip.control import JointRegulator
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold
from scmanip.simulation import RK4, Event, Integrator, Lasting, Outcome, ensemble, simulate

MODEL = compile_model(load_system("model:planar_four_link"))
PLANT, LAW, HOLD = Plant(MODEL, Floating()), JointRegulator(MODEL, K_P=1.0, K_D=2.0), Hold(np.full(4, 0.1))
START = State.at_rest(MODEL.system, np.zeros(4))


def flown(**changes):
    return simulate(PLANT, LAW, START, reference=HOLD, t_end_s=1.0, output_step_s=0.25, **changes)


def event(**said):
    fits = {
        "ends": True,
        "names": lambda self, model: ("it passed",),
        "values": lambda self, model, t, state, tau: np.array([t - 0.5]),
    }
    return type("Passed", (Event,), fits | said)()


class Steps(Integrator):
    """Those of RK4, of which `change` makes others."""

    max_steps, change = 100, staticmethod(lambda step: step)

    def steps(self, rate, t_0, y_0, t_1, *, rtol, atol, first_size):
        own = RK4(0.1).steps(rate, t_0, y_0, t_1, rtol=rtol, atol=atol, first_size=first_size)
        return map(self.change, own)


def steps(**said):
    return type("Own", (Steps,), {name: staticmethod(of) if name == "change" else of for name, of in said.items()})()


def test_they_fly():
    run = flown(events=[event()], integrator=steps())
    assert run.outcome is Outcome.EVENT and run.t[-1] == pytest.approx(0.5, abs=1e-12)
    np.testing.assert_allclose(run.q[-1], flown(events=[event()], integrator=RK4(0.1)).q[-1], atol=1e-12)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"ends": "no"}, r"Passed\.ends: expected True or False, found 'no'"),
        ({"lasts": -1.0}, r"Passed\.lasts: expected a finite number >= 0 \[s\], found -1"),
        (
            {"names": lambda self, model: "it passed"},
            "names of event 'passed': expected a text per number",
        ),
        (
            {"names": lambda self, model: ("one", "two")},
            r"values of event 'passed': expected numbers of shape \(2,\)",
        ),
        ({"values": lambda self, model, t, state, tau: t - 0.5}, r"values of event 'passed': expected numbers of shape \(1,\)"),
        ({"values": lambda self, model, t, state, tau: None}, "values of event 'passed': .*, found None"),
        ({"met": lambda self, values: True}, r"met of event 'passed': expected numbers of shape \(1,\), .*, found True"),
    ],
)
def test_an_event_that_says_something_else_is_named(said, words):
    for events in ([event(**said)], [event(), event(**said)]):
        with pytest.raises(InvalidInput, match=words):
            flown(events=events)
    if "names" not in said and "values" not in said and "met" not in said:
        with pytest.raises(InvalidInput, match=words):
            Lasting(event(**said), 0.1)


def test_numbers_of_many_runs_have_a_row_each():
    until = event(of_many=lambda self, batch, t, states: t - 0.5)
    with pytest.raises(InvalidInput, match=r"of_many of event 'passed': expected numbers of shape \(1, 1\), one per name"):
        ensemble(PLANT, LAW, START, reference=HOLD, t_end_s=1.0, step_s=0.1, until=until)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"max_steps": "all"}, "Own max_steps: expected a whole number > 0, found 'all'"),
        ({"length_s": -1.0}, r"Own length_s: expected a finite number > 0 \[s\], or None, found -1"),
        (
            {"change": lambda step: (step.t, step.y)},
            r"Own\.steps: expected a Step of \d+ numbers from 0 s to at most 1 s",
        ),
        ({"change": lambda step: replace(step, y=step.y[:3])}, r"Own\.steps: .*, found 3 from 0 s to 0\.1 s"),
        (
            {"change": lambda step: replace(step, t=step.t + 1.0)},
            r"Own\.steps: .*, found \d+ from 0 s to 1\.1",
        ),
        ({"change": lambda step: replace(step, t_old=0.05)}, r"Own\.steps: .*, found \d+ from 0\.05 s to 0\.1 s"),
        (
            {"change": lambda step: replace(step, at=lambda t: step.at(t)[0])},
            r"Own\.steps: expected rows of shape \(1, \d+\)",
        ),
    ],
)
def test_steps_that_are_none_are_named(said, words):
    with pytest.raises(InvalidInput, match=words):
        flown(integrator=steps(**said))


@pytest.mark.parametrize("none", [(), None])
def test_an_integrator_without_steps_does_not_go_on_for_ever(none):
    run = flown(integrator=steps(steps=lambda self, rate, t_0, y_0, t_1, *, rtol, atol, first_size: none))
    assert run.outcome is Outcome.STALLED and "Own takes no step at t = 0 s" in run.advice
