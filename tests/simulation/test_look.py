"""Looks into the steps of a run: by the shapes that machine code kept of them, or by flying it once more."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.control import ComputedTorque, Controller, Sampled, WithFeedforward
from scmanip.guidance import Cycloid
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import FullState, MomentumReduced, simulate
from scmanip.simulation.loop import _native
from scmanip.simulation.record import _look
from tests.simulation.arms import model, moving_state

SERIES = "work_by_joint", "shift_by_joint", "turn_by_joint", "joint_impulse_left", "joint_impulse"
REACH = Cycloid([0.4, -0.7], [1.1, 0.2], duration_s=3.0)


def _flown(mode=None, rate_Hz=None, **options):
    arm = model(fixed=isinstance(mode, FixedBase), damping=0.2)
    law = WithFeedforward(ComputedTorque(arm, K_P=4.0, K_D=3.0))
    start = moving_state() if not arm.layout.fixed else type(moving_state())(q=[0.4, -0.7], qdot=[0.3, -0.4])
    law = law if rate_Hz is None else Sampled(law, rate_Hz=rate_Hz)
    return simulate(arm, mode or Floating(), law, start, reference=REACH, t_end_s=4.0, **{"output_step_s": 0.02, **options})


def _counted(monkeypatch):
    """Return a list of the runs that are flown once more from now on."""
    flown = []

    def replayed(*given):
        flown.append(given)
        return ONCE_MORE(*given)

    monkeypatch.setattr(_look, "replayed", replayed)
    return flown


ONCE_MORE = _look.replayed
CASES = {
    "reduced": {"coordinates": MomentumReduced()},
    "full": {"coordinates": FullState()},
    "sampled": {"rate_Hz": 10.0},
    "fixed": {"mode": FixedBase()},
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_told_does_not_depend_on_who_looked_on_while_it_was_flown(name):
    alone, watched = _flown(**CASES[name]), _flown(**CASES[name], progress=lambda t: None)
    for series in SERIES:
        assert_array_equal(getattr(alone, series), getattr(watched, series))


@pytest.mark.parametrize("name", CASES)
def test_a_run_whose_steps_were_kept_tells_the_same_as_one_that_is_flown_once_more(name, monkeypatch):
    flown, kept = _counted(monkeypatch), _flown(**CASES[name])
    told = {series: getattr(kept, series) for series in SERIES}, kept.residuals, kept.finely
    assert not flown
    monkeypatch.setattr(_native, "MOST_SHAPES", 0)
    again = _flown(**CASES[name])
    assert_array_equal(again.states.x, kept.states.x)
    assert_array_equal(again.finely.t, told[2].t)
    assert len(flown) == 1
    assert_allclose(told[2].states.x, again.finely.states.x, atol=1e-14)
    assert_allclose(told[2].tau, again.finely.tau, rtol=1e-11, atol=1e-11)
    for series, values in told[0].items():
        assert_allclose(values, getattr(again, series), rtol=0, atol=1e-12, err_msg=series)
    for law, residual in told[1].items():
        assert_allclose(residual.series, again.residuals[law].series, rtol=0, atol=1e-11 * residual.scale, err_msg=law)


@pytest.mark.parametrize("most", [256, 0])
def test_samples_anywhere_are_those_of_the_run(most, monkeypatch):
    monkeypatch.setattr(_native, "MOST_SHAPES", most)
    fine = _flown(output_step_s=0.005)
    look = vars(_flown())["_books"].look
    assert_allclose(look.at(fine.t).y, vars(fine)["_books"].samples.y, atol=1e-13)


class Asked(Controller):
    """A law in Python that counts."""

    def __init__(self, law):
        self.law, self.times = law, []

    def command(self, t, state, reference, memory):
        """Say what the law says."""
        self.times.append(t)
        return self.law.command(t, state, reference, memory)


def test_a_sampled_law_is_not_asked_again_when_its_run_is_flown_once_more(monkeypatch):
    flown, arm = _counted(monkeypatch), model(damping=0.2)
    law = Asked(ComputedTorque(arm, K_P=4.0, K_D=3.0))
    options = {"reference": REACH, "t_end_s": 4.0, "output_step_s": 0.02}
    history = simulate(arm, Floating(), Sampled(law, rate_Hz=100.0), moving_state(), **options)
    asked = len(law.times)
    left = history.unaccounted["work"]
    assert history.steps >= asked == 400
    assert len(law.times) == asked
    assert len(flown) == 1
    assert_allclose(left, 0 * left, atol=1e-9 * abs(history.work).max())
    assert_array_equal(history.finely.tau[np.isin(history.finely.t, history.t)], history.tau)


def test_a_run_with_few_samples_keeps_nothing():
    coarse = simulate(
        model(),
        Floating(),
        ComputedTorque(model(), K_P=4.0, K_D=3.0),
        moving_state(),
        reference=REACH,
        t_end_s=4.0,
        output_step_s=1.0,
    )
    assert not vars(coarse)["_books"]._track.shapes.size
    assert coarse.residuals["joint_motion"].relative < 1e-6


def test_the_series_that_laws_are_about_are_those_that_are_read_one_by_one():
    together, single = _flown(), _flown()
    together.read_together()
    for name in [*vars(together)]:
        if name in together.channels:
            assert_allclose(getattr(single, name), getattr(together, name), rtol=1e-13, atol=1e-13, err_msg=name)
    assert {"P", "L_C", "P_arm", "r_C", "kinetic_energy"} <= set(vars(together))
