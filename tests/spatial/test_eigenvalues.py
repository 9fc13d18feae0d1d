"""Eigenvalues that a program can compute are those of LAPACK, whatever the matrix."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.spatial import singular_values, squared_singular_values, symmetric_eigenvalues
from scmanip.symbolic import record

EPS = np.finfo(float).eps
CASES = 10_000


def spectra(kind, n, rng):
    """Eigenvalues (CASES, n) in [0, 1] or near it."""
    if kind == "far apart":
        return 10 ** rng.uniform(-16, 0, (CASES, n))
    if kind == "repeated":
        return rng.choice([1.0, 0.5, 1e-3], (CASES, n))
    if kind == "nearly equal":
        return 1 + 10 ** rng.uniform(-12, -2, (CASES, 1)) * rng.normal(size=(CASES, n))
    if kind == "pairs":
        rows = 10 ** rng.uniform(-6, 0, (CASES, n))
        rows[:, 1::2] = rows[:, : 2 * (n // 2) : 2] * (1 + 10 ** rng.uniform(-14, -3, (CASES, n // 2)))
        return rows
    rows = 10 ** rng.uniform(-3, 0, (CASES, n))
    rows[:, : n - 1] = 0  # one direction alone
    return rows


def check(S):
    """The eigenvalues of matrices S (cases, n, n), all at once, are LAPACK's to rounding of the largest."""
    found = np.sort(symmetric_eigenvalues(np.moveaxis(S, 0, -1)), axis=0).T
    true = np.linalg.eigvalsh(S)
    assert np.isfinite(found).all()
    assert (np.abs(found - true) <= 20 * EPS * true[:, -1:]).all()


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("kind", ["far apart", "repeated", "nearly equal", "pairs", "of rank one"])
def test_spectra_of_every_kind(kind, n):
    rng = np.random.default_rng(n)
    Q = np.linalg.qr(rng.normal(size=(CASES, n, n)))[0]
    S = (Q * spectra(kind, n, rng)[:, None, :]) @ np.swapaxes(Q, 1, 2)
    check((S + np.swapaxes(S, 1, 2)) / 2)


@pytest.mark.parametrize("n", range(1, 7))
def test_products_of_matrices_with_rows_and_columns_of_every_size(n):
    rng = np.random.default_rng(n)
    A = rng.normal(size=(CASES, n, n)) * 10 ** rng.uniform(-5, 0, (CASES, n, 1)) * 10 ** rng.uniform(-5, 0, (CASES, 1, n))
    check(A @ np.swapaxes(A, 1, 2))


@pytest.mark.parametrize(
    "S",
    [np.zeros((6, 6)), np.eye(6), np.ones((6, 6)), np.eye(4) + np.ones((4, 4)), 1e-130 * np.ones((3, 3)), np.diag([0, 0, 1.0])],
)
def test_where_nothing_is_to_turn_nothing_is_divided_by_zero(S):
    assert_allclose(np.sort(symmetric_eigenvalues(S)), np.linalg.eigvalsh(S), rtol=0, atol=20 * EPS * np.abs(S).max() * len(S))


@pytest.mark.parametrize("shape", [(6, 6), (6, 4), (3, 7), (3, 1)])
def test_a_program_has_the_singular_values_of_every_matrix_of_its_shape(shape):
    program = record({"A": shape}, lambda A: {"squares": squared_singular_values(A)})
    rng = np.random.default_rng(3)
    for smallest in (1.0, 1e-3, 1e-9, 0.0):
        U, _, V = np.linalg.svd(rng.normal(size=shape), full_matrices=False)
        A = (U * np.geomspace(3.0, 1.0, min(shape)) * [*[1.0] * (min(shape) - 1), smallest]) @ V
        squares = np.sort(program.evaluate(A)[0])[::-1]
        assert_allclose(squares, singular_values(A) ** 2, rtol=0, atol=20 * EPS * 9.0)
        assert_allclose(squared_singular_values(A), singular_values(A) ** 2, rtol=1e-15)
