"""What constraints see of a system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..spatial import Array

GROUND = "ground"  # the inertial frame


@dataclass(frozen=True, eq=False)
class RelativeMotion:
    """How a frame b moves relative to a frame a, in the axes of a, over any scalar.

    d : (3,) from the origin of a to that of b [m]
    C : (3, 3) axes of b in those of a, its columns
    J : (6, n_u) [linear; angular]: d changes with J[:3] u, and b turns relative to a with J[3:] u
    twist : (6,) J u
    bias : (6,) the rate of J u, entry by entry, where udot = 0
    axes : (3, 3) axes of a in N, its columns
    """

    d: Array
    C: Array
    J: Array
    twist: Array
    bias: Array
    axes: Array


class Structure(Protocol):
    """A system without its state."""

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names (n_u) of the speeds u."""

    def freedoms(self, joint: str) -> tuple[str, ...]:
        """Return the names of the freedoms of a joint, or the one that is called so."""

    def coordinate_count(self, joint: str) -> int:
        """Return how many entries of q a joint has."""


class Seen(Structure, Protocol):
    """A system at one state; frames are called as in its file, and `ground` is the inertial one."""

    @property
    def u(self) -> Array:
        """(n_u,) the speeds."""

    def relative(self, a: str, b: str) -> RelativeMotion:
        """Return how frame b moves relative to frame a."""

    def coordinates(self, joint: str) -> Array:
        """Return the coordinates (n_q,) of a joint, or the one that is called so."""

    def rates(self, joint: str) -> Array:
        """Return rows (dof, n_u) that take the rates of a joint, or of one of its freedoms, from u."""

    def difference(self, joint: str, q_from: Array) -> Array:
        """Return what must be turned and moved (dof,) to come to the coordinates of a joint from others (n_q,)."""
