"""Kepler's equation, M = E - e sin E, with as many operations for every M."""

from __future__ import annotations

from typing import Any

from ..spatial import cos, sin, sqrt

LARGEST_ECCENTRICITY = 0.999
NEWTON_STEPS = 10  # one more than the worst M needs to come to rounding at the largest eccentricity


def eccentric_anomaly(M: Any, e: float) -> Any:
    """Return the eccentric anomaly E [rad] of the mean anomaly M [rad], any real number, and 0 <= e <= 0.999.

    x = E - M solves x = e sin(M + x). It is periodic in M, so that M needs no reduction; x = e sin M / |1 - e exp(iM)| is a
    good start for every M and e, and a fixed number of Newton's steps follows. Any scalar; with e = 0 there are none.

    >>> E = eccentric_anomaly(1.0, 0.3)
    >>> round(float(E), 6), round(float(E - 0.3 * np.sin(E)), 12)
    (1.288091, 1.0)
    """
    if e == 0:
        return M
    s, c = sin(M), cos(M)
    x = e * s / sqrt(1 - 2 * e * c + e * e)
    for _ in range(NEWTON_STEPS):
        x = x - (x - e * sin(M + x)) / (1 - e * cos(M + x))
    return M + x
