"""Integrals over the steps of a run against those of polynomials, inside steps and at their ends."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.simulation.record._quadrature import Quadrature

ENDS = np.array([1.0, 1.3, 2.9, 3.0])
RATES = np.polynomial.Polynomial([0.3, -1.1, 0.7, 0.2, -0.4, 0.1, 0.05])
ROUNDING = 4e-16 * np.polynomial.Polynomial(np.abs(RATES.integ().coef))(3.0)  # of the sum of what integrals are made of


@pytest.mark.parametrize("t", [np.linspace(1.0, 3.0, 41), ENDS])
def test_integrals_of_polynomials_are_exact_at_any_time(t):
    rule, whole = Quadrature(ENDS), RATES.integ(lbnd=1.0)
    values = RATES(rule.times)
    one, several, none = rule.totals(t, values, np.outer(values, [1.0, -2.0]).reshape(-1, 1, 2), np.zeros((len(values), 0)))
    assert_allclose(one, whole(t), rtol=0, atol=ROUNDING)
    assert_allclose(several, np.outer(whole(t), [1.0, -2.0]).reshape(-1, 1, 2), rtol=0, atol=2 * ROUNDING)
    assert none.shape == (len(t), 0)


def test_other_times_have_integrals_of_their_own():
    rule = Quadrature(ENDS)
    for t in (ENDS, np.array([1.1, 2.0]), ENDS):
        (found,) = rule.totals(t, RATES(rule.times))
        assert_allclose(found, RATES.integ(lbnd=1.0)(t), rtol=0, atol=ROUNDING)


def test_nothing_is_gained_in_no_steps():
    (found,) = Quadrature(np.array([1.0])).totals(np.array([1.0]), np.zeros((0, 3)))
    assert found.tolist() == [[0.0, 0.0, 0.0]]
