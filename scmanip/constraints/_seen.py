"""What constraints see of a system."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from ..spatial import Array, FloatArray, cross, transpose

GROUND = "ground"  # the inertial frame


@dataclass(frozen=True, eq=False)
class RelativeMotion:
    """How a frame b moves relative to a frame a, as a sees it, over any scalar.

    Fields are in N, where a Jacobian has the zeros that a tree has.

    axes, axes_b : (3, 3) axes of a and of b, unit vectors as columns
    d_N : (3,) from the origin of a to that of b [m]
    J_N : (6, n_u) [linear; angular], in SI: J_N u is how fast d changes for a and how b turns relative to a
    twist_N : (6,) J_N u [m/s, rad/s]
    bias_N : (6,) the rate of J_N u, entry by entry, where udot = 0 [m/s^2, rad/s^2]
    omega : (3,) angular velocity of a [rad/s]
    apart : whether nothing carries both, the base and free bodies being carried by nothing and the ground by all

    Without a suffix all is in the axes of a.

    >>> from scmanip.dynamics import Sight
    >>> motion = Sight(system, model.equations(state)).relative("base", "tip")
    >>> motion.d.round(3).tolist(), motion.J_N.shape, motion.apart
    ([4.18, 0.594, 0.0], (6, 10), False)
    """

    axes: Array
    axes_b: Array
    d_N: Array
    J_N: Array
    twist_N: Array
    bias_N: Array
    omega: Array
    apart: bool = False

    @cached_property
    def d(self) -> Array:
        """(3,) from the origin of a to that of b, in axes of a [m]."""
        return transpose(self.axes) @ self.d_N

    @cached_property
    def C(self) -> Array:
        """(3, 3) axes of b in those of a, unit vectors as columns."""
        return transpose(self.axes) @ self.axes_b

    @cached_property
    def J(self) -> Array:
        """(6, n_u) [linear; angular], in axes of a and SI."""
        return self.along(np.eye(6))

    @cached_property
    def twist(self) -> Array:
        """(6,) J u [m/s, rad/s], in axes of a."""
        return self._seen(self.twist_N)

    @cached_property
    def bias(self) -> Array:
        """(6,) the rate of J u, entry by entry, where udot = 0 [m/s^2, rad/s^2], in axes of a."""
        towed = [cross(self.omega, part) for part in np.split(self.twist_N, 2)]
        return self._seen(self.bias_N - np.concatenate(towed))

    def along(self, directions: Array) -> Array:
        """Return rows (k, n_u) of J along directions (k, 6) [linear; angular] in axes of a."""
        to_a = transpose(self.axes)
        return directions[:, :3] @ to_a @ self.J_N[:3] + directions[:, 3:] @ to_a @ self.J_N[3:]

    def _seen(self, twist: Array) -> Array:
        """Return a twist (6,) in axes of a."""
        return np.concatenate([transpose(self.axes) @ part for part in np.split(twist, 2)])


class Hinge(NamedTuple):
    """The one direction about which a frame b can turn relative to a frame a: a unit vector (3,) in the axes of each.

    >>> from scmanip.dynamics import Sight
    >>> hinge = Sight(system, model.equations(state)).hinge("base", "tip")
    >>> hinge.in_a.tolist()
    [0.0, 0.0, 1.0]
    """

    in_a: FloatArray
    in_b: FloatArray


class Structure(Protocol):
    """A system without its state.

    >>> from scmanip.dynamics import Sight
    >>> seen = Sight(system, model.equations(state))  # a `SeenSystem`, which is a `Structure` in a state
    >>> seen.speeds[:2], seen.units("joint1"), seen.efforts(["v_0.x", "joint1"]), seen.coordinate_count("joint1")
    (('v_0.x', 'v_0.y'), ('rad',), ('N', 'N m'), 1)
    """

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names (n_u) of the speeds u."""

    def freedoms(self, joint: str) -> tuple[str, ...]:
        """Return the names of the freedoms of a joint, or the one that is called so."""

    def efforts(self, speeds: Iterable[str]) -> tuple[str, ...]:
        """Return the units of forces along speeds of u, "N" or "N m"."""

    def units(self, joint: str) -> tuple[str, ...]:
        """Return "rad" or "m" of each freedom of a joint."""

    def hinge(self, a: str, b: str) -> Hinge | None:
        """Return the direction about which frame b turns relative to frame a; None where there are several, or none."""

    def coordinate_count(self, joint: str) -> int:
        """Return how many entries of q a joint has."""


class SeenSystem(Structure, Protocol):
    """A system at one state; frames are called as in its file, and `ground` is the inertial one.

    >>> from scmanip.dynamics import Sight
    >>> seen = Sight(system, model.equations(state))  # what the dynamics show to constraints
    >>> seen.coordinates("joint3").tolist(), seen.rates("joint3")[0, 6:].tolist()
    ([-0.2], [0.0, 0.0, 1.0, 0.0])
    """

    @property
    def u(self) -> Array:
        """(n_u,) the speeds [m/s, rad/s]."""

    def relative(self, a: str, b: str) -> RelativeMotion:
        """Return how frame b moves relative to frame a."""

    def coordinates(self, joint: str) -> Array:
        """Return the coordinates (n_q,) [rad or m] of a joint, or the one that is called so."""

    def rates(self, joint: str) -> Array:
        """Return rows (dof, n_u), bare numbers, that take the rates of a joint, or of one of its freedoms, from u."""

    def difference(self, joint: str, q_from: Array) -> Array:
        """Return what must be turned and moved (dof,) [rad or m] to come to the coordinates of a joint from others (n_q,)."""
