"""Design variables: what a trade study chooses, as against what chance does."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, checked, expect
from ...spatial import is_number
from ..rows._case import Value
from ..rows._checks import check_whole

MOST_LEVELS = 100_000
_LEVEL = "finite numbers, texts, true and false, or lists of finite numbers"


@checked
@dataclass(frozen=True)
class Levels:
    """A design variable that takes one of the given values.

    Raises `InvalidInput` for no values, equal ones, and values of several kinds.

    >>> levels("floating", "flying").values, levels(1.0, 2.0).at(0.7)
    (('floating', 'flying'), 2.0)
    """

    values: tuple[Value, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise InvalidInput(Problem("levels", "at least one value", "none"))
        if len(set(self.values)) < len(self.values):
            raise InvalidInput(Problem("levels", "values that differ", str(list(self.values))))
        if len({_shape(value) for value in self.values}) > 1:
            raise InvalidInput(Problem("levels", "values of one kind", str(list(self.values))))

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        return {"levels": [list(value) if isinstance(value, tuple) else value for value in self.values]}

    def at(self, u: float) -> Value:
        """Return the value at 0 <= u < 1: each has an equal part of the way."""
        return self.values[min(int(u * len(self.values)), len(self.values) - 1)]


@checked
@dataclass(frozen=True)
class Span:
    """A design variable that takes any value from `low` to `high`, evenly in its logarithm with `log`.

    low, high : in the unit of what is varied

    Raises `InvalidInput` for ends that are not finite or not in order, with `log` for ends that are not > 0.

    >>> span(1.0, 100.0, log=True).at(0.5)
    10.0
    """

    low: float
    high: float
    log: bool = False

    def __post_init__(self) -> None:
        expect("log", self.log, bool, "True or False")
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise InvalidInput(Problem("span", "two finite numbers, the lower one first", f"[{self.low:g}, {self.high:g}]"))
        if self.log and self.low <= 0:
            raise InvalidInput(Problem("span", "numbers > 0, because log is set", f"[{self.low:g}, {self.high:g}]"))

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        return {"span": [self.low, self.high], **({"log": True} if self.log else {})}

    def at(self, u: float) -> float:
        """Return the value, in the unit of what is varied, at the fraction 0 <= u <= 1 of the way."""
        value = self.low * (self.high / self.low) ** u if self.log else self.low + (self.high - self.low) * u
        return min(max(value, self.low), self.high)


Variable = Levels | Span


def levels(*values: object) -> Levels:
    """Return a design variable with the given values: numbers, texts, True and False, or tuples of numbers.

    >>> levels(0.5, 1.0, 2.0).table
    {'levels': [0.5, 1.0, 2.0]}
    """
    return Levels(tuple(map(plain_value, values)))


def span(low: float, high: float, *, log: bool = False) -> Span:
    """Return a design variable between two numbers in the unit of what it varies, for Latin hypercubes and Sobol' points.

    >>> span(0.5, 2.0).table
    {'span': [0.5, 2.0]}
    """
    return Span(_end(low), _end(high), log)


def grid(low: float, high: float, count: int, *, log: bool = False) -> Levels:
    """Return a design variable with `count` values from `low` to `high`, both included, evenly spaced (in the logarithm).

    Raises `InvalidInput` for a count that is no whole number from 2 to 100000, else as `Span`.

    >>> grid(0.0, 1.0, 5).values, grid(1.0, 100.0, 3, log=True).values
    ((0.0, 0.25, 0.5, 0.75, 1.0), (1.0, 10.0, 100.0))
    """
    check_whole("count", count, 2, MOST_LEVELS)
    between = Span(_end(low), _end(high), log)
    return Levels(tuple(between.at(i / (count - 1)) for i in range(count)))


def plain_value(given: object) -> Value:
    """Return a number, a text, a truth or numbers as a case holds them; raises `InvalidInput`."""
    if isinstance(given, str | bool):
        return given
    if is_number(given):
        return float(given)  # type: ignore[arg-type]
    if isinstance(given, Iterable) and not isinstance(given, dict) and not np.ma.isMaskedArray(given):
        numbers = tuple(given)
        if numbers and all(map(is_number, numbers)):
            return tuple(map(float, numbers))
    raise InvalidInput(Problem("levels", _LEVEL, repr(given)))


def _end(given: object) -> float:
    if not is_number(given):
        raise InvalidInput(Problem("span", "two finite numbers, the lower one first", repr(given)))
    return float(given)  # type: ignore[arg-type]


def _shape(value: Value) -> object:
    return len(value) if isinstance(value, tuple) else type(value)
