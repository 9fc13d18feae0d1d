"""What the fields of constraints may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from ..actuators import Quantity
from ..errors import Problem, name_problems, pair_problems
from ..spatial import (
    FloatArray,
    array_problems,
    axis_problems,
    coefficient_problems,
    positive_problems,
    ratio_problems,
    unit_vector,
)
from ._pose import FramePose, pose_problems

WORDS = {
    "frame": "the name of a frame, or 'ground'",
    "joint": "the name of a joint that moves",
    "freedom": "the name of a joint with one coordinate, or of one coordinate of a joint, whose rate is a speed",
    "speed": "names of speeds",
}


def _named(key: str, value: object) -> list[Problem]:
    return name_problems(key.removesuffix(" name"), value)


def _flag(key: str, value: object) -> list[Problem]:
    return [] if isinstance(value, bool) else [Problem(key, "true or false", repr(value))]


def _number(key: str, value: Any) -> list[Problem]:
    return array_problems(key, value, ())


def flat(row: Any) -> Any:
    """Return a row whose names have dots, which a file may write as tables in it: `{ v_0.x = 1 }`; anything else as it is.

    >>> flat({"v_0": {"x": 1.0}, "joint1": -2.0})
    {'v_0.x': 1.0, 'joint1': -2.0}
    """
    if not isinstance(row, Mapping):
        return row
    inner = {name: value if isinstance(value, Mapping) else {"": value} for name, value in row.items()}
    return {".".join(filter(None, (name, part))): value for name, parts in inner.items() for part, value in parts.items()}


def referred(value: object) -> list[str]:
    """Return the names in the value of a field that refers to something, which nobody may have checked."""
    names = [value] if isinstance(value, str) else flat(value) if isinstance(value, list | tuple | Mapping) else ()
    return [name for name in names if isinstance(name, str)]


def _row(key: str, value: object) -> list[Problem]:
    if not isinstance(value, Mapping) or not value or not all(isinstance(name, str) for name in value):
        return [Problem(key, "a table with a factor per speed", repr(value))]
    return [problem for name, factor in value.items() for problem in _number(f"{key} {name}", factor)]


def _table(key: str, value: object) -> list[Problem]:
    return [] if isinstance(value, Mapping) else [Problem(key, "a table of what a kind of joint needs", repr(value))]


def _names(key: str, value: object) -> list[Problem]:
    if not isinstance(value, list | tuple):
        return _named(key, value)
    if len(value) < 2 or len(set(map(str, value))) < len(value):
        return [Problem(key, "one name, or several that differ", repr(value))]
    return [problem for name in value for problem in _named(key, name)]


def _ratios(key: str, value: Any) -> list[Problem]:
    each = value if isinstance(value, list | tuple) and value else [value]
    return [problem for ratio in each for problem in ratio_problems(key, ratio)]


def _kept(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _polynomial(key: str, value: Any) -> list[Problem]:
    if not isinstance(value, list | tuple) or not value:
        return [Problem(key, "a list of numbers, that of the lowest power first", repr(value))]
    return array_problems(key, list(value), (len(value),))


Flag = Annotated[bool, Quantity("true or false", _flag, form="flag")]
Number = Annotated[float, Quantity("a finite number", _number, number=True)]
Within = Annotated[float | None, Quantity("a number >= 0", coefficient_problems)]
Duration = Annotated[float | None, Quantity("a finite number > 0", positive_problems)]
AnyAxis = Annotated[FloatArray | None, Quantity("a unit vector of 3 numbers", axis_problems, unit_vector, "vector")]
Frames = Annotated[
    tuple[str, str], Quantity("the names of two different frames", pair_problems, tuple, form="pair", refers="frame")
]
AnyFrames = Annotated[
    tuple[str, str] | None, Quantity("the names of two different frames", pair_problems, tuple, form="pair", refers="frame")
]
FrameName = Annotated[str, Quantity(WORDS["frame"], _named, form="name", refers="frame")]
JointName = Annotated[str, Quantity(WORDS["joint"], _named, form="name", refers="joint")]
FreedomName = Annotated[str, Quantity(WORDS["freedom"], _named, form="name", refers="freedom")]
FreedomNames = Annotated[
    str | tuple[str, ...], Quantity(f"{WORDS['freedom']}, or several", _names, _kept, form="names", refers="freedom")
]
Ratios = Annotated[
    float | tuple[float, ...], Quantity("a finite number that is not 0, or several", _ratios, _kept, form="ratios", number=True)
]
SpeedRow = Annotated[Mapping[str, float], Quantity("a table with a factor per speed", _row, dict, form="row", refers="speed")]
KindName = Annotated[str, Quantity("the name of a kind of joint", _named, form="name")]
OwnKeys = Annotated[Mapping[str, Any] | None, Quantity("a table of what a kind of joint needs", _table, dict)]
Polynomial = Annotated[
    tuple[float, ...] | None,
    Quantity("a list of numbers, that of the lowest power first", _polynomial, tuple, form="numbers", number=True),
]
AnyPose = Annotated[FramePose | None, Quantity("a table with origin_m, rpy_rad, ...", pose_problems, form="pose")]
