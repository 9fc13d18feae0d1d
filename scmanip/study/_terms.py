"""Quantities of many cases at once, as a metric's expression joins them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import InvalidInput, Problem
from ..spatial import Array


@dataclass(frozen=True, eq=False)
class Term:
    """A quantity of every case.

    data : (cases, ...) with one axis per axis of its components and, where it is `timed`, time as the last one, so that sums
        over time run through neighbouring numbers whichever cases are computed together; a constant has one case
    times : (time,) [s]
    """

    data: Array
    timed: bool
    times: Array

    @classmethod
    def constant(cls, value: float, times: Array) -> Term:
        """Return a number that is the same in every case."""
        return cls(np.array([value]), False, times)

    @classmethod
    def series(cls, name: str, values: Array, times: Array) -> Term:
        """Return a series (cases, time, ...)."""
        values = np.asarray(values, dtype=float)
        if values.ndim < 2 or values.shape[1] != len(times):
            raise InvalidInput(Problem(f"series {name}", f"shape (cases, {len(times)}, ...)", f"{values.shape}"))
        return cls(np.ascontiguousarray(np.moveaxis(values, 1, -1)), True, times)

    @property
    def components(self) -> tuple[int, ...]:
        """Shape of what there is at one time of one case."""
        return self.data.shape[1:-1] if self.timed else self.data.shape[1:]

    def component(self, index: int) -> Term:
        """Return one of its components."""
        if not self.components or index >= self.components[0]:
            raise _refusal(f"components up to [{index}]", self)
        return self._like(np.ascontiguousarray(self.data[:, index]))

    def each(self, function: Callable[[Array], Array]) -> Term:
        """Return a function of each number."""
        return self._like(function(self.data))

    def joined(self, other: Term, function: Callable[[Array, Array], Array]) -> Term:
        """Return a function of each pair of numbers; a single one meets every component and every time."""
        if self.components and other.components and self.components != other.components:
            raise _refusal(f"as many components as {_said(other)}", self)
        timed, axes = self.timed or other.timed, max(len(self.components), len(other.components))
        return Term(function(self._spread(timed, axes), other._spread(timed, axes)), timed, self.times)

    def along_time(self, function: Callable[[Array], Array]) -> Term:
        """Return what `function` makes of the last axis, which is time."""
        if not self.timed:
            raise _refusal("a series along time", self)
        return Term(function(self.data), False, self.times)

    def over_components(self, function: Callable[[Array], Array]) -> Term:
        """Return what `function` makes of the last axis, along which all components are laid."""
        if not self.components:
            raise _refusal("several components", self, "over time go integral, mean, rms, max and min")
        flat = self.data.reshape(len(self.data), -1, *((len(self.times),) if self.timed else ()))
        return self._like(function(np.ascontiguousarray(np.moveaxis(flat, 1, -1))))

    def over_all(self, function: Callable[[Array], Array]) -> Term:
        """Return what `function` makes of the last axis, along which components and times are laid."""
        if not (self.timed or self.components):
            raise _refusal("a series along time, or several components", self)
        return Term(function(self.data.reshape(len(self.data), -1)), False, self.times)

    def integral(self) -> Term:
        """Return the integral over time by trapezia."""
        weights = np.zeros(len(self.times))
        weights[:-1] += np.diff(self.times) / 2
        weights[1:] += np.diff(self.times) / 2
        return self.along_time(lambda data: np.sum(np.ascontiguousarray(data * weights), axis=-1))

    def mean(self) -> Term:
        """Return the mean over time, in which long steps count as much as they last."""
        duration_s = self.times[-1] - self.times[0]
        return self.integral().each(lambda data: data / duration_s)

    def at(self, t_s: float) -> Term:
        """Return the value at a time, on the straight line between samples."""
        if not self.times[0] <= t_s <= self.times[-1]:
            raise InvalidInput(Problem("at", f"a time from {self.times[0]:g} to {self.times[-1]:g} s", f"{t_s:g} s"))
        k = int(np.clip(np.searchsorted(self.times, t_s), 1, max(len(self.times) - 1, 1)))
        part = (t_s - self.times[k - 1]) / (self.times[k] - self.times[k - 1])
        return self.along_time(lambda data: data[..., k - 1] + part * (data[..., k] - data[..., k - 1]))

    def numbers(self, cases: int) -> Array:
        """Return one number per case (cases,); raises `InvalidInput` that names what is left."""
        if self.timed or self.components:
            hint = "choose by [0] or join by norm(...), sum(...), max(...) or min(...)" if self.components else ""
            hint = "end with final(...), max(...), min(...), mean(...), rms(...) or integral(...)" if self.timed else hint
            raise _refusal("one number per case", self, hint)
        return np.array(np.broadcast_to(self.data, (cases,)))

    def _like(self, data: Array) -> Term:
        return Term(data, self.timed, self.times)

    def _spread(self, timed: bool, axes: int) -> Array:
        """Return the data with axes of length one for time and components that it does not have."""
        shape = [len(self.data), *(self.components or (1,) * axes)]
        return self.data.reshape(*shape, *((self.data.shape[-1] if self.timed else 1,) if timed else ()))


def _said(term: Term) -> str:
    parts = ["one number" if not term.components else f"{' by '.join(map(str, term.components))} components"]
    return " ".join([*parts, *(["at each time"] if term.timed else ["per case"])])


def _refusal(expected: str, term: Term, hint: str = "") -> InvalidInput:
    return InvalidInput(Problem("expression", expected, _said(term), hint=hint))
