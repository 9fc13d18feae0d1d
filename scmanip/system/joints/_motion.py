"""Elementary motions, of which a joint is a chain; over any scalar."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from ...spatial import DCM, Array, RotationForm, as_known, cross, rounded


@dataclass(frozen=True, eq=False)
class Motion(ABC):
    """How a frame moves relative to the one before it, with twists that are constant in its own axes.

    At q the frame is first moved by `slide(q)` and then turned by `rotation(q)`, both in axes of the frame before it.

    twists : (k, 6) [linear; angular] per unit of each speed: velocity of its origin, angular velocity, in its own axes

    In SI throughout: q in `unit`, [rad] or [m], or a unit quaternion, speeds [rad/s] or [m/s].

    >>> slide = Joint("rail", "prismatic", axis=[1, 0, 0]).motions[0]
    >>> type(slide).__name__, slide.unit, slide.twists.tolist()
    ('Slide', 'm', [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]])
    """

    twists: Array
    unit: ClassVar[str] = "rad"

    @property
    def dof(self) -> int:
        """Number of speeds."""
        return len(self.twists)

    @property
    def n_q(self) -> int:
        """Number of coordinates; where it is that of speeds, these are their rates."""
        return self.dof

    def columns(self, q: Array) -> Array:
        """Return (k, 6) the twists, per unit of each speed, in its own axes at its q (n_q,)."""
        return self.twists

    @property
    def linear(self) -> Array:
        """(k, 3) velocities of the origin per speed, in its own axes [m/rad, or 1]."""
        return as_known(self.twists[:, :3])

    @property
    def angular(self) -> Array:
        """(k, 3) angular velocities per speed, in its own axes [1]."""
        return as_known(self.twists[:, 3:])

    def rotation(self, form: RotationForm, q: Array) -> Array | None:
        """Return the rotation, its own axes to those before, at its q (n_q,); None where it never turns."""
        return None

    def slide(self, q: Array) -> Array | None:
        """Return the way (3,) [m] of its origin in axes of the frame before, at its q (n_q,); None where it never moves."""
        return None

    def neutral(self) -> Array:
        """Return the q (n_q,) [rad or m] at which it is where it begins."""
        return np.zeros(self.n_q)

    def coordinate_rates(self, q: Array, qdot: Array) -> Array:
        """Return the time derivative (n_q,) of q at speeds (k,) [rad/s or m/s]."""
        return qdot

    def difference(self, q: Array, q_from: Array) -> Array:
        """Return what must be turned and moved (k,) [rad or m] to come from `q_from` to `q`."""
        return q - q_from

    def quasi_forces(self, qdot: Array, p: Array) -> Array:
        """Return what Lagrange's equations have besides (k,) [N m] where speeds are no rates of coordinates.

        p : (k,) their momenta [N m s]
        """
        return 0 * p

    def centre(self, com: Array) -> Array:
        """Return where in the frame, in its axes, the link's origin may be put (3,), its centre of mass being at `com` (3,)."""
        return np.zeros(3)

    @abstractmethod
    def of_parent(self, m: Array, ms: Array, K: Array) -> tuple[Array, Array, Array]:
        """Return what the parent may carry of mass, first (3,) and second (3, 3) moment without a change of the motion.

        m [kg], ms [kg m] and K [kg m^2] are about the origin of the frame, in its own axes.
        """

    def in_axes(self, R: Array) -> Self:
        """Return the motion in other axes of its own and of the frame before it, whose columns R (3, 3) are given in these."""
        turned = np.concatenate([self.linear @ R, self.angular @ R], axis=1)
        return replace(self, twists=rounded(turned, 15))  # 0 and 1 but for rounding

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Motion) and type(self) is type(other) and np.array_equal(self.twists, other.twists)

    def __hash__(self) -> int:
        return hash((type(self), self.twists.tobytes()))


def twists(motions: Sequence[Motion], q: Array) -> Array:
    """Return [linear; angular] (k, 6) per speed of a chain, of the last frame's origin in its axes, at q (n_q,)."""
    columns, R, way, end = [np.zeros((0, 6))], np.eye(3), np.zeros(3), len(q)
    for motion in reversed(motions):
        own, end = q[end - motion.n_q : end], end - motion.n_q
        linear, angular = np.split(motion.columns(own), 2, axis=1)
        v = linear + cross(angular, way)
        columns.append(np.concatenate([v @ R, angular @ R], axis=1))
        turn, slide = motion.rotation(DCM(), own), motion.slide(own)
        way, R = (way, R) if turn is None else (turn @ way, turn @ R)
        way = way if slide is None else slide + way
    return np.concatenate(columns[::-1])


def bias(motions: Sequence[Motion], q: Array, qdot: Array) -> Array:
    """Return the apparent derivative of the twists of a chain times qdot (6,), in axes of the last frame.

    A twist is constant in the frame that it moves, relative to which the last one moves with what comes later.
    """
    columns, end = twists(motions, q), len(qdot)
    later = total = np.zeros(6)
    for motion in reversed(motions):
        own, end = slice(end - motion.dof, end), end - motion.dof
        rate = qdot[own] @ columns[own]
        v, w = rate[:3], rate[3:]
        total = total + np.concatenate([cross(v, later[3:]) + cross(w, later[:3]), cross(w, later[3:])])
        later = later + rate
    return total
