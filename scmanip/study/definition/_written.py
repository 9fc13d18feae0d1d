"""Where the parts of a study stand in its file, if it has one, and the collecting of all that is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ...errors import InvalidInput, Problem
from ...system import TomlDocument

T = TypeVar("T")
_BARE = re.compile(r"[A-Za-z]\w*")
Place = tuple[str | int, ...]


@dataclass(frozen=True, eq=False)
class WrittenStudy:
    """A study file.

    places : path of keys by what a study calls them, such as ("design", "system.body.arm.mass_kg"), where they differ
    """

    document: TomlDocument
    places: Mapping[Place, Place]

    def placed(self, place: Place, problem: Problem) -> Problem:
        """Return a problem with file, line and column of the part it is about, and of the key in it that it names."""
        if problem.file or problem.line:
            return problem
        path = self.places.get(place, place)
        if path and problem.key != place[-1] and isinstance(self._at(path), dict) and _BARE.fullmatch(problem.key):
            path = (*path, problem.key)
        return self.document.problem(path, problem.expected, problem.found, problem.hint)

    def _at(self, path: Place) -> object:
        """Return what stands at the path of a key, None where nothing does."""
        data: Any = self.document.data
        for step in path:
            keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
            if step not in keys:
                return None
            data = data[step]
        return data


@dataclass(eq=False)
class StudyFindings:
    """Problems of a study, as they are found."""

    written: WrittenStudy | None = None
    problems: list[Problem] = field(default_factory=list)

    def add(self, place: Place, problem: Problem) -> None:
        """Note a problem with a part of the study."""
        if self.written is not None:
            problem = self.written.placed(place, problem)
        elif not problem.key.startswith(".".join(map(str, place))):
            inner = "" if problem.key in (place[0], place[-1]) else f": {problem.key}"
            problem = replace(problem, key=f"{_text(place)}{inner}")
        self.problems.append(problem)

    def attempt(self, place: Place, act: Callable[[], T]) -> T | None:
        """Return what `act` returns, None where it refuses."""
        try:
            return act()
        except InvalidInput as error:
            for problem in error.problems:
                self.add(place, problem)
        return None

    def each(self, table: str, given: Mapping[str, Any], make: Callable[[str, Any], T]) -> dict[str, T]:
        """Return what `make` makes of the entries of a table, without those that it refuses."""
        made = {key: self.attempt((table, key), lambda key=key, value=value: make(key, value)) for key, value in given.items()}  # type: ignore[misc]
        return {key: value for key, value in made.items() if value is not None}

    def every(self, table: str, given: Iterable[Any], make: Callable[[Any], T]) -> list[T]:
        """Return what `make` makes of the entries of a list, without those that it refuses."""
        made = [self.attempt((table, i), lambda value=value: make(value)) for i, value in enumerate(given)]  # type: ignore[misc]
        return [value for value in made if value is not None]

    def refuse_if_any(self) -> None:
        """Raise `InvalidInput` with all of them, in the order of lines."""
        if self.problems:
            raise InvalidInput(sorted(dict.fromkeys(self.problems), key=lambda p: (p.file, p.line, p.column)))


def _text(place: Place) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).lstrip(".")
