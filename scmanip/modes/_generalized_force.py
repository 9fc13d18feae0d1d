"""What the actuators apply to the system."""

from __future__ import annotations

from typing import NamedTuple

from ..spatial import Array


class GeneralizedForce(NamedTuple):
    """What a command comes to.

    tau : (N,) joint forces [N m or N]
    wrench : (6,) [f; n] on the base at its CoM in N, of thrusters and wheels together; None without one
    external : (6,) the part of it that comes from outside, of thrusters; None without one
    wheel_rad_s2 : (n_w,) accelerations of the wheels relative to the base that give the other part; None where they are held
    """

    tau: Array
    wrench: Array | None
    external: Array | None = None
    wheel_rad_s2: Array | None = None
