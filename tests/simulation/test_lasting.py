"""Events whose conditions have to last."""

from __future__ import annotations

import numpy as np
import pytest

from scmanip.constraints import Lock
from scmanip.control import JointRegulator
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold
from scmanip.modes import Floating
from scmanip.simulation import Lasting, Outcome, Switch, When, simulate
from scmanip.system import State, System, load_system

ARM = load_system("model:planar_four_link")


@pytest.fixture(scope="module")
def model():
    lock = Lock("lock2", ARM.joints[1].name)
    return compile_model(System(ARM.name, ARM.base, ARM.bodies[1:], ARM.frames, constraints=[lock]))


def wave(ends=False, name="wave"):
    """Positive where sin(2 t) is, from 0 to 1.57 s and from 3.14 s to 4.71 s."""
    return When(name, lambda t, state: np.sin(2 * t), ends=ends)


def flown(model, events, *, in_python=False, t_end_s=6.0, switches=()):
    law = JointRegulator(model, K_P=1.0, K_D=2.0)
    start = State(q=np.array([0.3, -0.5, 0.4, 0.2]), qdot=np.zeros(4), r_0=np.zeros(3), v_0=[0.01, 0, 0], omega_0=[0, 0, 0.02])
    hold = Hold(np.zeros(4))
    commanding = (lambda t, state: law.command(t, state, hold.at(t), None)[0]) if in_python else law
    return simulate(
        model,
        Floating(),
        commanding,
        start,
        reference=hold,
        t_end_s=t_end_s,
        output_step_s=0.5,
        events=events,
        switches=switches,
    )


@pytest.mark.parametrize("in_python", [False, True])
def test_a_condition_has_to_hold_so_long_without_a_break(model, in_python):
    history = flown(model, [Lasting(wave(), 1.2), Lasting(wave(name="longer"), 1.6)], in_python=in_python)
    (first, second) = history.occurrences
    assert first.phrase == "wave, and that for 1.2 s"
    assert [first.first_s, second.first_s] == pytest.approx([1.2, np.pi + 1.2], abs=1e-9)


def test_it_ends_runs_and_is_called_as_its_event(model):
    history = flown(model, [Lasting(wave(ends=True), 0.01), Lasting(wave(name="also"), 0.005)])
    assert history.outcome is Outcome.EVENT and history.t[-1] == pytest.approx(0.01, abs=1e-12)
    phrases = [occurrence.phrase for occurrence in history.occurrences]
    assert phrases == ["also, and that for 0.005 s", "wave, and that for 0.01 s"]
    assert Lasting(wave(), 0.2).called == "wave"


def test_other_events_in_between_do_not_disturb_it(model):
    others = [When(f"at {t}", lambda now, state, t=t: now - t, ends=False) for t in (0.3, 1.0, 3.1, 3.2)]
    history = flown(model, [*others, Lasting(wave(), 1.2)])
    times = [each.first_s for each in history.occurrences if each.phrase.startswith("wave")]
    assert times == pytest.approx([1.2, np.pi + 1.2], abs=1e-9)


def test_it_runs_on_where_constraints_are_switched(model):
    switches = [Switch(t_s=0.6, impose="lock2"), Switch(event="wave", release="lock2")]
    history = flown(model, [Lasting(wave(), 1.2)], switches=switches)
    assert [each.first_s for each in history.occurrences] == pytest.approx([1.2, np.pi + 1.2], abs=1e-9)
    assert [change.t for change in history.switches] == pytest.approx([0.6, 1.2, np.pi + 1.2], abs=1e-9)


def test_what_lasts_no_time_is_refused():
    with pytest.raises(InvalidInput, match="Lasting dwell_s: expected a finite number > 0, found 0"):
        Lasting(wave(), 0)
    with pytest.raises(InvalidInput, match="Lasting event"):
        Lasting("wave", 1.0)
