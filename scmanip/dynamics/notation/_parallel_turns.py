"""Which angles a person adds: those of turns about parallel axes, seen from the same link."""

from __future__ import annotations

import numpy as np

from ...spatial import Array, cross
from ...system import Motion
from ..sums._parameters import Parameters

PARALLEL = 1e-12  # sine of the angle between two axes


def parallel_turns(parameters: Parameters) -> list[tuple[int, ...]]:
    """Return groups of entries of q: angles of turns whose axes stay parallel, whatever q is."""
    found: list[tuple[int, Array, list[int]]] = []
    for i, motion in enumerate(parameters.motions):
        axis = _axis(motion)
        if axis is None:
            continue
        own = [q for q, k in zip(parameters.coordinates[i], motion.angular, strict=True) if np.any(k)]
        link, axis = _seen_from(parameters, i, axis)
        same = (qs for other, its, qs in found if other == link and _parallel(its, axis))
        group = next(same, None)
        if group is None:
            found.append((link, axis, own))
        else:
            group += own
    return [tuple(group) for _, _, group in found]


def _axis(motion: Motion) -> Array | None:
    """Return the axis (3,) about which a motion turns, None where it does not or has several."""
    axes = [k for k in motion.angular if np.any(k)]
    one = axes and motion.n_q == motion.dof and all(_parallel(axes[0], k) for k in axes)
    return axes[0] if one else None


def _seen_from(parameters: Parameters, i: int, axis: Array) -> tuple[int, Array]:
    """Return the link nearest to the base in which the axis of link i never moves, and the axis in its axes."""
    link = i
    while parameters.parent[link] >= 0:
        axis, link = parameters.dcm[link] @ axis, int(parameters.parent[link])
        turn = _axis(parameters.motions[link])
        if np.any(parameters.motions[link].angular) and (turn is None or not _parallel(turn, axis)):
            break
    return link, axis


def _parallel(a: Array, b: Array) -> bool:
    across = cross(a, b)
    return bool(across @ across <= PARALLEL**2 * (a @ a) * (b @ b))
