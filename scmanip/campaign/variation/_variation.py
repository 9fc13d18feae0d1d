"""The values of a case in the files of a mission: which of them change the equations, and which are mere numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...dynamics import closed_numbers
from ...mission import KeyPath
from ...study import Value
from ._documents import Change, Documents, with_changes
from ._target import ESTIMATE, MISSION, SYSTEM, Target

Values = Mapping[str, Value]


@dataclass(frozen=True)
class Variation:
    """What a study varies in a mission.

    documents : the files as they stand
    targets : by path, in the order of the study
    others : the files with another system, by its name, where a study names several; and the targets there
    opened : those of the paths, numbers of systems, that are inputs of programs
    closed : those of inertias that decide something beside programs
    """

    documents: Documents
    targets: Mapping[str, Target]
    others: Mapping[str, tuple[Documents, Mapping[str, Target]]]
    opened: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()

    @property
    def inertia_varied(self) -> bool:
        """Whether masses, centres of mass or inertias of bodies are varied."""
        return any(target.is_inertia for target in self.targets.values())

    @property
    def symbols(self) -> tuple[str, ...]:
        """The numbers of systems that are inputs of programs, beside inertias."""
        return tuple(dict.fromkeys(self.targets[path].number for path in sorted(self.opened)))

    @property
    def openable(self) -> frozenset[str]:
        """The paths that are numbers of all systems that a study names, beside those of inertias."""
        systems = [files.source.system for files in (self.documents, *(files for files, _ in self.others.values()))]
        shared = set.intersection(*({*(own := system.numbers())} - {*closed_numbers(system, own)} for system in systems))
        return frozenset(path for path, each in self.targets.items() if each.number in shared and not each.is_inertia)

    def is_number(self, path: str) -> bool:
        """Whether a path is a number that changes no equations, so that an ensemble can vary it."""
        return path in self.opened or (self.targets[path].is_number and path not in self.closed)

    def structural(self, values: Values) -> dict[str, Value]:
        """Return those of some values that may change equations, references or actuators."""
        return {path: value for path, value in values.items() if not self.is_number(path)}

    def files(self, values: Values, design: Values) -> Documents:
        """Return the files with the values of a case set.

        design : what the design alone says, which is what controllers believe of the system
        Raises `InvalidSystem`.
        """
        documents, targets = self.base(values)
        known = changes_in(SYSTEM, targets, design) + changes_in(ESTIMATE, targets, values)
        mission, system = (changes_in(document, targets, values) for document in (MISSION, SYSTEM))
        return documents.changed(mission=mission, system=system, believed=known)

    def base(self, values: Values) -> tuple[Documents, Mapping[str, Target]]:
        """Return the files with the system that some values name, and what paths are there."""
        given = values.get(SYSTEM)
        return (self.documents, self.targets) if given is None else self.others[str(given)]


def changes_in(document: str, targets: Mapping[str, Target], values: Values) -> list[Change]:
    """Return what values say of one document; raises `InvalidInput`."""
    told = [(targets[path], value) for path, value in values.items()]
    return [(target.at, target.in_file(value)) for target, value in told if target.document == document and target.at]


def tables_of(data: Mapping[str, Any], changes: list[Change], start: KeyPath) -> Any:
    """Return what a mission file has at `start`, a table or a list of tables, with what is changed in it."""
    *path, last = start
    table: Any = data
    for step in path:
        table = table[step]
    inside = [(at[len(path) :], value) for at, value in changes if at[: len(start)] == start]
    return with_changes({str(last): table.get(last, {})}, inside)[str(last)]
