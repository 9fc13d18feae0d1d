"""The largest size of a series, and what of its limit it took."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import InvalidInput, Problem
from ..spatial import Array, is_number

_AT_LIMIT = 1 - 1e-9  # of a limit: what is held there counts as over


class Peak(NamedTuple):
    """Largest size, when it was, and when the limit was first reached [s], None where it was not."""

    peak: float
    t_peak_s: float
    t_over_s: float | None


def peak_of(t: Array, series: Array, limit: Any) -> Peak:
    """Return the peak of a series (n,) over t (n,) [s]; the first that is no number, if any."""
    if not isinstance(limit, float | np.floating) and not is_number(limit):
        raise InvalidInput(Problem("limit", "a number", repr(limit)))
    sizes = np.abs(series)
    at, over = int(np.argmax(sizes)), np.flatnonzero(sizes > limit * _AT_LIMIT)
    return Peak(float(sizes[at]), float(t[at]), float(t[over[0]]) if over.size else None)
