"""The cases of a study, each of which is known from its number alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import InvalidInput, Problem, nearest
from ..spatial import Array
from ._case import Case, Value
from ._dispersions import Correlated, Dispersion, How
from ._draws import Copula, uniforms
from ._sampling import FullFactorial, Points, Sampling
from ._variables import Levels, Variable, plain_value


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """What is set in each case of a study, with every path spelt out (no wildcards).

    design : variable by path, or by a name for the paths in `targets`, all of which it sets
    dispersion : by path; correlated : groups of paths of dispersions
    sampling : which points of the design are run; repeats : how many cases with draws of their own at each
    seed : of all draws; those of case i come from `SeedSequence(seed, spawn_key=(i,))`
    nominal : value by path, needed for dispersions that add to it or scale it; where the path is also a design variable, the
        draw is added to that one's value, or multiplies it
    Raises `InvalidInput` with every problem. Draws are taken in the order of `dispersion`: another one at the end leaves
    those before it as they were.
    """

    seed: int
    design: Mapping[str, Variable] = field(default_factory=dict)
    dispersion: Mapping[str, Dispersion] = field(default_factory=dict)
    correlated: Sequence[Correlated] = ()
    sampling: Sampling = field(default_factory=FullFactorial)
    repeats: int = 1
    targets: Mapping[str, Sequence[str]] = field(default_factory=dict)
    nominal: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nominal", {path: plain_value(value) for path, value in self.nominal.items()})
        problems = [problem for path, given in self.dispersion.items() for problem in self._problems(path, given)]
        problems += [problem for number in range(len(self.correlated)) for problem in self._group_problems(number)]
        if problems:
            raise InvalidInput(problems)

    @property
    def cases(self) -> int:
        """How many cases there are; the nominal one is not among them."""
        return self._points.count * self.repeats

    def case(self, number: int) -> Case:
        """Return one case, the same whichever others are asked for."""
        return self.cases_between(number, number + 1)[0]

    def cases_between(self, first: int, last: int) -> list[Case]:
        """Return the cases from `first` up to `last`, which is not among them: equal to one by one, and faster."""
        if not 0 <= first <= last <= self.cases:
            raise InvalidInput(Problem("case", f"a number from 0 to {self.cases - 1}", str(first if first < 0 else last - 1)))
        places = [divmod(number, self.repeats) for number in range(first, last)]
        values: list[dict[str, Value]] = [self._at(design) for design, _ in places]
        u = self._uniforms(first, last)
        for path, (where, given) in self._drawn.items():
            nominal = [row[path] for row in values] if path in self._chosen else None
            for row, value in zip(values, self._dispersed(path, given, given.values(u[:, where]), nominal), strict=True):
                row[path] = value
        numbered = zip(range(first, last), places, values, strict=True)
        return [Case(number, design, repeat, row) for number, (design, repeat), row in numbered]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the inputs as columns of a table: the path, or path[0], path[1] ... of a value with several numbers."""
        return tuple(column for path in self.paths for column in _columns(path, self._width(path)))

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
        relative = {path: self.nominal[path] for path in self._drawn if self._is_relative(path) and path not in self._chosen}
        return {
            "seed": self.seed,
            "repeats": self.repeats,
            "sampling": self.sampling.table,
            "design": {path: variable.table for path, variable in self.design.items()},
            "dispersion": {path: given.table for path, given in self.dispersion.items()},
            "correlated": [group.table for group in self.correlated],
            "targets": {path: list(self.targets[path]) for path in self.design if path in self.targets},
            "nominal": relative,
        }

    @cached_property
    def _points(self) -> Points:
        return self.sampling.points(tuple(self.design.values()), self.seed)

    @cached_property
    def _chosen(self) -> dict[str, Variable]:
        """The design variable of each path that has one."""
        return {path: variable for name, variable in self.design.items() for path in self.targets.get(name, (name,))}

    def _at(self, design: int) -> dict[str, Value]:
        """Return what a point of the design sets."""
        values = zip(self.design, self._points.point(design), strict=True)
        return {path: value for name, value in values for path in self.targets.get(name, (name,))}

    @cached_property
    def _drawn(self) -> dict[str, tuple[slice, Dispersion]]:
        """Which of a case's random numbers are whose."""
        ends = np.cumsum([given.count for given in self.dispersion.values()]).tolist()
        return {
            path: (slice(end - given.count, end), given)
            for (path, given), end in zip(self.dispersion.items(), ends, strict=True)
        }

    @cached_property
    def _copulas(self) -> list[Copula]:
        return [Copula.of([self._column(member) for member in self._members(group)], group.matrix) for group in self.correlated]

    @cached_property
    def _count(self) -> int:
        return sum(given.count for given in self.dispersion.values())

    def _uniforms(self, first: int, last: int) -> Array:
        u = uniforms(self.seed, first, last, self._count)
        for copula in self._copulas:
            copula.apply(u)
        return u

    def _dispersed(self, path: str, given: Dispersion, drawn: Array, chosen: Sequence[Value] | None) -> Iterator[Value]:
        """Give the value of each case by its draw (m, count), for a design variable from what is `chosen` there."""
        if given.how is not How.SET:
            nominal = np.array([self.nominal[path]] if chosen is None else chosen, dtype=float)
            nominal = nominal.reshape(len(nominal), -1)
            drawn = nominal + drawn if given.how is How.ADD else nominal * drawn
        if self._width(path) is None:
            yield from drawn[:, 0].tolist()
        else:
            yield from map(tuple, drawn.tolist())

    def _is_relative(self, path: str) -> bool:
        return self.dispersion[path].how is not How.SET

    def _width(self, path: str) -> int | None:
        """Return how many numbers a value has, None for a single number or text."""
        if path in self.dispersion and not self._is_relative(path):
            return self.dispersion[path].size
        if path in self._chosen:
            variable = self._chosen[path]
            return _width_of(variable.values[0]) if isinstance(variable, Levels) else None
        return _width_of(self.nominal[path])

    def _problems(self, path: str, given: Dispersion) -> Iterator[Problem]:
        if not self._is_relative(path):
            if path in self._chosen:
                hint = 'how = "add" or "scale" disperses about the value of the design'
                yield Problem(path, "a design variable or a dispersion that sets it", "both", hint=hint)
            elif path in self.nominal and _width_of(self.nominal[path]) != given.size:
                yield _misfit(path, self.nominal[path], given)
            return
        if path not in self._chosen and path not in self.nominal:
            yield Problem(path, f"a nominal value to {given.how}", "none")
            return
        variable = self._chosen.get(path)
        values = variable.values if isinstance(variable, Levels) else (0.0,) if variable else (self.nominal[path],)
        for value in values:
            several = given.how is How.ADD or given.size is not None
            if isinstance(value, str) or (several and _width_of(value) != given.size):
                yield _misfit(path, value, given)
                return

    def _group_problems(self, number: int) -> Iterator[Problem]:
        group, key = self.correlated[number], f"correlated[{number}].paths"
        valid = [name for path, given in self.dispersion.items() for name in (path, *_columns(path, given.size))]
        unknown = [path for path in group.paths if path not in valid]
        for path in unknown:
            yield Problem(key, "paths of dispersions", repr(path), hint=nearest(path, valid))
        if unknown:
            return
        members = self._members(group)
        if len(members) != len(group.matrix):
            yield Problem(f"correlated[{number}].matrix", f"{len(members)} rows, one per number drawn", str(len(group.matrix)))
        before = {member for other in self.correlated[:number] for path in other.paths for member in self._expanded(path)}
        for member in members:
            if member in before or members.count(member) > 1:
                yield Problem(key, "every number in one group, once", repr(member))
                return

    def _members(self, group: Correlated) -> list[str]:
        return [member for path in group.paths for member in self._expanded(path)]

    def _expanded(self, path: str) -> list[str]:
        return _columns(path, self.dispersion[path].size) if path in self.dispersion else [path]

    def _column(self, member: str) -> int:
        """Return which of a case's random numbers is that of a dispersion, or of a component of one."""
        path, _, rest = member.rpartition("[") if member not in self.dispersion else (member, "", "")
        return int(self._drawn[path][0].start) + (int(rest[:-1]) if rest else 0)


def _columns(path: str, width: int | None) -> list[str]:
    return [path] if width is None else [f"{path}[{k}]" for k in range(width)]


def _width_of(value: Value) -> int | None:
    return len(value) if isinstance(value, tuple) else None


def _misfit(path: str, value: Value, given: Dispersion) -> Problem:
    if isinstance(value, str):
        return Problem(path, "a number to disperse", repr(value))
    width = _width_of(value)
    expected = "a dispersion of one number" if width is None else f"a dispersion of {width} numbers"
    found = "one number" if given.size is None else f"{given.size} numbers"
    size = "leave out size" if width is None else f"size = {width}"
    return Problem(path, f"{expected}, as its value has", found, hint=size)
