"""Which points of the design are run."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...errors import InvalidInput, Problem
from ...spatial import Array
from ..rows._case import Value
from ..rows._checks import check_whole
from ._variables import Levels, Span, Variable

MOST_POINTS = 2**24
_APART = (0, 0, 0)  # spawn key of what is drawn for the study as a whole: no case has one of three numbers


@dataclass(frozen=True, eq=False)
class _Combinations:
    """All combinations of values, the last one changing first."""

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
    """Points of the unit cube u (count, d), as values of variables."""

    variables: list[Variable]
    u: Array

    @property
    def count(self) -> int:
        return len(self.u)

    def point(self, number: int) -> tuple[Value, ...]:
        return tuple(variable.at(u) for variable, u in zip(self.variables, self.u[number].tolist(), strict=True))


Points = _Combinations | _Cube  # of a design, each at hand without those before it


@dataclass(frozen=True)
class FullFactorial:
    """Every combination of levels, the last variable changing first.

    >>> Plan(seed=1, design={"a": levels(1, 2), "b": levels(3, 4, 5)}, sampling=FullFactorial()).cases
    6
    """

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
class _Filling(ABC):
    """`count` points that fill the space of all variables evenly."""

    count: int
    kind: ClassVar[str]

    def __post_init__(self) -> None:
        check_whole("count", self.count, 1, MOST_POINTS)

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        return {"type": self.kind, "count": self.count}

    def check(self, variables: Sequence[Variable]) -> None:
        """Raise `InvalidInput` where there is nothing to sample."""
        if not variables:
            hint = "chance alone needs repeats, no sampling"
            raise InvalidInput(Problem("sampling", "design variables to sample", "none", hint=hint))

    def points(self, variables: Sequence[Variable], seed: int) -> Points:
        """Return the points, held as 8 bytes per point and variable."""
        self.check(variables)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=_APART))
        return _Cube(list(variables), self._engine(len(variables), rng).random(self.count))

    @abstractmethod
    def _engine(self, d: int, rng: np.random.Generator) -> Any:
        """Return what draws points of the unit cube of d dimensions."""


class LatinHypercube(_Filling):
    """`count` points, of which each of `count` equal parts of every variable has one.

    Raises `InvalidInput` for a count that is no whole number from 1 to 2^24.

    >>> plan = Plan(seed=1, design={"gain": span(0.0, 1.0)}, sampling=LatinHypercube(4))
    >>> sorted(int(4 * plan.case(number).values["gain"]) for number in range(4))  # one in each quarter
    [0, 1, 2, 3]
    """

    kind = "latin_hypercube"

    def _engine(self, d: int, rng: np.random.Generator) -> Any:
        from scipy.stats import qmc

        return qmc.LatinHypercube(d, rng=rng)


class Sobol(_Filling):
    """`count` points of a scrambled Sobol' sequence, a power of 2.

    Raises `InvalidInput` for a count that is no power of 2 from 1 to 2^24.

    >>> plan = Plan(seed=1, design={"gain": span(0.0, 1.0)}, sampling=Sobol(8))
    >>> plan.cases, bool(0.0 <= plan.case(3).values["gain"] <= 1.0)
    (8, True)
    """

    kind = "sobol"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.count & (self.count - 1):
            hint = f"{(1 << self.count.bit_length()) // 2} or {1 << self.count.bit_length()}"
            raise InvalidInput(Problem("count", "a power of 2, for the points to be balanced", str(self.count), hint=hint))

    def _engine(self, d: int, rng: np.random.Generator) -> Any:
        from scipy.stats import qmc

        return qmc.Sobol(d, rng=rng)


Sampling = FullFactorial | LatinHypercube | Sobol
