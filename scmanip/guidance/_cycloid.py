"""From one rest to another, all joints together [Kane1983] eq. 127."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import Problem, refuse
from ..spatial import Array, cos, positive_problems, quaternion_from_axis_angle, quaternion_product, scalar_type, sin
from ..system import Layout, coordinate_difference
from ._home import Home
from ._joint_reference import JointReference
from ._reference import ReferenceMotion
from ._reference_form import ReferenceForm


@dataclass(frozen=True)
class CycloidForm(ReferenceForm):
    """All joints along one cycloid [Kane1983] eq. 127: the numbers are its duration [s], q at its start, the way to go (N,).

    turned : places in q and qdot of the coordinates that move, where others are parts of quaternions, which do not
    n_q : how many coordinates there are
    """

    N: int
    n_q: int
    turned: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        """Length of a row of numbers."""
        return 1 + self.n_q + self.N

    def at(self, t: Any, numbers: Array) -> JointReference:
        start, move = numbers[1 : 1 + self.n_q], numbers[1 + self.n_q :]
        covered, rate, acceleration = _cycloid(t, numbers[0])
        q = np.array([*start], dtype=scalar_type(start, move * covered))
        for i, j in self.turned:
            q[i] = q[i] + move[j] * covered
        return JointReference(q, move * rate, move * acceleration)


class Cycloid(ReferenceMotion):
    """Move every joint from `q_start` at 0 s to `q_end` at `duration_s`, all along one cycloid [Kane1983] eq. 127.

        q = q_start + (q_end - q_start) (x - sin(2 pi x) / (2 pi)),  x = t / duration_s

    Rates and accelerations vanish at both ends; the accelerations have kinks there, which are the corners. The largest
    rate is twice the mean one, at half time. Spherical joints turn about one axis, the shorter way.

    q_start, q_end : (n_q,) joint coordinates [rad or m]
    duration_s : > 0 [s]
    layout : `system.layout`, needed where the system has spherical joints

    Raises `InvalidInput` for rows that are not finite, not of one length, or none of the layout, and for a duration that is
    not positive.

    >>> slew = Cycloid([0.0, 0.0], [1.0, -1.0], duration_s=10.0)
    >>> [slew.at(t).q.round(3).tolist() for t in (0.0, 5.0, 10.0)]
    [[0.0, 0.0], [0.5, -0.5], [1.0, -1.0]]
    >>> slew.at(5.0).qdot.round(3).tolist()  # twice the mean rate
    [0.2, -0.2]
    """

    def __init__(self, q_start: ArrayLike, q_end: ArrayLike, *, duration_s: float, layout: Layout | None = None) -> None:
        home, end = Home.at("q_start", q_start, layout), Home.at("q_end", q_end, layout).q
        start = home.q
        problems = positive_problems("duration_s", duration_s)
        if start.shape != end.shape:
            problems.append(Problem("q_end", f"{start.size} numbers, as q_start has", f"{end.size}"))
        refuse(problems)
        self._layout, self._start, self._end, self._rest = layout, start, end, np.zeros(home.N)
        self._way, self._duration = _way(layout, start, end), float(duration_s)

    def at(self, t: float) -> JointReference:
        """Return the reference at `t` [s]: q (n_q,), qdot (N,), qddot (N,); at rest before 0 and from the end on."""
        if not 0 <= t < self._duration:
            return JointReference(self._start if t < 0 else self._end, self._rest, self._rest)
        covered, rate, acceleration = _cycloid(t, self._duration)
        return JointReference(_gone(self._layout, self._start, self._way * covered), self._way * rate, self._way * acceleration)

    @property
    def form(self) -> ReferenceForm | None:
        """A cycloid of every coordinate; None where a quaternion is to turn."""
        n_q, N, layout = self._start.size, self._rest.size, self._layout
        if layout is None or n_q == N:
            return CycloidForm(N, n_q, tuple(zip(range(n_q), range(N), strict=True)))
        turns = any(self._way[j : j + 3].any() for _, j in layout.quaternions)
        return None if turns else CycloidForm(N, n_q, tuple(layout.single()))

    def numbers(self, t: float) -> Array:
        """Return the numbers (k,), in SI, of the rest before, of the motion, or of the rest after it; t : [s]."""
        moving = 0 <= t < self._duration
        return np.concatenate([[self._duration], self._end if t >= self._duration else self._start, moving * self._way])

    @property
    def corners_s(self) -> tuple[float, ...]:
        """Start and end [s]."""
        return (0.0, self._duration)

    def __repr__(self) -> str:
        return f"Cycloid({self._start.tolist()}, {self._end.tolist()}, duration_s={self._duration:g})"


def _cycloid(t: Any, duration: Any) -> tuple[Any, Any, Any]:
    """Return the part of the way that is covered at `t` [s], its rate [1/s] and its acceleration [1/s^2]."""
    x = t / duration
    turn = 2 * math.pi * x
    return x - sin(turn) / (2 * math.pi), (1 - cos(turn)) / duration, 2 * math.pi * sin(turn) / duration / duration


def _way(layout: Layout | None, q_from: Array, q_to: Array) -> Array:
    """Return (N,) [rad or m]: what to turn and move; of a spherical joint angle times axis of the shorter turn.

    layout : None where every rate is that of the coordinate in its place
    """
    if layout is None:
        return q_to - q_from
    moves = coordinate_difference(layout, q_to, q_from)
    for i, j in layout.quaternions:
        sine = float(np.linalg.norm(moves[j : j + 3])) / 2
        if sine > 0:
            cosine = abs(float(q_from[i : i + 4] @ q_to[i : i + 4]))
            moves[j : j + 3] *= math.atan2(sine, cosine) / sine  # both of half the angle
    return moves


def _gone(layout: Layout | None, q_from: Array, moves: Array) -> Array:
    """Return the place (n_q,) where `moves` (N,), as `_way` gives them, or a part of them, lead."""
    if layout is None:
        return q_from + moves
    q = q_from.copy()
    for i, j in layout.single():
        q[i] += moves[j]
    for i, j in layout.quaternions:
        angle = np.linalg.norm(moves[j : j + 3])
        if angle > 0:
            turn = quaternion_from_axis_angle(moves[j : j + 3] / angle, angle)
            q[i : i + 4] = quaternion_product(q[i : i + 4], turn)
    return q
