"""From a study as it is asked for to the plan of its cases: wildcards spelt out, nominal values known."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ...errors import InvalidInput, Problem
from ..rows._case import Value
from ._dispersions import Correlated, Dispersion, How
from ._mass_table import DrawnMasses, MassTable
from ._plan import Plan
from ._written import Place, StudyFindings

if TYPE_CHECKING:
    from ._definition import Definition


class Resolving:
    """One pass over a definition: `owners` says which part of the study sets each path that is found."""

    def __init__(
        self,
        study: Definition,
        matches: Callable[[str], Sequence[str]] | None,
        nominal: Callable[[str], Value] | None,
    ) -> None:
        self.study = study
        self.matches = matches or _itself
        self.nominal = nominal or _nothing
        self.findings = StudyFindings(study.written)
        self.owners: dict[tuple[str, str], Place] = {}

    def plan(self) -> Plan:
        """Return the plan; raises `InvalidInput` with all that is wrong."""
        study = self.study
        targets = {pattern: self._found("design", pattern) for pattern in study.design}
        chosen = {path for paths in targets.values() for path in paths}
        tables = self._tables(chosen)
        found = {
            pattern: self._owned("dispersion", pattern, list(tables[pattern].dispersion))
            if pattern in tables
            else self._found("dispersion", pattern)
            for pattern in study.dispersion
        }
        dispersion = {
            path: given if isinstance(given, Dispersion) else tables[pattern].dispersion[path]
            for pattern, given in study.dispersion.items()
            for path in found[pattern]
        }
        said = {path for table in tables.values() for path in table.dispersion}
        relative = {path for path, given in dispersion.items() if given.how is not How.SET}
        others = [path for path in dispersion if path not in chosen and path not in said]
        nominal = {path: self._nominal(path, needed=path in relative) for path in others}
        groups = [
            (("correlated", i), copy) for i, group in enumerate(study.correlated) for copy in self._copies(i, group, found)
        ] + [(("dispersion", pattern), group) for pattern, table in tables.items() for group in table.correlated]
        self.findings.refuse_if_any()
        try:
            return Plan(
                seed=study.seed,
                design=study.design,
                dispersion=dispersion,
                correlated=[group for _, group in groups],
                sampling=study.sampling,
                repeats=study.repeats,
                targets={pattern: paths for pattern, paths in targets.items() if tuple(paths) != (pattern,)},
                nominal={path: value for path, value in nominal.items() if value is not None},
            )
        except InvalidInput as error:
            for problem in error.problems:
                self._place(problem, [place for place, _ in groups])
            raise InvalidInput(self.findings.problems) from None

    def _found(self, table: str, pattern: str) -> Sequence[str]:
        return self._owned(table, pattern, self.findings.attempt((table, pattern), lambda: self.matches(pattern)) or ())

    def _owned(self, table: str, pattern: str, paths: Sequence[str]) -> Sequence[str]:
        """Return the paths of a part, each of which it alone may set."""
        for path in paths:
            other = self.owners.setdefault((table, path), (table, pattern))
            if other != (table, pattern):
                self.findings.add(
                    (table, pattern), Problem(pattern, f"{path} to be set once", f"{other[1]!r}, which sets it too")
                )
        return paths

    def _tables(self, chosen: Collection[str]) -> dict[str, DrawnMasses]:
        """Return what tables of masses say of bodies, by pattern, without those that are refused."""
        made = {}
        for pattern, given in self.study.dispersion.items():
            if isinstance(given, MassTable):
                drawn = self.findings.attempt(("dispersion", pattern), partial(given.drawn, pattern, self.matches))
                made[pattern] = drawn or DrawnMasses({})
                for path in [path for path in made[pattern].dispersion if path in chosen]:
                    problem = Problem(pattern, f"{path} to be set once", "a design variable, which sets it too")
                    self.findings.add(("dispersion", pattern), problem)
        return made

    def _nominal(self, path: str, *, needed: bool) -> Value | None:
        """Return a nominal value; where a dispersion sets the value, it serves a check alone and may be missing."""
        if needed:
            return self.findings.attempt(self.owners["dispersion", path], lambda: self.nominal(path))
        try:
            return self.nominal(path)
        except InvalidInput:
            return None

    def _copies(self, number: int, group: Correlated, found: dict[str, Sequence[str]]) -> list[Correlated]:
        return self.findings.attempt(("correlated", number), lambda: copies(group, found)) or []

    def _place(self, problem: Problem, groups: Sequence[Place]) -> None:
        """Note a problem of the plan with the part of the study that it comes from."""
        if ("dispersion", problem.key) in self.owners:
            self.findings.add(self.owners["dispersion", problem.key], problem)
        elif problem.key.startswith("correlated["):
            number, _, key = problem.key.removeprefix("correlated[").partition("].")
            self.findings.add(groups[int(number)], replace(problem, key=key))
        else:
            self.findings.add((), problem)


def _itself(pattern: str) -> Sequence[str]:
    if has_wildcard(pattern):
        raise InvalidInput(Problem(pattern, "a path without wildcards, because there is no mission to search", repr(pattern)))
    return (pattern,)


def _nothing(path: str) -> Value:
    raise InvalidInput(Problem(path, "a nominal value, which comes from a mission", "no mission"))


_COMPONENT = re.compile(r"(?P<path>.*?)(?P<component>\[\d+\])?")


def has_wildcard(path: str) -> bool:
    """Whether a path stands for several."""
    return "*" in path or "?" in path


def copies(group: Correlated, found: Mapping[str, Sequence[str]]) -> list[Correlated]:
    """Return a group once per match of its wildcards: what the wildcards stand for is the same throughout a copy.

    found : paths by pattern, of all dispersions
    Raises `InvalidInput` where the members of a group do not go together.
    """
    members = [_COMPONENT.fullmatch(path) for path in group.paths]
    parts = [(member["path"], member["component"] or "") for member in members if member]
    if any(not found.get(path, True) for path, _ in parts):
        return []  # a path that is nothing is reported where it stands
    if not any(has_wildcard(path) for path, _ in parts):
        names = [found.get(path, (path,))[0] + component for path, component in parts]  # a path may have another name
        return [Correlated(tuple(names), group.matrix)]
    if not all(has_wildcard(path) for path, _ in parts):
        raise _refusal("wildcards in all paths or in none", group)
    if any(path not in found for path, _ in parts):
        raise _refusal("the paths of dispersions, letter by letter", group)
    stands = [{_stand_in(path, match): match for match in found[path]} for path, _ in parts]
    if any(other.keys() != stands[0].keys() for other in stands):
        raise _refusal("wildcards that stand for the same names", group)
    return [
        Correlated(tuple(its[key] + component for its, (_, component) in zip(stands, parts, strict=True)), group.matrix)
        for key in stands[0]
    ]


def _stand_in(pattern: str, path: str) -> tuple[str, ...]:
    """Return what the wildcards of a pattern stand for in a path."""
    form = re.escape(pattern).replace(r"\*", "(.*)").replace(r"\?", "(.)")
    match = re.fullmatch(form, path)
    return match.groups() if match else (path,)


def _refusal(expected: str, group: Correlated) -> InvalidInput:
    return InvalidInput(Problem("paths", expected, str(list(group.paths))))
