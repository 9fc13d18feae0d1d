"""The cases of a study, each of which is known from its number alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, checked, refuse
from ...spatial import Array
from ..rows._case import Case, Value, columns_of, width_of
from ._dispersions import Correlated, Dispersion, How
from ._sampling import FullFactorial, Points, Sampling
from ._scatter import Scatter
from ._variables import Levels, Variable, plain_value

MOST_CASES = 100_000_000


@checked
@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """What is set in each case of a study, with every path spelt out (no wildcards).

    design : variable by path, or by a name for the paths in `targets`, all of which it sets
    dispersion : by path; correlated : groups of paths of dispersions
    sampling : which points of the design are run; repeats : how many cases with draws of their own at each
    seed : of all draws; those of case i come from `SeedSequence(seed, spawn_key=(i,))`
    nominal : value by path, needed for dispersions that add to it or scale it; where the path is also a design variable, the
        draw is added to that one's value, or multiplies it
    first : only so many cases, the first ones; None for all
    Raises `InvalidInput` with every problem. Draws are taken in the order of `dispersion`: another one at the end leaves
    those before it as they were.

    >>> from scipy.stats import norm
    >>> masses = {"mass_kg": dispersed(norm(10.0, 0.5))}
    >>> plan = Plan(seed=7, design={"gain": levels(1.0, 2.0)}, dispersion=masses, repeats=3)
    >>> plan.cases, plan.columns, plan.case(4).values["gain"]
    (6, ('gain', 'mass_kg'), 2.0)
    """

    seed: int
    design: Mapping[str, Variable] = field(default_factory=dict)
    dispersion: Mapping[str, Dispersion] = field(default_factory=dict)
    correlated: Sequence[Correlated] = ()
    sampling: Sampling = field(default_factory=FullFactorial)
    repeats: int = 1
    targets: Mapping[str, Sequence[str]] = field(default_factory=dict)
    nominal: Mapping[str, Value] = field(default_factory=dict)
    first: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "nominal", {path: plain_value(value) for path, value in self.nominal.items()})
        problems = [problem for path, given in self.dispersion.items() for problem in self._problems(path, given)]
        problems += self._scatter.problems()
        if self.cases > MOST_CASES:
            found = f"{self._points.count} points with {self.repeats} each, {self.cases:.3g} cases"
            problems.append(Problem("repeats", f"at most {MOST_CASES} cases in all", found))
        refuse(problems)

    @property
    def cases(self) -> int:
        """How many cases there are; the nominal one is not among them."""
        whole = self._points.count * self.repeats
        return whole if self.first is None else min(self.first, whole)

    def case(self, number: int) -> Case:
        """Return one case, the same whichever others are asked for."""
        return self.cases_between(number, number + 1)[0]

    def cases_between(self, first: int, last: int) -> list[Case]:
        """Return the cases from `first` up to `last`, which is not among them: equal to one by one, and faster."""
        if not 0 <= first <= last <= self.cases:
            raise InvalidInput(Problem("case", f"a number from 0 to {self.cases - 1}", str(first if first < 0 else last - 1)))
        places = [divmod(number, self.repeats) for number in range(first, last)]
        values: list[dict[str, Value]] = [self.at(design) for design, _ in places]
        for path, drawn in self._scatter.draws(first, last).items():
            nominal = [row[path] for row in values] if path in self._chosen else None
            for row, value in zip(values, self._dispersed(path, drawn, nominal), strict=True):
                row[path] = value
        numbered = zip(range(first, last), places, values, strict=True)
        return [Case(number, design, repeat, row) for number, (design, repeat), row in numbered]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the inputs as columns of a table: the path, or path[0], path[1] ... of a value with several numbers."""
        return tuple(column for path in self.paths for column in columns_of(path, self._widths[path]))

    @property
    def paths(self) -> tuple[str, ...]:
        """What is set in every case, in the order in which a case holds it."""
        return tuple(dict.fromkeys((*self._chosen, *self.dispersion)))

    @cached_property
    def text(self) -> str:
        """The plan as JSON, the same for the same cases."""
        return json.dumps(self.table, separators=(",", ":"), ensure_ascii=True, allow_nan=False)

    @cached_property
    def key(self) -> str:
        """A digest of `text`."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def table(self) -> dict[str, Any]:
        """The plan as plain lists and tables."""
        relative = {
            path: self.nominal[path] for path in self.dispersion if self._is_relative(path) and path not in self._chosen
        }
        return {
            "seed": self.seed,
            "repeats": self.repeats,
            "sampling": self.sampling.table,
            "design": {path: variable.table for path, variable in self.design.items()},
            "dispersion": {path: given.table for path, given in self.dispersion.items()},
            "correlated": [group.table for group in self.correlated],
            "targets": {path: list(self.targets[path]) for path in self.design if path in self.targets},
            "nominal": {path: self.nominal[path] for path in relative},
        }

    @cached_property
    def _points(self) -> Points:
        return self.sampling.points(tuple(self.design.values()), self.seed)

    @cached_property
    def _chosen(self) -> dict[str, Variable]:
        """The design variable of each path that has one."""
        return {path: variable for name, variable in self.design.items() for path in self.targets.get(name, (name,))}

    def at(self, design: int) -> dict[str, Value]:
        """Return what a point of the design sets."""
        values = zip(self.design, self._points.point(design), strict=True)
        return {path: value for name, value in values for path in self.targets.get(name, (name,))}

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle holds: the fields, and nothing that follows from them."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    @cached_property
    def _scatter(self) -> Scatter:
        return Scatter(self.seed, self.dispersion, self.correlated)

    def _dispersed(self, path: str, drawn: Array, chosen: Sequence[Value] | None) -> Iterator[Value]:
        """Give the value of each case by its draw (m, count), for a design variable from what is `chosen` there."""
        how = self.dispersion[path].how
        if how is not How.SET:
            nominal = np.array([self.nominal[path]] if chosen is None else chosen, dtype=float)
            nominal = nominal.reshape(len(nominal), -1)
            drawn = nominal + drawn if how is How.ADD else nominal * drawn
        if self._widths[path] is None:
            yield from drawn[:, 0].tolist()
        else:
            yield from map(tuple, drawn.tolist())

    def _is_relative(self, path: str) -> bool:
        return path in self.dispersion and self.dispersion[path].how is not How.SET

    @cached_property
    def _widths(self) -> dict[str, int | None]:
        """How many numbers the value at each path has, None for a single number or text."""
        return {path: self._width(path) for path in self.paths}

    def _width(self, path: str) -> int | None:
        if path in self.dispersion and not self._is_relative(path):
            return self.dispersion[path].size
        return width_of(self._nominal_values(path)[0])

    def _nominal_values(self, path: str) -> Sequence[Value]:
        """Return the values that a dispersion may find: those of the design, or the nominal one."""
        variable = self._chosen.get(path)
        if isinstance(variable, Levels):
            return variable.values
        return (self.nominal[path],) if variable is None else (variable.low,)

    def _problems(self, path: str, given: Dispersion) -> Iterator[Problem]:
        if path in self._chosen and given.how is How.SET:
            hint = 'how = "add" or "scale" disperses about the value of the design'
            yield Problem(path, "a design variable or a dispersion that sets it", "both", hint=hint)
        elif path in self._chosen or path in self.nominal:
            misfits = [value for value in self._nominal_values(path) if not _fits(value, given)]
            yield from [_misfit(path, value, given) for value in misfits[:1]]
        elif given.how is not How.SET:
            yield Problem(path, f"a nominal value to {given.how}", "none")


def _fits(value: Value, given: Dispersion) -> bool:
    """Whether draws and a value go together: number by number, or one factor for all numbers."""
    if isinstance(value, str | bool):
        return False
    return width_of(value) == given.size or (given.how is How.SCALE and given.size is None)


def _misfit(path: str, value: Value, given: Dispersion) -> Problem:
    if isinstance(value, str | bool):
        return Problem(path, "a number to disperse", repr(value))
    width = width_of(value)
    expected = "a dispersion of one number" if width is None else f"a dispersion of {width} numbers"
    found = "one number" if given.size is None else f"{given.size} numbers"
    size = "leave out size" if width is None else f"size = {width}"
    return Problem(path, f"{expected}, as its value has", found, hint=size)
