"""Runs that wait for machine code of constraints, and runs that go on in Python until a thread has made it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Lock, PointOnPoint
from scmanip.control import JointRegulator
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold
from scmanip.modes import Floating
from scmanip.simulation import Outcome, Switch, When, simulate
from scmanip.simulation.loop import _coming
from scmanip.simulation.loop._coming import lacks_code
from scmanip.simulation.switching import _course
from scmanip.system import Body, Joint, State, System

LINKS = [
    Body("upper", 6.0, [0.1, 0.9, 1.0], [0.4, 0, 0], "base", Joint("shoulder", "revolute", [0, 0, 1], [0.5, 0, 0])),
    Body("fore", 4.0, [0.1, 0.5, 0.6], [0.3, 0, 0], "upper", Joint("elbow", "revolute", [0, 0, 1], [0.8, 0, 0])),
]
HELD = [PointOnPoint("pin", ("ground", "fore"), tolerance_m=10.0), Lock("brake", "elbow", slip_Nm=0.6)]
START = State(q=[0.4, 0.5], qdot=[0.1, 0.05], r_0=np.zeros(3), omega_0=[0, 0, 0.02])
SWITCHES = [Switch(t_s=0.4, impose="brake"), Switch(t_s=1.0, impose="pin"), Switch(t_s=1.7, release="pin")]


class After:
    """Code that comes when it was asked for so often; how often it was is counted for all."""

    asked = 0

    def __init__(self, most):
        self.most = most

    def __call__(self, *setups):
        self.left = self.most
        return self

    @property
    def is_there(self):
        After.asked, self.left = After.asked + 1, self.left - 1
        return self.left < 0


def flown(**options):
    """Fly with a model that has no programs yet, under a law that asks for much."""
    model = compile_model(System("patience", Body("base", 40.0, [5.0, 6.0, 8.0]), LINKS, constraints=HELD))
    law, reference = JointRegulator(model, K_P=4.0, K_D=3.0), Hold(np.array([0.9, 0.1]))
    given = {"t_end_s": 2.5, "output_step_s": 0.1, "rtol": 1e-11, "switches": SWITCHES, **options}
    return simulate(model, Floating(), law, START, reference=reference, **given)


@pytest.fixture(scope="module")
def waited():
    return flown()


def is_the_same(history, waited):
    assert history.outcome is Outcome.COMPLETED
    assert_allclose(history.t, waited.t, atol=1e-12)
    assert_allclose(history.states.x, waited.states.x, atol=1e-9)
    assert_allclose(history.work, waited.work, atol=1e-9)
    for name in ("pin", "brake"):
        assert_allclose(history.constraint_forces[name], waited.constraint_forces[name], atol=1e-6)
    assert [str(change) for change in history.switches] == [str(change) for change in waited.switches]
    assert not history.broken_laws


@pytest.mark.slow
def test_who_waits_gets_the_same_to_the_last_bit(waited):
    assert any(change.slipped for change in waited.switches)
    np.testing.assert_array_equal(flown().states.x, waited.states.x)


@pytest.mark.battery(0, judged=2)
@pytest.mark.parametrize("asked", [0, 3, 10**9])
def test_who_does_not_wait_moves_alike_whenever_the_code_comes(monkeypatch, waited, asked):
    monkeypatch.setattr(_course, "Coming", After(asked))
    After.asked = 0
    is_the_same(flown(patient=False), waited)
    assert After.asked > 0


@pytest.mark.slow
def test_a_thread_makes_the_code(waited):
    history = flown(patient=False)
    is_the_same(history, waited)
    for quantity, left in history.unaccounted.items():
        assert abs(left).max() < 1e-8, quantity


@pytest.mark.slow
def test_sets_that_switches_name_are_made_ahead_and_wait_for_nobody(monkeypatch):
    """All that they can bring about, here before an event that never comes."""
    made = []
    monkeypatch.setattr(_course, "Coming", lambda *setups: made.extend(setups))
    never = When("never", lambda t, state: 1.0)
    switches = [Switch(event="never", impose="brake"), Switch(event="never", impose="pin"), Switch(t_s=0.05, release="pin")]
    assert flown(patient=False, switches=switches, events=[never], t_end_s=0.1).outcome is Outcome.COMPLETED
    assert {setup.plant.constraints for setup in made} == {("brake",), ("pin",), ("brake", "pin"), ("pin", "brake")}
    for setup in made:
        _coming._make(setup)
        assert not lacks_code(setup)
    made.clear()
    flown(switches=switches, events=[never], t_end_s=0.1)
    assert not made


def test_patience_is_true_or_false():
    with pytest.raises(InvalidInput, match="patient"):
        flown(patient="no")
