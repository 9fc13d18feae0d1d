"""Curves with what they are allowed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..spatial import Array
from ._panels import COLOURS, Axes, curves, limit_line


def limit_curves(
    axis: Axes,
    t: Array,
    series: Array,
    names: Sequence[str],
    limits: Sequence[float],
    *,
    one_way: bool = False,
    least: float = 0.0,
) -> None:
    """Draw the columns of `series` (n, k), the legend with the largest size of each, and its limit where one is near.

    A limit is drawn, dotted and both ways, or `one_way`, where more than a fifth of it is used; the legend has it in any case.
    least : as in `curves`
    """
    words, peaks = [], np.abs(series).max(axis=0)
    for i, (name, peak, limit) in enumerate(zip(names, peaks, limits, strict=True)):
        words.append(f"{name}, peak {peak:.3g}" + (f" of {limit:.4g}" if np.isfinite(limit) else ""))
        if peak > limit / 5:
            for line in (limit,) if one_way else (limit, -limit):
                limit_line(axis, line, COLOURS[i % len(COLOURS)])
    curves(axis, t, series, words, least)
