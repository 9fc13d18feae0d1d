"""What fields of parts of a system may be: each is declared once, for Python and for files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from ..errors import Problem, name_problems
from ..spatial import (
    FloatArray,
    array_problems,
    axis_problems,
    coefficient_problems,
    frozen,
    positive_problems,
    ratio_problems,
    unit_vector,
)


@dataclass(frozen=True)
class Quantity:
    """What one field of a part of a system takes.

    words : what is expected, as files are told where a key is missing
    problems : what keeps a value from being one, for a key and a value
    kept : what is kept of a value that is right
    form : "number", "vector" of three numbers, "vectors", "numbers", "name", "pair" of names, "names" and "ratios", one or
        several, "row" of numbers by name, "flag" or "pose"
    refers : to what its names refer, such as "frame"
    number : whether it is a number, or an array of some, that equations know: no axis, which is of unit length, and no option

    >>> quantity = Wheel.keys()["axis"].quantity
    >>> quantity.form, quantity.words, [str(problem) for problem in quantity.problems("axis", [0, 0, 2])]
    ('vector', 'a unit vector of 3 numbers', ['axis: expected a unit vector, found [0.0, 0.0, 2.0] of length 2'])
    """

    words: str
    problems: Callable[[str, Any], list[Problem]]
    kept: Callable[[Any], Any] = lambda value: value
    form: str = "number"
    refers: str = ""
    number: bool = False


def _named(key: str, value: object) -> list[Problem]:
    return name_problems(key.removesuffix(" name"), value)


def _vector(key: str, value: Any) -> list[Problem]:
    return array_problems(key, value, (3,))


def _positive_vector(key: str, value: Any) -> list[Problem]:
    problems = array_problems(key, value, (3,))
    return problems or ([] if min(value) > 0 else [Problem(key, "3 numbers > 0", str(list(value)))])


Name = Annotated[str, Quantity("a text that is not empty", _named, form="name")]
Positive = Annotated[float, Quantity("a finite number > 0", positive_problems, number=True)]
Coefficient = Annotated[float, Quantity("a number >= 0", coefficient_problems, number=True)]
Ratio = Annotated[float, Quantity("a finite number that is not 0", ratio_problems, number=True)]
Axis = Annotated[FloatArray, Quantity("a unit vector of 3 numbers", axis_problems, unit_vector, "vector")]
Vector = Annotated[FloatArray, Quantity("3 numbers", _vector, frozen, "vector", number=True)]
PositiveVector = Annotated[FloatArray, Quantity("3 numbers > 0", _positive_vector, frozen, "vector", number=True)]
