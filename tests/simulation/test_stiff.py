"""Loops whose fastest motions have died away long since: they are told, and an implicit integrator takes long steps."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque
from scmanip.errors import InvalidInput, NumericalFailure
from scmanip.guidance import Hold
from scmanip.modes import Floating
from scmanip.simulation import DOP853, Outcome, Radau, simulate
from scmanip.system import State

from .arms import model


def flown(integrator, gain, *, rtol=1e-8, t_end_s=1.0):
    law = ComputedTorque(model(fixed=False), K_P=gain, K_D=gain)
    start = State([0.0, 0.0, 0.0], q=[0.4, -0.7], qdot=[0.0, 0.0])
    return simulate(
        model(fixed=False), Floating(), law, start, reference=Hold([0.4, -0.69]), t_end_s=t_end_s, rtol=rtol,
        output_step_s=0.1, integrator=integrator,
    )  # fmt: skip


@pytest.mark.slow
def test_an_implicit_integrator_comes_to_the_same():
    assert_allclose(flown(Radau(), 4.0).states.x, flown(DOP853(), 4.0, rtol=1e-10).states.x, atol=1e-7)


@pytest.mark.slow
def test_a_stiff_loop_is_told_and_is_flown_by_an_implicit_integrator():
    explicit = flown(DOP853(max_steps=3000), 1e5)
    assert explicit.outcome is Outcome.STALLED
    assert "stiff: its fastest time is 1e-05 s" in explicit.advice and "radau" in explicit.advice
    implicit = flown(Radau(), 1e5, rtol=1e-6)
    assert implicit.outcome is Outcome.COMPLETED and implicit.steps < 300
    assert_allclose(implicit.q[-1] - [0.4, -0.69], [0.0, -0.01 * np.exp(-1.0)], atol=1e-5)  # 1/K_D of the spring is 1 s


def test_its_order_is_five_on_a_stiff_equation():
    def rate(t, y):
        return np.array([-1e6 * (y[0] - np.cos(t)) - np.sin(t)])

    steps = list(Radau().steps(rate, 0.0, np.array([1.0]), 2.0, rtol=1e-8, atol=np.full(1, 1e-8), first_size=None))
    assert len(steps) < 100 and steps[-1].t == 2.0
    assert_allclose(steps[-1].y[0], np.cos(2.0), atol=1e-7)
    middle = (steps[-1].t_old + steps[-1].t) / 2
    assert_allclose(steps[-1].at(np.array([middle]))[0, 0], np.cos(middle), atol=1e-6)


def test_a_rate_that_is_none_ends_it():
    def rate(t, y):
        return np.array([np.nan if t > 0.5 else 1.0])

    with pytest.raises(NumericalFailure):
        list(Radau().steps(rate, 0.0, np.zeros(1), 1.0, rtol=1e-6, atol=np.full(1, 1e-6), first_size=None))
    with pytest.raises(InvalidInput):
        Radau(max_step_s=-1.0)
