"""What the fields of sensors and estimators may be."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from ..actuators import Quantity
from ..errors import Problem, name_problems
from ..spatial import FloatArray, array_problems, frozen, positive_problems

SERIES_NAME = "a name of letters, digits and _, by which series are called"


def _series_name(key: str, value: Any) -> list[Problem]:
    if isinstance(value, str) and value.isidentifier() and value.isascii():
        return []
    return [Problem(key.removesuffix(" name"), SERIES_NAME, repr(value))]


def _names(key: str, value: Any) -> list[Problem]:
    if isinstance(value, str) or not isinstance(value, list | tuple) or not value or len({*map(str, value)}) < len(value):
        return [Problem(key, "a list of different names", repr(value))]
    return [problem for name in value for problem in name_problems(key, name)]


def _deviations(key: str, value: Any) -> list[Problem]:
    problems = array_problems(key, value, (3,))
    return problems or ([] if min(value) >= 0 else [Problem(key, "3 numbers >= 0", str(list(value)))])


def _part(key: str, value: Any) -> list[Problem]:
    inside = isinstance(value, float | int) and not isinstance(value, bool) and 0 <= value < 1
    return [] if inside else [Problem(key, "a number from 0 to less than 1", repr(value))]


def _half_angle(key: str, value: Any) -> list[Problem]:
    problems = positive_problems(key, value)
    return problems or ([] if value <= np.pi else [Problem(key, "an angle of at most pi rad", repr(value))])


def _number(key: str, value: Any) -> list[Problem]:
    return array_problems(key, value, ())


def _vector(key: str, value: Any) -> list[Problem]:
    return array_problems(key, value, (3,))


SeriesName = Annotated[str, Quantity(SERIES_NAME, _series_name, form="name")]
Number = Annotated[float, Quantity("a finite number", _number, number=True)]
Rate = Annotated[float | None, Quantity("a finite number > 0", positive_problems, number=True)]
Names = Annotated[tuple[str, ...] | None, Quantity("a list of different names", _names, tuple, "names")]
FrameName = Annotated[str | None, Quantity("a text that is not empty", name_problems, form="name", refers="frame")]
Deviations = Annotated[FloatArray, Quantity("3 numbers >= 0", _deviations, frozen, "vector", number=True)]
AnyVector = Annotated[FloatArray | None, Quantity("3 numbers", _vector, frozen, "vector", number=True)]
Part = Annotated[float, Quantity("a number from 0 to less than 1", _part, number=True)]
HalfAngle = Annotated[float, Quantity("an angle > 0 and at most pi rad", _half_angle, number=True)]
