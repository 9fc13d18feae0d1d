"""Which of the forces that contacts may have is farthest from letting any of them go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import checked
from ..spatial import Array

CUTS = 40  # rounds in which cones are told more closely; each takes the error down by several times
CLOSE = 1e-12  # of the largest force


class Grasp(NamedTuple):
    """Forces of contacts, one behind the other, and how far each is inside its cone, mu f_n - |f_t|, or f_n (c,)."""

    forces: Array
    margins: Array


@checked
def firmest(forces: Array, inner: Array, sizes: Sequence[int], mu: Array) -> Grasp:
    """Return the forces (d,) + inner (d, z) y whose smallest margin is largest, by linear programmes with more and more cuts.

    sizes : how many forces each contact has, 3 (normal, two tangents) where it sticks and 1 where it slides; mu : (c,)

    In SI. What is firm is a rule of our own.

    >>> forces = np.array([10.0, 0.0, 0.0, 10.0, 0.0, 0.0])  # of two fingers, and how they may squeeze against each other
    >>> inner = np.array([[1.0, 0, 0, 1.0, 0, 0]]).T / np.sqrt(2)
    >>> grasp = firmest(forces, inner, sizes=[3, 3], mu=np.array([0.5, 0.5]))
    >>> grasp.margins.shape, bool((grasp.margins > 5.0).all())  # they press harder than 10 N
    ((2,), True)
    """
    starts = np.cumsum([0, *sizes[:-1]])
    scale = float(np.max(abs(forces), initial=0.0))
    if not inner.shape[1] or not scale:
        return Grasp(forces, _margins(forces, starts, sizes, mu))
    from scipy.optimize import linprog

    octagon = [np.array([np.cos(a), np.sin(a)]) for a in np.arange(8) * np.pi / 4]
    cuts = [
        _cut(i, size, mu[k], way, len(forces))
        for k, (i, size) in enumerate(zip(starts, sizes, strict=True))
        for way in (octagon if size > 1 else octagon[:1])
    ]
    z, found = inner.shape[1], forces
    bounds: list[Any] = [(-1e3, 1e3)] * z + [(None, 1.0)]
    for _ in range(CUTS):
        rows = np.array(cuts)
        limits = np.column_stack([-rows @ inner, np.ones(len(rows))])
        best = linprog([*np.zeros(z), -1.0], A_ub=limits, b_ub=rows @ forces / scale, bounds=bounds)
        if best.status != 0:
            break
        found = forces + scale * (inner @ best.x[:z])
        margins = _margins(found, starts, sizes, mu)
        round_ones = [k for k in np.flatnonzero(margins < scale * (best.x[z] - CLOSE)).tolist() if sizes[k] > 1]
        if not round_ones:
            break
        for k in round_ones:
            f_t = found[starts[k] + 1 : starts[k] + 3]
            cuts.append(_cut(starts[k], 3, mu[k], f_t / np.linalg.norm(f_t), len(forces)))
    return Grasp(found, _margins(found, starts, sizes, mu))


def _cut(start: int, size: int, mu: float, way: Array, d: int) -> Array:
    """Return the row (d,) of a condition row @ f >= margin."""
    row = np.zeros(d)
    row[start : start + size] = [mu, *-way] if size > 1 else 1.0
    return row


def _margins(f: Array, starts: Sequence[int] | Array, sizes: Sequence[int], mu: Array) -> Array:
    pairs = zip(starts, sizes, mu, strict=True)
    return np.array([m * f[i] - np.hypot(*f[i + 1 : i + 3]) if size > 1 else f[i] for i, size, m in pairs])
