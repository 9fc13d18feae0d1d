"""A frame along a straight line in inertial space, whatever the base does meanwhile."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ..dynamics import Model
from ..errors import InvalidInput, Problem
from ..spatial import Array, attitude_xyzw, quaternion_conjugate, quaternion_from_axis_angle, quaternion_product
from ..system import State
from ._checks import number_problems, row
from ._pose_reference import PoseReference
from ._reference import Reference
from ._smooth_step import SmoothStep


class Reach(Reference):
    """Move a frame from one place in N to another along a straight line, from rest to rest (`SmoothStep`).

    The attitude, where it is given, turns about one axis fixed in N, the shorter way, with the same law of time. Which joint
    rates that takes depends on how the base reacts; `control.ResolvedRate` finds them.

    frame : name of the frame
    start_m, end_m : (3,) its places in N
    start_xyzw, end_xyzw : (4,) its attitudes, frame to N; both or neither, and free without
    duration_s : > 0

    Raises `InvalidInput` for numbers that are none.
    """

    def __init__(
        self,
        frame: str,
        *,
        start_m: ArrayLike,
        end_m: ArrayLike,
        duration_s: float,
        start_xyzw: ArrayLike | None = None,
        end_xyzw: ArrayLike | None = None,
    ) -> None:
        start, end = row("start_m", start_m), row("end_m", end_m)
        problems = number_problems({"duration_s": duration_s}, {})
        problems += [
            Problem(key, "3 numbers", f"{place.size}") for key, place in (("start_m", start), ("end_m", end)) if place.size != 3
        ]
        if (start_xyzw is None) != (end_xyzw is None):
            problems.append(Problem("end_xyzw", "an attitude at both ends or at neither", "one alone"))
        if problems:
            raise InvalidInput(problems)
        self._frame, self._start, self._way = frame, start, end - start
        self._first, self._turn = None, np.zeros(3)
        if start_xyzw is not None and end_xyzw is not None:
            self._first = attitude_xyzw(start_xyzw, order="xyzw")
            self._turn = rotation_vector(self._first, attitude_xyzw(end_xyzw, order="xyzw"))
        self._step = SmoothStep(float(duration_s), 1.0)

    @classmethod
    def from_state(
        cls,
        model: Model,
        state: State,
        frame: str,
        *,
        position_m: ArrayLike,
        duration_s: float,
        attitude_xyzw: ArrayLike | None = None,
    ) -> Reach:
        """Return the way from where `frame` is in `state` to `position_m` (3,), and to `attitude_xyzw` (4,) if given."""
        return cls(
            frame,
            start_m=model.position(state, frame),
            end_m=position_m,
            start_xyzw=None if attitude_xyzw is None else model.attitude(state, frame),
            end_xyzw=attitude_xyzw,
            duration_s=duration_s,
        )

    def at(self, t: float) -> PoseReference:
        """Return the reference at `t` [s]; at rest before 0 and after the end."""
        gone, rate, acceleration = self._step.distance(t), self._step.rate(t), self._step.acceleration(t)
        both = np.concatenate([self._way, self._turn])
        return PoseReference(
            self._frame, self._start + self._way * gone, self._attitude(gone), both * rate, both * acceleration
        )

    @property
    def corners_s(self) -> tuple[float, ...]:
        """Start and end [s], where the acceleration has a kink."""
        return (0.0, self._step.duration)

    @property
    def t_end_s(self) -> float:
        """End of the way [s]."""
        return self._step.duration

    def __repr__(self) -> str:
        turn = "" if self._first is None else f", turn_rad={float(np.linalg.norm(self._turn)):g}"
        return f"Reach({self._frame!r}, way_m={self._way.tolist()}{turn}, t_end_s={self.t_end_s:g})"

    def _attitude(self, gone: float) -> Array | None:
        angle = float(np.linalg.norm(self._turn))
        if self._first is None or angle == 0.0:
            return self._first
        return quaternion_product(quaternion_from_axis_angle(self._turn / angle, angle * gone), self._first)


def rotation_vector(first: Array, last: Array) -> Array:
    """Return angle times axis (3,) in N of the shorter turn from one attitude (4,) to another."""
    turn = quaternion_product(last, quaternion_conjugate(first))
    sine = float(np.linalg.norm(turn[:3]))
    return np.zeros(3) if sine == 0.0 else math.copysign(2 * math.atan2(sine, abs(turn[3])) / sine, turn[3]) * turn[:3]
