"""What rows of constraints do to the motion, over any scalar: generalized forces A' lambda, found in three ways.

lambda_i works on A_i u: where row i is the velocity of a point along an axis, lambda_i is the force along it. M udot + rest = F
+ A' lambda. All ways take the m independent rows that were selected, and their results agree.
"""

from __future__ import annotations

import numpy as np

from ...spatial import Array, Cholesky, solve, transpose
from ._embedding import Embedding


def by_auxiliary_speeds(missing: Array, embedding: Embedding) -> Array:
    """Return lambda (m,) by auxiliary generalized speeds, Kane's way of bringing constraint forces into evidence.

    Each row gets a speed w = A u + speed, as if it were let go. Partial velocities of w lie along A_dep^-1 in the dependent
    speeds, so that F_r + F_r* + lambda_r = 0 for the speeds w.

    missing : (n,) M udot + rest - F, at the constrained udot
    """
    return transpose(embedding.A_dep_inverse) @ missing[list(embedding.dependent)]


def by_orthogonal_complement(missing: Array, M: Array, embedding: Embedding) -> Array:
    """Return lambda (m,) from the equations along the orthogonal complement of the partial velocities (Lesser).

    missing : (n,) as in `by_auxiliary_speeds`; M : (n, n), whose diagonal makes units equal
    """
    normal = embedding.A / np.diagonal(M)
    return solve(normal @ transpose(embedding.A), normal @ missing)


def by_multipliers(M: Array, unmoved: Array, embedding: Embedding) -> Array:
    """Return lambda (m,) as Lagrange's multipliers: A M^-1 A' lambda = -(A M^-1 (F - rest) + drift).

    M : (n, n); unmoved : (n,) F - rest
    """
    yielded = solve(M, np.column_stack([transpose(embedding.A), unmoved]))
    response, free = embedding.A @ yielded[:, :-1], embedding.A @ yielded[:, -1]
    return -solve(response, free + embedding.drift)


def multiplier_accelerations(M: Array, unmoved: Array, embedding: Embedding) -> Array:
    """Return udot (n,) with the multipliers as forces: what the embedded equations must agree with."""
    return solve(M, unmoved + transpose(embedding.A) @ by_multipliers(M, unmoved, embedding))


def smallest_forces(lambdas: Array, A: Array, chosen: Array) -> Array:
    """Return the smallest lambda (k,) of all rows that does what lambdas (m,) of independent ones do.

    A : (k, n) all rows, chosen : (m, n) those of them that are independent; the rank of A is m
    """
    if len(A) == len(chosen):
        return lambdas
    normal = chosen @ transpose(chosen)
    share = transpose(Cholesky.of(normal).solve(chosen @ transpose(A)))  # A = share chosen
    return share @ Cholesky.of(transpose(share) @ share).solve(lambdas)
