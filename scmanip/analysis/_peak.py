"""The largest size of a series, and what of its limit it took."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import InvalidInput, Problem
from ..spatial import Array, is_number

_AT_LIMIT = 1 - 1e-9  # of a limit: what is held there counts as over


class Peak(NamedTuple):
    """Largest size, when it was, when the limit was first reached [s], None where it was not, and `unseen_peak`."""

    peak: float
    t_peak_s: float
    t_over_s: float | None
    unseen: float


def peak_of(t: Array, series: Array, limit: Any) -> Peak:
    """Return the peak of a series (n,) over t (n,) [s]; the first that is no number, if any."""
    if not isinstance(limit, float | np.floating) and not is_number(limit):
        raise InvalidInput(Problem("limit", "a number", repr(limit)))
    sizes = np.abs(series)
    at, over = int(np.argmax(sizes)), np.flatnonzero(sizes > limit * _AT_LIMIT)
    return Peak(float(sizes[at]), float(t[at]), float(t[over[0]]) if over.size else None, unseen_peak(t, sizes))


def unseen_peak(t: Array, sizes: Array) -> float:
    """Return by how much a smooth series (n,) over t (n,) [s] is higher between its samples than at the highest of them.

    It is the top of the parabola through that one and its neighbours; 0 where it is the first or the last, or beside a jump.
    """
    at = int(np.argmax(sizes))
    if not 0 < at < len(t) - 1 or not (t[at - 1] < t[at] < t[at + 1] and np.isfinite(sizes[at - 1 : at + 2]).all()):
        return 0.0
    before, after = np.diff(t[at - 1 : at + 2])
    rise, fall = np.diff(sizes[at - 1 : at + 2]) / (before, after)
    slope, bend = (rise * after + fall * before) / (before + after), (rise - fall) / (before + after)
    return float(slope**2 / (4 * bend)) if bend > 0 else 0.0
