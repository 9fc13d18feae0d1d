"""A frame that comes to another one which moves, and goes along with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..dynamics import Model
from ..errors import ModeMismatch, Problem, checked, refuse
from ..spatial import (
    Array,
    cross,
    dcm_from_quaternion,
    positive_problems,
    quaternion_conjugate,
    quaternion_from_axis_angle,
    quaternion_product,
    transpose,
)
from ..system import State
from ._checks import row
from ._pose_reference import PoseReference
from ._pose_way import PoseWay, attitude_problems, turn_numbers
from ._reference_form import ReferenceForm
from ._smooth_step import SmoothStep
from ._smooth_stop import SmoothStop


@dataclass(frozen=True)
class FollowForm(ReferenceForm):
    """A frame that goes to a pose in another one: the numbers are the duration [s], in axes of the other the place where it
    starts, the way, the velocity at the start (3,) [m, m/s] and, where the frame `turns`, its first attitude (4,), axis (3,)
    and angle [rad] of its turn, axis (3,) and rate [rad/s] of its turning at the start.
    """

    gives: ClassVar[type[PoseReference]] = PoseReference
    frame: str
    of: str
    turns: bool

    @property
    def size(self) -> int:
        """Length of a row of numbers."""
        return 22 if self.turns else 10

    def at(self, t: Any, numbers: Array) -> PoseReference:
        """Return the reference at `t` [s], in the frame that it follows."""
        duration, start, way, speed = numbers[0], numbers[1:4], numbers[4:7], numbers[7:10]
        step, stop = SmoothStep(duration, 1.0), SmoothStop(duration, 1.0)
        place = start + way * step.distance(t) + speed * stop.distance(t)
        v = way * step.rate(t) + speed * stop.rate(t)
        a = way * step.acceleration(t) + speed * stop.acceleration(t)
        omega, alpha, attitude = np.zeros(3), np.zeros(3), None
        if self.turns:
            first, axis, angle, about, rate = numbers[10:14], numbers[14:17], numbers[17], numbers[18:21], numbers[21]
            turned = quaternion_from_axis_angle(axis, angle * step.distance(t))
            outer = quaternion_from_axis_angle(about, rate * stop.distance(t))
            attitude = quaternion_product(outer, quaternion_product(turned, first))
            R, spin = dcm_from_quaternion(outer), about * (rate * stop.rate(t))
            inner = R @ axis * angle
            omega = spin + inner * step.rate(t)
            alpha = about * (rate * stop.acceleration(t)) + cross(spin, inner * step.rate(t)) + inner * step.acceleration(t)
        return PoseReference(self.frame, place, attitude, np.concatenate([v, omega]), np.concatenate([a, alpha]), self.of)


@checked
class Follow(PoseWay):
    """Bring a frame to a pose in another one, of a free body that drifts and tumbles, and keep it there.

    What it does as that frame sees it is a smooth step (`SmoothStep`) from where it is to where it shall be, and a smooth stop
    (`SmoothStop`) of the velocity that it is found with; from the end on it rests there. Where that is in N follows from how
    the other frame moves, place, attitude, velocities and accelerations, by the estimate of the law that leads it. A way of
    our own.

    frame : name of the frame; of : of the one that it follows, on a free body
    start, end : its poses in that frame, place (3,) [m] and attitude (4,), the attitudes None where they are free
    twist : (6,) of the frame at the start, as the other one sees it, in its axes [m/s, rad/s]
    duration_s : > 0

    Raises `InvalidInput` for numbers that are none.

    >>> approach = Follow("tip", of="grapple", start_m=[1.0, 0.0, 0.0], end_m=[0.2, 0.0, 0.0], duration_s=20.0)
    >>> sample = approach.at(10.0)
    >>> sample.relative_to, sample.position_m.round(3).tolist()
    ('grapple', [0.6, 0.0, 0.0])
    """

    _form: FollowForm

    def __init__(
        self,
        frame: str,
        *,
        of: str,
        start_m: ArrayLike,
        end_m: ArrayLike = (0.0, 0.0, 0.0),
        duration_s: float,
        start_xyzw: ArrayLike | None = None,
        end_xyzw: ArrayLike | None = None,
        twist: ArrayLike = (0.0,) * 6,
    ) -> None:
        given = {"start_m": (start_m, 3), "end_m": (end_m, 3), "twist": (twist, 6)}
        rows = {key: row(key, value) for key, (value, _) in given.items()}
        problems = positive_problems("duration_s", duration_s)
        problems += [Problem(key, f"{n} numbers", f"{rows[key].size}") for key, (_, n) in given.items() if rows[key].size != n]
        refuse(problems + attitude_problems(start_xyzw, end_xyzw))
        self._form = FollowForm(frame, of, start_xyzw is not None)
        turn = [turn_numbers(start_xyzw, end_xyzw), *(_about(rows["twist"][3:]) if self._form.turns else ())]
        way = rows["end_m"] - rows["start_m"]
        self._numbers = np.concatenate([[float(duration_s)], rows["start_m"], way, rows["twist"][:3], *turn])

    @classmethod
    def from_state(
        cls,
        model: Model,
        state: State,
        frame: str,
        *,
        of: str,
        duration_s: float,
        position_m: ArrayLike = (0.0, 0.0, 0.0),
        attitude_xyzw: ArrayLike | None = None,
    ) -> Follow:
        """Return the motion from how `frame` is and moves in `state` to a pose in the frame `of`.

        position_m, attitude_xyzw : (3,), (4,) that pose; the attitude is free if not said
        Raises `ModeMismatch` where no free body has the frame `of`.
        """
        check_followed(model, of)
        R = transpose(dcm_from_quaternion(model.attitude(state, of)))
        away = model.position(state, frame) - model.position(state, of)
        (v, omega), (v_of, omega_of) = (np.split(_twist(model, state, name), 2) for name in (frame, of))
        twist = np.concatenate([R @ (v - v_of - cross(omega_of, away)), R @ (omega - omega_of)])
        first = quaternion_product(quaternion_conjugate(model.attitude(state, of)), model.attitude(state, frame))
        return cls(
            frame,
            of=of,
            start_m=R @ away,
            end_m=position_m,
            start_xyzw=None if attitude_xyzw is None else first,
            end_xyzw=attitude_xyzw,
            twist=twist,
            duration_s=duration_s,
        )

    def __repr__(self) -> str:
        return (
            f"Follow({self._form.frame!r}, of={self._form.of!r}, way_m={self._numbers[4:7].tolist()}, t_end_s={self.t_end_s:g})"
        )


@checked
def check_followed(model: Model, of: str) -> None:
    """Raise `ModeMismatch` for a frame that is not on a body which nothing carries, and `UnknownName`.

    >>> check_followed(model, "tip")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.ModeMismatch: what is followed is a frame of a free body, and 'tip' is on 'link4'; system
     'planar-four-link' has none
    """
    body = model.system.frame(of).body
    roots = [tree.root for tree in model.system.trees[1:]]
    if body not in roots:
        known = f"those are {', '.join(roots)}" if roots else f"system '{model.system.name}' has none"
        raise ModeMismatch(f"what is followed is a frame of a free body, and '{of}' is on '{body}'; {known}")


def _twist(model: Model, state: State, frame: str) -> Array:
    return np.hstack([model.J0(state, frame), model.Jm(state, frame)]) @ state.u


def _about(omega: Array) -> tuple[Array, Array]:
    """Return axis (3,) and rate (1,) of an angular velocity (3,)."""
    rate = float(np.linalg.norm(omega))
    return (omega / rate if rate else np.zeros(3)), np.array([rate])
