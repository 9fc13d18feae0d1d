"""A frame that is led from one pose to another in one go."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import Problem
from ..spatial import Array, attitude_xyzw
from ._pose_reference import PoseReference
from ._reference import ReferenceMotion
from ._reference_form import ReferenceForm
from ._turn import axis_and_angle


class PoseWay(ReferenceMotion, ABC):
    """What motions share that lead a frame in one go: a form, and its numbers, of which the duration [s] is the first."""

    _form: ReferenceForm
    _numbers: Array

    def at(self, t: float) -> PoseReference:
        """Return the reference at `t` [s]; at rest before 0 and after the end."""
        reference: PoseReference = self._form.at(t, self._numbers)  # type: ignore[assignment]
        return reference

    @property
    def form(self) -> ReferenceForm:
        """One for all of the way, before and after it a rest."""
        return self._form

    def numbers(self, t: float) -> Array:
        """Return the numbers, the same at every `t` [s]."""
        del t
        return self._numbers

    @property
    def corners_s(self) -> tuple[float, ...]:
        """Start and end [s], where the acceleration has a kink."""
        return (0.0, float(self._numbers[0]))


def attitude_problems(start_xyzw: Any, end_xyzw: Any) -> list[Problem]:
    """Return a problem where one end of a way has an attitude and the other has none."""
    both = (start_xyzw is None) == (end_xyzw is None)
    return [] if both else [Problem("end_xyzw", "an attitude at both ends or at neither", "one alone")]


def turn_numbers(start_xyzw: ArrayLike | None, end_xyzw: ArrayLike | None) -> Array:
    """Return the first attitude (4,), axis (3,) and angle [rad] of the turn to the last one; nothing without."""
    if start_xyzw is None or end_xyzw is None:
        return np.zeros(0)
    first, last = (attitude_xyzw(given, order="xyzw") for given in (start_xyzw, end_xyzw))
    return np.concatenate([first, *axis_and_angle(first, last)])
