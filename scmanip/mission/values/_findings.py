"""Collects every problem of a mission, so that all are reported at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from ...errors import InvalidInput, InvalidMission, ModeMismatch, Problem, SingularInertia
from ...system import TomlDocument

T = TypeVar("T")
KeyPath = tuple[str | int, ...]


class Findings:
    """Problems of one mission file, as they are found.

    problems : in the order of discovery; those of a system file carry that file's name and lines
    """

    def __init__(self, document: TomlDocument) -> None:
        self.document = document
        self.problems: list[Problem] = []

    def add(self, path: KeyPath, expected: str, found: str, hint: str = "") -> None:
        """Note a problem with what stands at `path` of the mission file."""
        self.problems.append(self.document.problem(path, expected, found, hint))

    def place(self, path: KeyPath, problems: Iterable[Problem]) -> None:
        """Note problems of the keys of the table `path` that they name, be they there or missing."""
        for problem in problems:
            self.add((*path, problem.key), problem.expected, problem.found, problem.hint)

    def attempt(self, path: KeyPath, act: Callable[[], T]) -> T | None:
        """Return what `act` returns, or None when it refuses; what it says is placed at the keys of the table `path`."""
        try:
            return act()
        except InvalidInput as error:
            self.problems += [self._placed(path, problem) for problem in error.problems]
        except (ModeMismatch, SingularInertia) as error:
            self.add(path, "parts that fit together", "a conflict", str(error))
        return None

    def refuse_if_any(self) -> None:
        """Raise `InvalidMission` with all of them, the mission's own first, in the order of lines."""
        if self.problems:
            mine = self.document.file
            once = dict.fromkeys(self.problems)  # a phase that is flown in several modes is read once for each
            raise InvalidMission(sorted(once, key=lambda p: (p.file != mine, p.file, p.line, p.column)))

    def _placed(self, path: KeyPath, problem: Problem) -> Problem:
        """Return a problem without a line at the key that it names, or else at `path`."""
        if problem.line or problem.file:
            return problem
        place = path
        for key in problem.key.split("[")[0].split(" ")[0].split("."):
            if key not in table_at(self.document, place):
                break
            place = (*place, key)
        return self.document.problem(place, problem.expected, problem.found, problem.hint)


def table_at(document: TomlDocument, path: KeyPath) -> dict[str, object]:
    """Return the table that a file has at `path`, an empty one where there is none."""
    data: object = document.data
    for step in path:
        if isinstance(data, dict) and isinstance(step, str):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return {}
    return data if isinstance(data, dict) else {}
