"""Singular values and rows that a program can compute are those of LAPACK, whatever the matrix."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.spatial import orthogonal_rows, singular_values
from scmanip.symbolic import record

EPS = np.finfo(float).eps
CASES = 10_000


def spectra(kind, n, rng):
    """Singular values (CASES, n) in [0, 1] or near it."""
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


@cache
def program(k, n):
    """Rows made orthogonal, and how they were turned; recorded, so that they go by rotations."""
    names = ("W", "turn")
    return record({"A": (k, n)}, lambda A: dict(zip(names, orthogonal_rows(A, np.eye(k, dtype=int)), strict=True)))


def check(A):
    """Rows made of A (cases, k, n) are turned, as long as LAPACK says, and so orthogonal that the rest is of second order."""
    k = A.shape[1]
    W, turn = program(*A.shape[1:]).evaluate(A)
    true = np.linalg.svd(A)[1]
    largest = true[:, :1]
    lengths = np.linalg.norm(W, axis=2)
    assert (np.abs(np.sort(lengths, axis=1)[:, ::-1] - true) <= 150 * EPS * largest).all()
    assert (np.abs(turn @ A - W) <= 20 * EPS * largest[..., None]).all()
    assert_allclose(turn @ np.swapaxes(turn, 1, 2), np.broadcast_to(np.eye(k), turn.shape), rtol=0, atol=30 * EPS)
    products = np.abs(W @ np.swapaxes(W, 1, 2) - lengths[:, None] * (lengths[..., None] * np.eye(k)))
    assert (products <= 1e-10 * largest[..., None] ** 2).all()


@pytest.mark.battery(7)
@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("kind", ["far apart", "repeated", "nearly equal", "pairs", "of rank one"])
def test_spectra_of_every_kind(kind, n):
    rng = np.random.default_rng(n)
    Q, P = np.linalg.qr(rng.normal(size=(2, CASES, n, n)))[0]
    check((Q * spectra(kind, n, rng)[:, None, :]) @ P)


@pytest.mark.battery(1)
@pytest.mark.parametrize("n", range(1, 7))
def test_products_of_matrices_with_rows_and_columns_of_every_size(n):
    rng = np.random.default_rng(n)
    check(rng.normal(size=(CASES, n, n)) * 10 ** rng.uniform(-5, 0, (CASES, n, 1)) * 10 ** rng.uniform(-5, 0, (CASES, 1, n)))


@pytest.mark.parametrize("A", [np.zeros((6, 6)), np.eye(6), np.ones((6, 6)), np.eye(4) + np.ones((4, 4)), np.diag([0, 0, 1.0])])
def test_where_nothing_is_to_turn_nothing_is_divided_by_zero(A):
    check(A[None])


@pytest.mark.parametrize("shape", [(6, 6), (4, 6), (3, 7), (1, 3)])
def test_a_program_has_the_singular_values_of_every_matrix_of_its_shape(shape):
    rng = np.random.default_rng(3)
    for smallest in (1.0, 1e-3, 1e-9, 0.0):
        U, _, V = np.linalg.svd(rng.normal(size=shape), full_matrices=False)
        A = (U * np.geomspace(3.0, 1.0, shape[0]) * [*[1.0] * (shape[0] - 1), smallest]) @ V
        check(A[None])
        lengths = np.linalg.norm(orthogonal_rows(A, np.eye(shape[0]))[0], axis=1)
        assert_allclose(lengths, singular_values(A), rtol=0, atol=20 * EPS * 3.0)
