"""A frame along a straight line in inertial space, whatever the base does meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..dynamics import Model
from ..errors import Problem, checked, refuse
from ..spatial import (
    Array,
    positive_problems,
    quaternion_from_axis_angle,
    quaternion_product,
)
from ..system import State
from ._checks import row
from ._pose_reference import PoseReference
from ._pose_way import PoseWay, attitude_problems, turn_numbers
from ._reference_form import ReferenceForm
from ._smooth_step import SmoothStep


@dataclass(frozen=True)
class ReachForm(ReferenceForm):
    """A frame along a line: the numbers are the duration [s], the start and the way (3,) [m] and, where the frame `turns`, its
    first attitude (4,), the axis (3,) in N and the angle [rad] of its turn.
    """

    gives: ClassVar[type[PoseReference]] = PoseReference
    frame: str
    turns: bool

    @property
    def size(self) -> int:
        """Length of a row of numbers."""
        return 15 if self.turns else 7

    def at(self, t: Any, numbers: Array) -> PoseReference:
        step, start, way = SmoothStep(numbers[0], 1.0), numbers[1:4], numbers[4:7]
        gone, rate, acceleration = step.distance(t), step.rate(t), step.acceleration(t)
        turn, attitude = np.zeros(3), None
        if self.turns:
            first, axis, angle = numbers[7:11], numbers[11:14], numbers[14]
            turn, attitude = axis * angle, quaternion_product(quaternion_from_axis_angle(axis, angle * gone), first)
        both = np.concatenate([way, turn])
        return PoseReference(self.frame, start + way * gone, attitude, both * rate, both * acceleration)


@checked
class Reach(PoseWay):
    """Move a frame from one place in N to another along a straight line, from rest to rest (`SmoothStep`).

    The attitude, where it is given, turns about one axis fixed in N, the shorter way, with the same law of time. Which joint
    rates that takes depends on how the base reacts; `control.ResolvedRate` finds them. A way of our own.

    frame : name of the frame
    start_m, end_m : (3,) its places in N
    start_xyzw, end_xyzw : (4,) its attitudes, frame to N; both or neither, and free without
    duration_s : > 0

    Raises `InvalidInput` for numbers that are none.

    >>> path = Reach("tip", start_m=[1.0, 0.0, 0.0], end_m=[1.0, 0.4, 0.0], duration_s=8.0)
    >>> path.at(4.0).position_m.round(6).tolist(), path.at(8.0).twist[:3].tolist()
    ([1.0, 0.2, 0.0], [0.0, 0.0, 0.0])
    >>> from_here = Reach.from_state(model, state, "tip", position_m=[2.0, 0.5, 0.0], duration_s=8.0)
    >>> np.allclose(from_here.at(0.0).position_m, model.position(state, "tip"))
    True
    """

    _form: ReachForm

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
        problems = positive_problems("duration_s", duration_s)
        problems += [
            Problem(key, "3 numbers", f"{place.size}") for key, place in (("start_m", start), ("end_m", end)) if place.size != 3
        ]
        refuse(problems + attitude_problems(start_xyzw, end_xyzw))
        self._form = ReachForm(frame, start_xyzw is not None)
        self._numbers = np.concatenate([[float(duration_s)], start, end - start, turn_numbers(start_xyzw, end_xyzw)])

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

    def __repr__(self) -> str:
        way, turn = self._numbers[4:7].tolist(), f", turn_rad={self._numbers[14]:g}" if self._form.turns else ""
        return f"Reach({self._form.frame!r}, way_m={way}{turn}, t_end_s={self.t_end_s:g})"
