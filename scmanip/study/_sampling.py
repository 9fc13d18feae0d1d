"""Which points of the design are run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..errors import InvalidInput, Problem
from ..spatial import Array
from ._case import Value
from ._checks import check_whole
from ._variables import Levels, Span, Variable

MOST_POINTS = 2**24
_APART = (0, 0, 0)  # spawn key of what is drawn for the study as a whole: no case has one of three numbers


class Points(Protocol):
    """The points of a design, each at hand without those before it."""

    @property
    def count(self) -> int:
        """How many there are."""

    def point(self, number: int) -> tuple[Value, ...]:
        """Return the value of each variable at a point."""


@dataclass(frozen=True)
class FullFactorial:
    """Every combination of levels, the last variable changing first."""

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        return {"type": "full_factorial"}

    def check(self, variables: Sequence[Variable]) -> None:
        """Raise `InvalidInput` for a span, which has no levels to combine."""
        for variable in variables:
            if isinstance(variable, Span):
                hint = f"grid({variable.low:g}, {variable.high:g}, count), or a Latin hypercube or Sobol' sampling"
                raise InvalidInput(Problem("sampling", "levels or a grid for every variable", "a span", hint=hint))

    def points(self, variables: Sequence[Variable], seed: int) -> Points:
        """Return the combinations; `seed` plays no part."""
        self.check(variables)
        return _Combinations([variable.values for variable in variables if isinstance(variable, Levels)])


@dataclass(frozen=True)
class LatinHypercube:
    """`count` points, of which each of `count` equal parts of every variable has one."""

    count: int

    def __post_init__(self) -> None:
        check_whole("count", self.count, 1, MOST_POINTS, ", the points of latin_hypercube")

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        return {"type": "latin_hypercube", "count": self.count}

    def check(self, variables: Sequence[Variable]) -> None:
        """Raise `InvalidInput` where there is nothing to sample."""
        _check_variables(variables)

    def points(self, variables: Sequence[Variable], seed: int) -> Points:
        """Return the points, held as 8 bytes per point and variable."""
        from scipy.stats import qmc

        self.check(variables)
        cube = qmc.LatinHypercube(len(variables), rng=_generator(seed))
        return _Cube(list(variables), cube.random(self.count))


@dataclass(frozen=True)
class Sobol:
    """`count` points of a scrambled Sobol' sequence, a power of 2."""

    count: int

    def __post_init__(self) -> None:
        check_whole("count", self.count, 1, MOST_POINTS, ", the points of sobol")
        if self.count & (self.count - 1):
            above = 1 << self.count.bit_length()
            raise InvalidInput(
                Problem(
                    "count", "a power of 2, for the points to be balanced", str(self.count), hint=f"{above // 2} or {above}"
                )
            )

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        return {"type": "sobol", "count": self.count}

    def check(self, variables: Sequence[Variable]) -> None:
        """Raise `InvalidInput` where there is nothing to sample."""
        _check_variables(variables)

    def points(self, variables: Sequence[Variable], seed: int) -> Points:
        """Return the points, held as 8 bytes per point and variable."""
        from scipy.stats import qmc

        self.check(variables)
        cube = qmc.Sobol(len(variables), rng=_generator(seed))
        return _Cube(list(variables), cube.random(self.count))


Sampling = FullFactorial | LatinHypercube | Sobol


@dataclass(frozen=True, eq=False)
class _Combinations:
    values: list[tuple[Value, ...]]

    @property
    def count(self) -> int:
        return math.prod(map(len, self.values))

    def point(self, number: int) -> tuple[Value, ...]:
        chosen: list[Value] = []
        for values in reversed(self.values):
            number, k = divmod(number, len(values))
            chosen.append(values[k])
        return tuple(reversed(chosen))


@dataclass(frozen=True, eq=False)
class _Cube:
    variables: list[Variable]
    u: Array

    @property
    def count(self) -> int:
        return len(self.u)

    def point(self, number: int) -> tuple[Value, ...]:
        return tuple(variable.at(u) for variable, u in zip(self.variables, self.u[number].tolist(), strict=True))


def _generator(seed: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=_APART))


def _check_variables(variables: Sequence[Variable]) -> None:
    if not variables:
        raise InvalidInput(
            Problem("sampling", "design variables to sample", "none", hint="chance alone needs repeats, no sampling")
        )
