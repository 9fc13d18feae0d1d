"""The law that every mode shares: joints move as they are pushed, each by itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...spatial import Array
from ...system import System
from ._residual import KEPT, Residual, largest

_ROUNDING = 1e-12  # of the largest impulse that any joint has, and of 1 m/s where nothing moves


def joints_move_as_pushed(system: System, left: Array, parts: Array) -> Iterator[Residual]:
    """Yield what is left of the equation of motion of the joint that fares worst; nothing of a system without joints.

    left, parts : (n, N) impulses that a joint moved with but was not given, and the largest part of its balance until then
        [N m s or N s]

    Each joint is held against what it balances itself, so that a light wrist counts as much as a heavy shoulder.

    >>> [law.name for law in joints_move_as_pushed(system, history.joint_impulse_left, history.joint_impulse)]
    ['joint_motion']
    """
    if not parts.size:
        return
    parts_most, away = largest(parts), np.abs(left)
    scales = np.maximum(parts_most, _ROUNDING / KEPT * max(float(parts_most.max()), system.mass_kg))
    worst = int(np.argmax(largest(away) / scales))  # the first that is no number, if any
    freedom = system.freedoms[worst]
    yield Residual.of(
        "joint_motion",
        f"impulse with which joint '{freedom.name}' moved less what it was given",
        "N m s" if freedom.turns else "N s",
        away[:, worst],
        float(scales[worst]),
        "the largest part of that joint's own balance",
    )
