"""Equations of motion in the independent speeds, recombined from those of all speeds [Gillespie2003] eqs 44-46."""

from __future__ import annotations

from ...spatial import Array, Cholesky, transpose
from ._embedding import Embedding


def recombined_inertia(M: Array, embedding: Embedding) -> Array:
    """Return the inertia (p, p) of the independent speeds: what eq. 45 makes of the columns of M (n, n)."""
    return transpose(embedding.W) @ M @ embedding.W


def recombined_forces(F: Array, embedding: Embedding) -> Array:
    """Return F~_r = F_r + sum over s of D_sr F_s (p,) of forces F (n,), eqs 44, 45."""
    return F[list(embedding.independent)] + transpose(embedding.D) @ F[list(embedding.dependent)]


def embedded_accelerations(M: Array, unmoved: Array, embedding: Embedding) -> Array:
    """Return udot (n,) of F~_r + F~*_r = 0, eq. 46.

    M : (n, n); unmoved : (n,) forces F less those that `embedding.remainder` takes, which is udot without udot_ind
    """
    if not embedding.independent:
        return embedding.remainder
    udot = Cholesky.of(recombined_inertia(M, embedding)).solve(recombined_forces(unmoved, embedding))
    return embedding.W @ udot + embedding.remainder
