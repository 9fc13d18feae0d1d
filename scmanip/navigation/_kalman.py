"""A measurement in a Kalman filter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import checked
from ..spatial import Array


class Correction(NamedTuple):
    """What a measurement changes: the error state (n,), and the covariance (n, n) after it."""

    dx: Array
    P: Array


def corrected(P: Array, innovation: Array, H: Array, R: Array) -> Correction:
    """Return what a measurement says: K (y - h) with K = P H' (H P H' + R)^-1, and P in Joseph's form [Bucy1968].

    P : (n, n); innovation : (m,) y - h; H : (m, n); R : (m, m)
    """
    K = np.linalg.solve(H @ P @ H.T + R, H @ P).T
    left = np.eye(len(P)) - K @ H
    after = left @ P @ left.T + K @ R @ K.T
    return Correction(K @ innovation, (after + after.T) / 2)


@checked
def consistency(errors: Array, P: Array) -> float:
    """Return the normalised estimation error squared e' P^-1 e, whose mean is the number of errors where P is right.

    By definition of a covariance.

    errors : (n,) in any units, and P (n, n), their covariance, positive definite; NaN of no errors, and of a P that is singular

    >>> consistency(np.array([1.0, 2.0]), np.diag([1.0, 4.0]))
    2.0
    """
    try:
        return float(errors @ np.linalg.solve(P, errors)) if len(errors) else np.nan
    except np.linalg.LinAlgError:
        return np.nan
