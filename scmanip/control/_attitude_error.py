"""What an attitude lacks to another one."""

from __future__ import annotations

from ..spatial import Array, quaternion_conjugate, quaternion_product
from ..symbolic import less, select


def attitude_error(wanted_xyzw: Array, attitude_xyzw: Array) -> Array:
    """Return 2 sin(angle / 2) (3,) about the axis, in N, of the shorter turn from an attitude (4,) to another; any scalar."""
    turn = quaternion_product(wanted_xyzw, quaternion_conjugate(attitude_xyzw))
    return 2 * turn[:3] * select(less(turn[3], 0.0), -1.0, 1.0)
