"""Inverses that choose no pivots serve every matrix that a program may meet."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.spatial import inverse_3, inverse_by_rows
from scmanip.symbolic import record

EPS = np.finfo(float).eps


@pytest.mark.parametrize("n", range(1, 9))
def test_an_inverse_by_rows_loses_no_more_digits_than_the_condition_number_says(n):
    rng = np.random.default_rng(n)
    for condition in (1.0, 1e3, 1e6):
        left, right = (np.linalg.qr(rng.normal(size=(n, n)))[0] for _ in range(2))
        A = left @ np.diag(np.geomspace(1, 1 / condition, n)) @ right
        error = abs(A @ inverse_by_rows(A) - np.eye(n)).max()
        assert error < 100 * n * np.linalg.cond(A) * EPS


def test_rows_of_the_identity_cost_nothing():
    def function(a):
        return {"W": inverse_by_rows(np.array([[1, 0, 0, 0], [a[0], a[1], 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]))}

    program = record({"a": (2,)}, function)
    assert program.operations.total == 2
    assert_allclose(
        program.evaluate(np.array([3.0, 2.0]))[0] @ [[1, 0, 0, 0], [3, 2, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], np.eye(4)
    )


def test_negatives_of_rows_of_the_identity_are_taken_out_too():
    A = np.array([[2.0, 1, 3, 0], [0, -1, 0, 0], [1, 4, 1, 1], [0, 0, 0, 1]])
    program = record({"a": (2, 4)}, lambda a: {"W": inverse_by_rows(np.array([a[0], [0, -1, 0, 0], a[1], [0, 0, 0, 1]]))})
    assert_allclose(program.evaluate(A[[0, 2]])[0] @ A, np.eye(4), atol=1e-15)
    assert_allclose(inverse_by_rows(A) @ A, np.eye(4), atol=1e-15)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_one_recorded_inverse_serves_matrices_whose_leading_entries_are_zero(n):
    program = record({"A": (n, n)}, lambda A: {"W": inverse_by_rows(A)})
    for A in (np.eye(n)[::-1], np.roll(np.eye(n), 1, axis=0), np.ones((n, n)) - np.eye(n)):
        assert_allclose(program.evaluate(A)[0] @ A, np.eye(n), atol=1e-14)


def test_an_inverse_follows_complex_steps():
    rng = np.random.default_rng(5)
    A, dA = rng.normal(size=(2, 5, 5))
    W = np.linalg.inv(A)
    assert_allclose(inverse_by_rows(A + 1e-30j * dA).imag / 1e-30, -W @ dA @ W, rtol=1e-9, atol=1e-9)
    assert_allclose(inverse_3(A[:3, :3]) @ A[:3, :3], np.eye(3), atol=1e-12)
    twice = inverse_by_rows(np.array([[1.0, 0, 0], [1.0, 0, 0], [0, 1.0, 2.0]]))
    assert not np.isfinite(twice).all() or not np.allclose(twice @ [[1, 0, 0], [1, 0, 0], [0, 1, 2]], np.eye(3))
