"""Symmetric factors against LAPACK, and exactly on symbols."""

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose

from scmanip.spatial import Cholesky


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_factors_multiply_to_the_matrix_and_solve_as_lapack_does(n):
    rng = np.random.default_rng(n)
    A, b, B = rng.normal(size=(n, n)), rng.normal(size=n), rng.normal(size=(n, 4))
    S = A @ A.T + n * np.eye(n)
    factor = Cholesky.of(S)
    assert_allclose(factor.G @ np.diag(1 / factor.D_inverse) @ factor.G.T, S, rtol=1e-13, atol=1e-13)
    assert_allclose(factor.G, np.tril(factor.G))
    assert_allclose(factor.solve(b), np.linalg.solve(S, b), rtol=1e-12)
    assert_allclose(factor.forward(B), np.linalg.solve(factor.G, B), rtol=1e-12, atol=1e-13)
    assert_allclose(factor.backward(B), np.linalg.solve(factor.G.T, B), rtol=1e-12, atol=1e-13)


def test_symbols_are_solved_exactly():
    a, b, c, x, y = sympy.symbols("a b c x y")
    S = np.array([[a, b], [b, c]])
    first, second = S @ Cholesky.of(S).solve(np.array([x, y]))
    assert sympy.simplify(first - x) == 0 and sympy.simplify(second - y) == 0
