"""Where joints were beyond their limits, found between samples by cubics through places and rates."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.polynomial import Polynomial

from ...spatial import Array
from ..events._limit_passage import LimitPassage
from ..loop._replay import replayed
from ..loop._setup import Setup
from ._look import Look
from ._samples import Samples

PARTS = 32  # into which the time between two places is divided where a limit may have been passed in it
SPARE = 0.5  # of the range of a joint between two places: as near to a limit it is looked at
ROUNDING = 1e-12  # [rad or m]: no further beyond a limit is on it


class _Limit(NamedTuple):
    coordinate: str
    side: str
    limit: float
    unit: str


class _Piece(NamedTuple):
    start: float
    stop: float
    top: float
    at: float

    def joined(self, other: _Piece) -> _Piece:
        """Return it with the piece that follows."""
        best = self if self.top >= other.top else other
        return _Piece(self.start, other.stop, best.top, best.at)


def has_ranges(setup: Setup) -> bool:
    """Whether any coordinate has a limit."""
    return any(np.isfinite(c.lower) or np.isfinite(c.upper) for c in setup.model.system.coordinates)


def limit_passages(setup: Setup, look: Look) -> tuple[LimitPassage, ...]:
    """Return where coordinates were beyond their limits, in order of time.

    Only where a look into the steps says that it may have happened the run is done again, to look between its places.
    """
    samples = look.samples
    suspect = np.zeros(max(len(samples.t) - 1, 0), dtype=bool)
    for _, beyond, rate in _distances(setup, samples):
        hull = _hull(samples.t, beyond, rate)
        suspect |= hull.max(axis=1) + SPARE * np.ptp(hull, axis=1) > ROUNDING
    if not suspect.any():
        return ()
    starts, sizes = samples.t[:-1][suspect], np.diff(samples.t)[suspect]
    between = starts[:, np.newaxis] + sizes[:, np.newaxis] * np.arange(1, PARTS) / PARTS
    corners = [t for t in setup.stops if 0 < t < samples.t[-1]]
    finer = Samples(setup, replayed(setup, look.track, np.unique(np.concatenate([samples.t[1:], between.ravel(), corners]))))
    found = []
    for limit, beyond, rate in _distances(setup, finer):
        for piece in _stretches(finer.t, beyond, rate):
            back = None if piece.stop == finer.t[-1] else piece.stop
            found.append(LimitPassage(*limit, piece.start, back, piece.top, piece.at))
    return tuple(sorted(found, key=lambda passage: passage.t_s))


def _distances(setup: Setup, samples: Samples) -> Iterator[tuple[_Limit, Array, Array]]:
    """Yield every limit, how far the samples (k,) are beyond it, and the rate of that (k,)."""
    system, states = setup.model.system, samples.states
    for i, j in system.layout.single():
        c = system.coordinates[i]
        if np.isfinite(c.lower):
            yield _Limit(c.name, "lower", c.lower, c.unit), c.lower - states.q[:, i], -states.qdot[:, j]
        if np.isfinite(c.upper):
            yield _Limit(c.name, "upper", c.upper, c.unit), states.q[:, i] - c.upper, states.qdot[:, j]


def _hull(t: Array, beyond: Array, rate: Array) -> Array:
    """Return Bernstein's coefficients (k - 1, 4) of the cubics between samples, which lie within their range."""
    third = np.diff(t) / 3
    inner = (beyond[:-1] + third * rate[:-1], beyond[1:] - third * rate[1:])
    return np.stack([beyond[:-1], *inner, beyond[1:]], axis=1)


def _stretches(t: Array, beyond: Array, rate: Array) -> list[_Piece]:
    """Return every stretch of times (k,) above zero, in order."""
    pieces: list[_Piece] = []
    hull = _hull(t, beyond, rate)
    for k in np.flatnonzero(hull.max(axis=1) > 0):
        first, last = float(t[k]), float(t[k + 1])
        for start, stop, top, at in _above(*hull[k]):
            places = [last if x == 1.0 else first + (last - first) * x for x in (start, stop, at)]
            piece = _Piece(places[0], places[1], top, places[2])
            follows = bool(pieces) and pieces[-1].stop == piece.start
            pieces.append(pieces.pop().joined(piece) if follows else piece)
    return [piece for piece in pieces if piece.top > ROUNDING]


def _above(b_0: float, b_1: float, b_2: float, b_3: float) -> Iterator[_Piece]:
    """Yield the parts of [0, 1] where a cubic with these Bernstein coefficients is above zero."""
    if 0 < b_0 <= b_1 <= b_2 <= b_3 or b_0 >= b_1 >= b_2 >= b_3 > 0:  # all of it, highest at an end, as most of long stretches
        yield _Piece(0.0, 1.0, float(max(b_0, b_3)), float(b_3 > b_0))
        return
    cubic = Polynomial([b_0, 3 * (b_1 - b_0), 3 * (b_2 - 2 * b_1 + b_0), b_3 - 3 * b_2 + 3 * b_1 - b_0])
    tops = _inside(cubic.deriv())
    for start, stop in pairwise([0.0, *_inside(cubic), 1.0]):
        if cubic((start + stop) / 2) > 0:
            at = max((start, *(x for x in tops if start < x < stop), stop), key=cubic)
            yield _Piece(start, stop, float(cubic(at)), at)


def _inside(polynomial: Polynomial) -> list[float]:
    """Return the real roots between 0 and 1, ascending."""
    roots = polynomial.roots()
    real = np.real(roots[np.isreal(roots)])
    return sorted(float(x) for x in real if 0 < x < 1)
