"""Quantities of many cases at once, as a metric's expression joins them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...errors import InvalidInput, Problem
from ...spatial import Array
from ._between import integral, largest
from ._grid import Grid, Places, Whole, added


@dataclass(frozen=True, eq=False)
class Term:
    """A quantity of every case.

    data : (cases, ...) with one axis per axis of its components and, where it is `timed`, time as the last one, so that sums
        over time run through neighbouring numbers whichever cases are computed together; a constant has one case
    grid : of the samples
    local : gives a timed one (P, ..., Q) at other places; None where it is there already
    other : what polynomials of lower degree make of it, where they have a part in it
    """

    data: Array
    timed: bool
    grid: Grid
    local: Callable[[Places], Array] | None = None
    other: Array | None = None

    @classmethod
    def constant(cls, value: float, grid: Grid) -> Term:
        """Return a number that is the same in every case."""
        return cls(np.array([value]), False, grid)

    @classmethod
    def series(cls, name: str, values: Array, grid: Grid) -> Term:
        """Return a series (cases, time, ...)."""
        values = np.asarray(values, dtype=float)
        if values.ndim < 2 or values.shape[1] != grid.count:
            raise InvalidInput(Problem(f"series {name}", f"shape (cases, {grid.count}, ...)", f"{values.shape}"))
        data = np.ascontiguousarray(np.moveaxis(values, 1, -1))
        return cls(data, True, grid, lambda places: places.values(data))

    def there(self, places: Places) -> Array:
        """Return it at other places: (P, ..., Q), or (P, ...) where it is not timed."""
        if self.timed and self.local is not None:
            return self.local(places)
        return places.of_case(self.data if self.other is None or not places.lower else self.other)

    @property
    def components(self) -> tuple[int, ...]:
        """Shape of what there is at one time of one case."""
        return self.data.shape[1:-1] if self.timed else self.data.shape[1:]

    def component(self, index: int) -> Term:
        """Return one of its components."""
        if not self.components or index >= self.components[0]:
            raise _refusal(f"components up to [{index}]", self)
        return self.each(lambda data: np.ascontiguousarray(data[:, index]))

    def each(self, function: Callable[[Array], Array]) -> Term:
        """Return a function of each number."""
        local = (lambda places: function(self.there(places))) if self.timed else None
        return Term(
            function(self.data), self.timed, self.grid, local, self.other if self.other is None else function(self.other)
        )

    def joined(self, other: Term, function: Callable[[Array, Array], Array]) -> Term:
        """Return a function of each pair of numbers; a single one meets every component and every time."""
        if self.components and other.components and self.components != other.components:
            raise _refusal(f"as many components as {_said(other)}", self)
        timed, axes = self.timed or other.timed, max(len(self.components), len(other.components))

        def of(a: Array, b: Array) -> Array:
            return function(self._spread(a, timed, axes), other._spread(b, timed, axes))

        lower = None
        if not timed and not (self.other is None and other.other is None):
            lower = of(*(term.data if term.other is None else term.other for term in (self, other)))
        local = (lambda places: of(self.there(places), other.there(places))) if timed else None
        return Term(of(self.data, other.data), timed, self.grid, local, lower)

    def along_time(self, function: Callable[[Array], Array]) -> Term:
        """Return what `function` makes of the last axis, which is time."""
        self._refuse_untimed()
        return Term(function(self.data), False, self.grid)

    def over_components(self, function: Callable[[Array], Array]) -> Term:
        """Return what `function` makes of the last axis, along which all components are laid."""
        if not self.components:
            raise _refusal("several components", self, "over time go integral, mean, rms, max and min")
        axes = (-1,) if self.timed else ()

        def of(data: Array) -> Array:
            flat = data.reshape(len(data), -1, *(data.shape[axis] for axis in axes))
            return function(np.ascontiguousarray(np.moveaxis(flat, 1, -1)))

        return self.each(of)

    def largest(self) -> Term:
        """Return the largest number of all components and times, between samples too."""
        if not (self.timed or self.components):
            raise _refusal("a series along time, or several components", self)
        if self.timed and self.grid.smooth:
            found, lower = largest(self.data, self.grid, self.there)
            return Term(found, False, self.grid, None, lower)
        return Term(self.data, False, self.grid, None, self.other).each(lambda data: data.reshape(len(data), -1).max(axis=-1))

    def integral(self) -> Term:
        """Return the integral over time; by trapezia where nothing is known between samples."""
        self._refuse_untimed()
        if self.grid.smooth:
            found, lower = integral(self.data, self.grid, self.there)
            return Term(found, False, self.grid, None, lower)
        weights = np.zeros(self.grid.rows.shape)
        weights[:, :-1] += self.grid.sizes / 2
        weights[:, 1:] += self.grid.sizes / 2
        weights = weights.reshape(len(weights), *(1,) * len(self.components), -1)
        return self.along_time(lambda data: added(data * weights))

    def mean(self) -> Term:
        """Return the mean over time, in which long steps count as much as they last."""
        duration_s = self.grid.rows[:, -1] - self.grid.rows[:, 0]
        duration_s = duration_s.reshape(-1, *(1,) * len(self.components))
        return self.integral().each(lambda data: data / duration_s)

    def at(self, t_s: float) -> Term:
        """Return the value at a time; on the straight line between samples where no more is known."""
        times, cases = self.grid.rows, np.arange(len(self.data))
        last = float(times[:, -1].min())
        if not times[0, 0] <= t_s <= last:
            raise InvalidInput(Problem("at", f"a time from {times[0, 0]:g} to {last:g} s", f"{t_s:g} s"))
        self._refuse_untimed()
        k = np.clip((times < t_s).sum(axis=1), 1, max(self.grid.count - 1, 1))
        row = np.arange(len(times))
        part = (t_s - times[row, k - 1]) / (times[row, k] - times[row, k - 1])
        row = self.grid.row(cases)
        if not self.grid.smooth:
            before, after = (_picked(self.data, number[row]) for number in (k - 1, k))
            share = part[row].reshape(-1, *(1,) * len(self.components))
            return Term(before + share * (after - before), False, self.grid)
        there = [Places(self.grid, cases, k[row] - 1, part[row][:, None], low) for low in (False, True)]
        found, lower = (self.there(places)[..., 0] for places in there)
        return Term(found, False, self.grid, None, lower)

    def numbers(self, cases: int) -> Array:
        """Return one number per case (cases,); raises `InvalidInput` that names what is left."""
        if self.timed or self.components:
            hint = "choose by [0] or join by norm(...), sum(...), max(...) or min(...)" if self.components else ""
            hint = "end with final(...), max(...), min(...), mean(...), rms(...) or integral(...)" if self.timed else hint
            raise _refusal("one number per case", self, hint)
        return np.array(np.broadcast_to(self.data, (cases,)))

    def apart(self, cases: int) -> Array:
        """Return by how much polynomials of lower degree change the number of each case (cases,); see `numbers`."""
        numbers = self.numbers(cases)
        if self.other is None:
            return np.zeros(cases)
        with np.errstate(all="ignore"):
            return np.where(self.other == numbers, 0.0, np.abs(self.other - numbers))

    def _refuse_untimed(self) -> None:
        if not self.timed:
            raise _refusal("a series along time", self)

    def _spread(self, data: Array, timed: bool, axes: int) -> Array:
        """Return data of it with axes of length one for time and components that it does not have."""
        shape = [len(data), *(self.components or (1,) * axes)]
        return data.reshape(*shape, *((data.shape[-1] if self.timed else 1,) if timed else ()))


def _picked(data: Array, k: Whole) -> Array:
    """Return the samples (cases, ...) number k (cases,) of series (cases, ..., K)."""
    return np.take_along_axis(data, k.reshape(-1, *(1,) * (data.ndim - 1)), axis=-1)[..., 0]


def _said(term: Term) -> str:
    parts = ["one number" if not term.components else f"{' by '.join(map(str, term.components))} components"]
    return " ".join([*parts, *(["at each time"] if term.timed else ["per case"])])


def _refusal(expected: str, term: Term, hint: str = "") -> InvalidInput:
    return InvalidInput(Problem("expression", expected, _said(term), hint=hint))
