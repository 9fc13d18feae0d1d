"""What of a series lies between its samples."""

from __future__ import annotations

import numpy as np

from ..errors import checked
from ..spatial import Array


@checked
def unseen_peak(t: Array, sizes: Array) -> float:
    """Return by how much a smooth series (n,) over t (n,) [s] is higher between its samples than at the highest of them.

    It is the top of the parabola through that one and its neighbours; 0 where it is the first or the last, or beside a jump.
    An estimate of our own.

    >>> t = np.array([0.0, 1.0, 2.0])
    >>> round(unseen_peak(t, np.array([3.0, 4.0, 3.5])), 4)
    0.0208
    """
    at = int(np.argmax(sizes))
    if not 0 < at < len(t) - 1 or not (t[at - 1] < t[at] < t[at + 1] and np.isfinite(sizes[at - 1 : at + 2]).all()):
        return 0.0
    before, after = np.diff(t[at - 1 : at + 2])
    rise, fall = np.diff(sizes[at - 1 : at + 2]) / (before, after)
    slope, bend = (rise * after + fall * before) / (before + after), (rise - fall) / (before + after)
    return float(slope**2 / (4 * bend)) if bend > 0 else 0.0
