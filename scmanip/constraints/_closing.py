"""What holds between two frames that a joint joins, piece by piece: what closes a loop, over any scalar.

a is the joint frame and b the moved one. Directions p are in axes of a, directions w in axes of b. Each piece is a number that
a joint keeps at zero, with the row that its rate is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import atan2

import numpy as np

from ..errors import checked
from ..spatial import Array, FloatArray, cross, dcm_from_quaternion, quaternion_from_dcm, transpose, turn_from_dcm
from ._rows import Rows
from ._seen import RelativeMotion
from ._touching import tangents
from ._turns import beyond_turn
from ._whole import ANGULAR, LINEAR, whole, whole_force


class Closing(ABC):
    """A piece of what a joint holds.

    labels : of its rows; kept : how many numbers are kept as they are found
    turns : whether what it holds is an angle

    In SI throughout: lengths in [m], angles in [rad], forces in [N] and moments in [N m].

    >>> from scmanip.dynamics import Sight
    >>> motion = Sight(system, model.equations(state)).relative("base", "tip")
    >>> pieces = (Pinned(), *aligned(np.array([0, 0, 1.0])))  # what a revolute joint about z holds
    >>> [piece.labels for piece in pieces], round(pieces[0].open(motion), 3)
    ([('x', 'y', 'z'), ('tilt_1',), ('tilt_2',)], 4.222)
    """

    labels: tuple[str, ...]
    kept: int = 1
    turns: bool = False

    @abstractmethod
    def found(self, motion: RelativeMotion) -> Array:
        """Return these numbers (kept,), of floats, zero or no turn where the loop is closed."""

    @abstractmethod
    def rows(self, motion: RelativeMotion, kept: Array) -> Rows:
        """Return its rows (k, n_u); kept : (kept,) as `found` gave them."""

    def forces(self, motion: RelativeMotion, multipliers: Array) -> Array:
        """Return the forces and moments (k,) on b: of whole vectors in N, others along their rows."""
        return multipliers

    def open(self, motion: RelativeMotion) -> float:
        """Return by how much the loop is open here [m or rad], of floats."""
        return float(np.linalg.norm(self.found(motion)))


@checked
@dataclass(frozen=True, eq=False)
class Beside(Closing):
    """The origin of b is nowhere along p.

    p : (3,) a direction of unit length, in axes of a

    >>> from scmanip.dynamics import Sight
    >>> motion = Sight(system, model.equations(state)).relative("base", "tip")
    >>> Beside(np.array([0, 1.0, 0])).found(motion).round(3).tolist()  # how far the tip is along y
    [0.594]
    """

    p: FloatArray
    labels: tuple[str, ...] = ("slide",)

    def found(self, motion: RelativeMotion) -> Array:
        return np.array([self.p @ motion.d])

    def rows(self, motion: RelativeMotion, kept: Array) -> Rows:
        position = np.array([self.p @ motion.d]) - kept
        return Rows(motion.along(np.array([[*self.p, 0, 0, 0]])), np.zeros(1), np.array([self.p @ motion.bias[:3]]), position)


@checked
@dataclass(frozen=True, eq=False)
class Pinned(Closing):
    """The origins are together.

    >>> from scmanip.dynamics import Sight
    >>> motion = Sight(system, model.equations(state)).relative("base", "tip")
    >>> rows = Pinned().rows(motion, kept=motion.d)
    >>> rows.A.shape, (rows.position.round(12) + 0).tolist()
    ((3, 10), [0.0, 0.0, 0.0])
    """

    labels: tuple[str, ...] = ("x", "y", "z")
    kept = 3

    def found(self, motion: RelativeMotion) -> Array:
        return motion.d

    def rows(self, motion: RelativeMotion, kept: Array) -> Rows:
        return whole(motion, LINEAR, motion.d_N - motion.axes @ kept)

    def forces(self, motion: RelativeMotion, multipliers: Array) -> Array:
        return whole_force(motion, multipliers)


@checked
@dataclass(frozen=True, eq=False)
class Square(Closing):
    """w stays at a right angle to p.

    p, w : (3,) directions of unit length, p in axes of a and w in those of b

    >>> from scmanip.dynamics import Sight
    >>> motion = Sight(system, model.equations(state)).relative("base", "tip")
    >>> Square(np.array([1.0, 0, 0]), np.array([0, 0, 1.0])).found(motion).tolist()  # the arm is planar
    [0.0]
    """

    p: FloatArray
    w: FloatArray
    labels: tuple[str, ...] = ("turn",)
    turns = True

    def found(self, motion: RelativeMotion) -> Array:
        return np.array([self.p @ (motion.C @ self.w)])

    def rows(self, motion: RelativeMotion, kept: Array) -> Rows:
        w, omega = motion.C @ self.w, motion.twist[3:]
        about = cross(w, self.p)
        drift = about @ motion.bias[3:] + cross(cross(omega, w), self.p) @ omega
        return Rows(motion.along(np.array([[0, 0, 0, *about]])), np.zeros(1), np.array([drift]), np.array([self.p @ w]) - kept)


@checked
@dataclass(frozen=True, eq=False)
class Unturned(Closing):
    """b does not turn.

    >>> from scmanip.dynamics import Sight
    >>> motion = Sight(system, model.equations(state)).relative("base", "tip")
    >>> Unturned().kept, round(Unturned().open(motion), 4)  # 2 sin(0.1)
    (4, 0.1997)
    """

    labels: tuple[str, ...] = ("turn_x", "turn_y", "turn_z")
    kept = 4
    turns = True

    def found(self, motion: RelativeMotion) -> Array:
        return quaternion_from_dcm(motion.C)

    def open(self, motion: RelativeMotion) -> float:
        return float(np.linalg.norm(turn_from_dcm(motion.C)))

    def rows(self, motion: RelativeMotion, kept: Array) -> Rows:
        turned = turn_from_dcm(motion.axes_b @ transpose(motion.axes @ dcm_from_quaternion(kept)))
        return whole(motion, ANGULAR, turned)

    def forces(self, motion: RelativeMotion, multipliers: Array) -> Array:
        return whole_force(motion, multipliers)


@checked
@dataclass(frozen=True, eq=False)
class Threaded(Closing):
    """The way along p is the pitch times the turn about it, p being the same in axes of a and of b.

    p : (3,) a direction of unit length; pitch : way per angle [m/rad]

    >>> from scmanip.dynamics import Sight
    >>> motion = Sight(system, model.equations(state)).relative("base", "tip")
    >>> Threaded(np.array([0, 0, 1.0]), pitch=0.01).found(motion).round(5).tolist()  # it has turned 0.2 rad and not moved
    [-0.002]
    """

    p: FloatArray
    pitch: float
    labels: tuple[str, ...] = ("thread",)

    def found(self, motion: RelativeMotion) -> Array:
        """Return the way beyond that of the turn, of which whole turns cannot be seen."""
        c, s = self._turn(motion)
        away, lead = float(self.p @ motion.d) - self.pitch * atan2(s, c), 2 * np.pi * self.pitch
        return np.array([away - lead * round(away / lead)])

    def rows(self, motion: RelativeMotion, kept: Array) -> Rows:
        c, s = self._turn(motion)
        row = np.concatenate([self.p, -self.pitch * self.p])
        position = beyond_turn(self.p @ motion.d - kept, self.pitch, c, s)
        return Rows(motion.along(row[np.newaxis]), np.zeros(1), np.array([row @ motion.bias]), position)

    def _turn(self, motion: RelativeMotion) -> tuple[Array, Array]:
        """Return cosine and sine of the turn about p."""
        x, y = tangents(self.p)
        turned, square = motion.C @ x, motion.C @ y
        return (x @ turned + y @ square) / 2, (y @ turned - x @ square) / 2


@checked
def aligned(axis: FloatArray) -> tuple[Closing, ...]:
    """Return that a unit vector (3,) is the same in the axes of a and in those of b, the tilts of which are two rows.

    >>> [piece.labels[0] for piece in aligned(np.array([0, 0, 1.0]))]
    ['tilt_1', 'tilt_2']
    """
    return tuple(Square(p, axis, (name,)) for p, name in zip(tangents(axis), ("tilt_1", "tilt_2"), strict=True))


@checked
def guided(axis: FloatArray) -> tuple[Closing, ...]:
    """Return that the origin of b is on a line along a unit vector (3,), in axes of a, through that of a.

    >>> [piece.p.tolist() for piece in guided(np.array([0, 0, 1.0]))]
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    return tuple(Beside(p, (name,)) for p, name in zip(tangents(axis), ("slide_1", "slide_2"), strict=True))
