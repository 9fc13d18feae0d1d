"""Rows of closed contacts between bodies of a system."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ...constraints import GROUND, SeenSystem
from ...errors import InvalidInput, Problem
from ...impacts import Contacts, Touch
from ...spatial import Array, cross, skew, transpose

FIXED = 1e-12  # of a row of unit length: bodies whose relative speed is less cannot move against each other


def touch_rows(seen: SeenSystem, touches: Sequence[Touch], friction: ArrayLike) -> Contacts:
    """Return the rows of touches at a state of floats: speeds of b against a at their places, which are places of both.

    Drifts that touches do not have are those of places fixed in b on flat faces of a. Raises `UnknownName` for frames, and
    `InvalidInput` for bodies that cannot move against each other.
    """
    each = [_rows(seen, touch) for touch in touches]
    J = np.array([rows for rows, _ in each]).reshape(-1, 3, len(seen.speeds))
    drift = np.array([rates for _, rates in each]).reshape(-1, 3)
    return Contacts(J[:, 0], J[:, 1:].reshape(-1, len(seen.speeds)), friction, drift[:, 0], drift[:, 1:].ravel())


def _rows(seen: SeenSystem, touch: Touch) -> tuple[Array, Array]:
    """Return rows (3, n_u) along the normal and the tangents, and their drifts (3,)."""
    motion = seen.relative(*touch.frames)
    to_a = transpose(motion.axes)
    arm = np.zeros(3) if touch.place_m is None else to_a @ (touch.place_m - seen.relative(GROUND, touch.frames[1]).d)
    axes = touch.axes @ motion.axes
    rows = axes @ (motion.J[:3] - skew(arm) @ motion.J[3:])
    if not np.any(abs(rows) > FIXED):
        one, other = map(repr, touch.frames)
        raise InvalidInput(
            Problem(f"touch {touch.name!r}", "frames of bodies that can move against each other", f"{one} and {other}")
        )
    if touch.drift_m_s2 is not None:
        return rows, touch.drift_m_s2
    turning = motion.twist[3:]
    return rows, axes @ (motion.bias[:3] + cross(motion.bias[3:], arm) + cross(turning, cross(turning, arm)))
