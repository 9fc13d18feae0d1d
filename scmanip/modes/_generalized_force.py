"""What the actuators apply to the system."""

from __future__ import annotations

from typing import NamedTuple

from ..spatial import Array


class GeneralizedForce(NamedTuple):
    """`tau` (N,) joint forces [N m or N]; `wrench` (6,) [f; n] on the base at its CoM in N, or None without one."""

    tau: Array
    wrench: Array | None
