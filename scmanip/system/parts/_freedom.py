"""What a joint is made of: its coordinates, entries of q, and its freedoms, entries of qdot."""

from __future__ import annotations

from dataclasses import dataclass

from ...spatial import FloatArray

BASE_SPEEDS = tuple(f"{vector}.{axis}" for vector in ("v_0", "omega_0") for axis in "xyz")  # of a base that floats


@dataclass(frozen=True)
class Coordinate:
    """One entry of q.

    name : of the joint, or of one of its coordinates ("wrist.2", "wrist.w")
    unit : "rad", "m", or "1" for an entry of a quaternion
    lower, upper : limits in that unit

    >>> system.coordinates[0].name, system.coordinates[0].unit
    ('joint1', 'rad')
    """

    name: str
    unit: str
    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class Freedom:
    """One entry of qdot and of tau.

    name : of the joint, or of one of its freedoms ("wrist.2", "wrist.y")
    joint : name of the joint
    unit : of what moves, "rad" or "m"
    twist : (6,) [linear; angular] per unit of it, in axes of what it moves, before what its joint does after it
    stiffness, damping : [N m/rad or N/m], [N m s/rad or N s/m]

    >>> freedom = system.freedoms[1]
    >>> freedom.name, freedom.turns, freedom.twist.tolist()
    ('joint2', True, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    """

    name: str
    joint: str
    unit: str
    twist: FloatArray
    stiffness: float
    damping: float

    @property
    def turns(self) -> bool:
        """Whether it is an angle."""
        return self.unit == "rad"
