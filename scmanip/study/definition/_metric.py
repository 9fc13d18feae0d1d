"""Metrics: one number per case, by a small arithmetic over series."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from ...channels import PLAIN, conversion, unit_of
from ...errors import InvalidInput, Problem, nearest
from ...spatial import Array
from ..expression._grammar import mistake, names_in, parsed, place
from ..expression._grid import Grid
from ..expression._meaning import evaluated, unit_within
from ..expression._terms import Term

TIME = "t_s"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class SeriesSource(Protocol):
    """What metrics are computed from: series of several cases at the same times.

    >>> class Ramp:
    ...     names, times, pieces = ("reach_m",), np.array([0.0, 1.0, 2.0]), None
    ...     def series(self, name):
    ...         return np.array([[0.0, 0.5, 1.0], [0.0, 1.0, 4.0]])
    ...
    >>> Metric("reach_m", "max(reach_m)").values(Ramp()).tolist()
    [1.0, 4.0]
    """

    @property
    def names(self) -> Collection[str]:
        """Names of the series, with their units at the end."""

    @property
    def times(self) -> Array:
        """Times [s], (time,) of all cases or (cases, time) of each."""

    @property
    def pieces(self) -> Array | None:
        """(time,) whole numbers, ascending, of the smooth pieces that samples belong to, as `Grid` has it.

        None where nothing is known of what lies between samples: then largest values are those of samples, and integrals go
        by trapezia.
        """

    def series(self, name: str) -> Array:
        """Return a series (cases, time, ...), in the unit of its name."""


class Estimated(NamedTuple):
    """One number per case (cases,), and estimates (cases,) of what is wrong with it for being known at samples, in its unit.

    >>> known = Estimated(np.array([1.2, 1.3]), np.array([1e-6, 2e-6]))
    >>> known.values.tolist(), known.errors.tolist()
    ([1.2, 1.3], [1e-06, 2e-06])
    """

    values: Array
    errors: Array


@dataclass(frozen=True)
class Metric:
    """A number per case: `Metric("base_rotation_deg", "max(degrees(base_rotation_rad))")`.

    name : ends in its unit; one that is a plain number in _relative, _ratio, _fraction, _factor, _count or _index
    expression : numbers, series, + - * / **, parentheses, components such as [0], and functions (`FUNCTIONS`)
    Raises `InvalidInput` with the character where the expression goes wrong, and where units do not fit.

    >>> metric = Metric("base_rotation_deg", "max(degrees(base_rotation_rad))")
    >>> metric.unit, metric.series
    ('deg', ('base_rotation_rad',))
    """

    name: str
    expression: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise InvalidInput(Problem("metric", "a name of letters, digits and _", repr(self.name)))
        if unit_of(self.name) is None:
            hint = f"such as {self.name}_deg or, for a plain number, {self.name}_ratio"
            raise InvalidInput(Problem(self.name, "a name that ends in its unit", repr(self.name), hint=hint))
        try:
            found = unit_within(self._tree, self.expression)
        except InvalidInput as error:
            raise _named(self.name, error) from None
        if not set(self.series) - {TIME}:
            raise InvalidInput(Problem(self.name, "an expression with a series", repr(self.expression)))
        if found not in (None, self.unit):
            raise InvalidInput(
                Problem(
                    self.name, f"an expression in {self.unit}", f"one in {found}", hint=conversion(found or PLAIN, self.unit)
                )
            )

    @property
    def unit(self) -> str:
        """The end of its name: "deg", "rad_s", or "1" for a plain number."""
        return unit_of(self.name) or ""

    @cached_property
    def series(self) -> tuple[str, ...]:
        """Names of the series in it; the time `t_s` is always there, the others come from a source."""
        return tuple(dict.fromkeys(node.id for node in names_in(self._tree)))

    def values(self, source: SeriesSource) -> Array:
        """Return one number per case (cases,), in the unit of `name`; those of a case do not depend on the others.

        Raises `InvalidInput` for an unknown series, and where the expression does not come to one number.
        """
        return self.estimated(source, Grid(np.asarray(source.times, dtype=float), source.pieces)).values

    def estimated(self, source: SeriesSource, grid: Grid) -> Estimated:
        """Return the same with errors: by how much polynomials of lower degree between the samples change the numbers.

        grid : of the source's times, which several metrics may share
        """
        self._refuse_unknown(source.names)
        given = {name: Term.series(name, source.series(name), grid) for name in self.series if name != TIME}
        cases = max((len(term.data) for term in given.values()), default=1)
        given[TIME] = Term.series(TIME, grid.rows, grid)
        try:
            found = evaluated(self._tree, given, grid)
            return Estimated(found.numbers(cases), found.apart(cases))
        except InvalidInput as error:
            raise _named(self.name, error) from None

    def check(self, shapes: Mapping[str, Sequence[int]], *, t_end_s: float = float("inf")) -> None:
        """Raise `InvalidInput` if series with components of the given shapes do not make it, before any case is run."""
        self.values(_Blank(shapes, np.array([0.0, min(t_end_s, 1e300)])))

    @cached_property
    def _tree(self) -> ast.expr:
        return parsed(self.expression)

    def _refuse_unknown(self, valid: Collection[str]) -> None:
        for node in names_in(self._tree):
            if node.id != TIME and node.id not in valid:
                hint = nearest(node.id, valid) or f"there are {', '.join(sorted(valid))}"
                raise _named(self.name, mistake(self.expression, place(node), "a series", repr(node.id), hint))


@dataclass(frozen=True, eq=False)
class _Blank:
    """Series of one case that are zero."""

    shapes: Mapping[str, Sequence[int]]
    times: Array

    @property
    def names(self) -> Collection[str]:
        return self.shapes.keys()

    @property
    def pieces(self) -> None:
        return None

    def series(self, name: str) -> Array:
        return np.zeros((1, len(self.times), *self.shapes[name]))


def _named(name: str, error: InvalidInput) -> InvalidInput:
    """Return the error with the metric's name in front of each problem's key."""
    return InvalidInput([replace(problem, key=name) for problem in error.problems])
