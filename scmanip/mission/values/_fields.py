"""What keys of mission files take: numbers, names, gains, and so on. Importing this file loads pydantic: do it late.

Each field says what it takes in its description, which error messages repeat.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat

from ...system import visible

LONGEST_S = 1e12  # 30 000 years
PER_JOINT = "one number, or one per joint"  # marks the fields that are gains of joints
NAMES = "a name, or a list of different names"
GAIN = "a number >= 0, a list with one such number per joint, or a table of joint = number >= 0"
WEIGHTS = "a number >= 0, or a list of them"
GAINS = 'a table of commands, each a table of states = number, such as { "tau[joint1]" = { joint1 = 4.0 } }'
MATRIX = "rows of as many numbers each, such as [[1.0, 0.0], [0.0, 1.0]]"


def quoted(words: Iterable[str]) -> str:
    """Return words in quotation marks, one of which is expected."""
    *others, last = map(repr, words)
    return f"{', '.join(others)} or {last}" if others else last


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e308  # false for NaN


def are_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_number, value))


def _by_joint(value: Any) -> Any:
    numbers = value.values() if isinstance(value, dict) else None
    if not (are_numbers(value) or (numbers is not None and all(is_number(n) or are_numbers(n) for n in numbers))):
        nested = numbers is not None and any(isinstance(n, dict) for n in numbers)
        names = ', with names such as "wrist.2" in quotation marks' if nested else ""
        raise ValueError(f"a list of numbers, one per joint, or a table of joint = number{names}")
    return value


def _quaternions(value: Any) -> Any:
    if not (isinstance(value, dict) and all(are_numbers(numbers) and len(numbers) == 4 for numbers in value.values())):
        raise ValueError("a table of spherical joint = 4 numbers x, y, z, w")
    return value


def _one_or_per_joint(value: Any) -> Any:
    numbers = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else [value]
    if not all(is_number(number) and number >= 0 for number in numbers):
        raise ValueError(GAIN)
    if isinstance(value, dict):
        return {joint: float(number) for joint, number in value.items()}
    return [float(number) for number in value] if isinstance(value, list) else float(value)


def _gains_by_name(value: Any) -> Any:
    rows = value.values() if isinstance(value, dict) else [None]
    if not all(isinstance(row, dict) and all(map(is_number, row.values())) for row in rows):
        raise ValueError(GAINS)
    return {command: {name: float(number) for name, number in row.items()} for command, row in value.items()}


def _one_or_several(value: Any) -> Any:
    try:
        return _one_or_per_joint(None if isinstance(value, dict) else value)
    except ValueError:
        raise ValueError(WEIGHTS) from None


def _names(value: Any) -> Any:
    names = [value] if isinstance(value, str) else value
    if not (isinstance(names, list | tuple) and all(isinstance(name, str) and name for name in names)):
        raise ValueError(NAMES)
    if len({*names}) < len(names):
        raise ValueError(NAMES)
    return tuple(names)


def _whole(value: Any) -> Any:
    if not are_numbers(value) or any(number != int(number) for number in value):
        raise ValueError("a list of whole numbers")
    return tuple(int(number) for number in value)


def _matrix(value: Any) -> Any:
    rows = (
        [list(row) if isinstance(row, list | tuple) else row for row in value] if isinstance(value, list | tuple) else [value]
    )
    if not all(map(are_numbers, rows)) or len({len(row) for row in rows}) > 1:
        raise ValueError(MATRIX)
    return tuple(tuple(map(float, row)) for row in rows)


def _joint_limit(value: Any) -> Any:
    numbers = list(value.values()) if isinstance(value, dict) else [value]
    if not all(is_number(number) and number > 0 for number in numbers):
        raise ValueError("a number > 0, or a table of joint = number > 0")
    return value


Name = Annotated[str, Field(min_length=1, description="a text that is not empty"), AfterValidator(visible)]
Names = Annotated[tuple[str, ...], BeforeValidator(_names, json_schema_input_type=str | list[str]), Field(description=NAMES)]
Number = Annotated[FiniteFloat, Field(description="a finite number")]
Vector = Annotated[list[Number], Field(min_length=3, max_length=3, description="3 numbers")]
Quaternion = Annotated[list[Number], Field(min_length=4, max_length=4, description="4 numbers x, y, z, w")]
Positive = Annotated[FiniteFloat, Field(gt=0, description="a number > 0")]
Duration = Annotated[FiniteFloat, Field(gt=0, le=LONGEST_S, description=f"a number > 0 and at most {LONGEST_S:g}")]
Pause = Annotated[FiniteFloat, Field(ge=0, le=LONGEST_S, description=f"a number from 0 to {LONGEST_S:g}")]
NotNegative = Annotated[FiniteFloat, Field(ge=0, description="a number >= 0")]
ByJoint = Annotated[Any, BeforeValidator(_by_joint)]
JointQuaternions = Annotated[Any, BeforeValidator(_quaternions)]
Gain = Annotated[Any, BeforeValidator(_one_or_per_joint), PER_JOINT, Field(description=GAIN)]
GainTable = Annotated[Any, BeforeValidator(_gains_by_name), Field(description=GAINS)]
Axes = Annotated[
    tuple[str, ...],
    BeforeValidator(_names, json_schema_input_type=str | list[str]),
    Field(description='names of axes, such as ["x", "y", "rz"]'),
]
Matrix = Annotated[
    tuple[tuple[float, ...], ...],
    BeforeValidator(_matrix, json_schema_input_type=list[list[float]]),
    Field(description=MATRIX),
]
Counts = Annotated[tuple[int, ...], BeforeValidator(_whole), Field(description="a list of whole numbers")]
Weights = Annotated[Any, BeforeValidator(_one_or_several), Field(description=WEIGHTS)]
JointLimit = Annotated[Any, BeforeValidator(_joint_limit)]


class MissionFileTable(BaseModel):
    """A table that takes the listed keys, of exactly the listed types, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)  # most kinds of tables no file has
