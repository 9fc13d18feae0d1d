"""One curve per wheel, and what the wheels are allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..simulation import History
from ..spatial import Array
from ._panels import COLOURS, curves

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def wheel_curves(axis: Axes, history: History, series: Array, limits: Sequence[float]) -> None:
    """Draw the columns of `series` (n, n_w), the legend with each wheel's largest size, and its limit where one is near.

    A limit is drawn, dotted and both ways, where the wheel uses more than a fifth of it; the legend has it in any case.
    """
    names, peaks = [], np.abs(series).max(axis=0)
    for i, (wheel, peak, limit) in enumerate(zip(history.system.wheels, peaks, limits, strict=True)):
        names.append(f"{wheel.name}, peak {peak:.3g}" + (f" of {limit:.4g}" if np.isfinite(limit) else ""))
        if peak > limit / 5:
            for line in (limit, -limit):
                axis.axhline(line, color=COLOURS[i % len(COLOURS)], linestyle=":", linewidth=1.2)
    curves(axis, history.t, series, names)
