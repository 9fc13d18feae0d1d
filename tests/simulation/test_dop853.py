"""The integrator, judged by its order."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import NumericalFailure
from scmanip.simulation import DOP853


def oscillator(t, y):
    """A linear oscillator that is pushed; the solution is [sin(2 t), 2 cos(2 t)]."""
    return np.array([y[1], -4.0 * y[0] + 0.0 * t])


def exact(t):
    """The solution (n, 2) at times (n,)."""
    return np.stack([np.sin(2 * t), 2 * np.cos(2 * t)], axis=-1)


def fixed_steps(h):
    """Steps of one size, whatever the error."""
    steps = DOP853(max_step_s=h).steps(oscillator, 0.0, exact(np.array(0.0)), 4.0, rtol=0.9, atol=1e3, first_size=h)
    ends, inside = [], []
    for step in steps:
        times = np.linspace(step.t_old, step.t, 7)
        inside.append(abs(step.at(times) - exact(times)).max())
        ends.append(abs(step.y - exact(np.array(step.t))).max())
    return ends[-1], max(inside)


def test_the_solution_has_order_eight_and_the_dense_output_order_seven():
    errors = np.array([fixed_steps(h) for h in (1.0, 0.5, 0.25)])
    slopes = np.log2(errors[:-1] / errors[1:])
    assert np.all(slopes[:, 0] > 7.5)
    assert np.all(slopes[:, 1] > 6.8)


def test_steps_join_and_end_exactly_at_the_end():
    steps = list(DOP853().steps(oscillator, 0.5, exact(np.array(0.5)), 3.0, rtol=1e-10, atol=1e-10, first_size=None))
    assert steps[0].t_old == 0.5
    assert all(a.t == b.t_old for a, b in pairwise(steps))
    assert steps[-1].t == 3.0
    assert_allclose(steps[-1].y, exact(np.array(3.0)), atol=1e-8)


@pytest.mark.parametrize("start", [0.0, 1.0])
def test_a_rate_that_is_not_finite_is_a_failure_and_never_an_endless_search(start):
    def broken(t, y):
        return np.full_like(y, np.nan) if t >= start else oscillator(t, y)

    with np.errstate(invalid="ignore"), pytest.raises(NumericalFailure, match=f"at t = {start:.0f}|0.9999"):
        for _ in DOP853().steps(broken, 0.0, exact(np.array(0.0)), 4.0, rtol=1e-8, atol=1e-8, first_size=None):
            pass
