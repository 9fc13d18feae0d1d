"""What a path of a study names: a key of the mission file, or of the system that flies or that controllers believe in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from ...channels import in_si
from ...errors import InvalidInput, Problem
from ...mission import KeyPath, OwnPart
from ...simulation import SWITCHED
from ...study import Value
from ...system import Body
from ._documents import Documents

SYSTEM, ESTIMATE, MISSION = "system", "estimate", "mission"
_BODY_KEYS = {each.name for each in fields(Body) if each.metadata.get("input") == "inertia"}
_TENSOR = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # xx yy zz xy xz yz


@dataclass(frozen=True)
class Target:
    """A path that was found.

    path : as the study says it
    document : "mission", "system" or "estimate"
    at : the key in that file; nothing for another system as a whole
    kind, name : of the part of a system that has the key, such as "body" and "link3"
    free : whether nothing depends on a key of the mission file but numbers of equations, laws and references
    lasts : whether it says how long a phase lasts, or parts of its motion
    """

    path: str
    document: str
    at: KeyPath
    kind: str = ""
    name: str = ""
    free: bool = False
    lasts: bool = False

    @cached_property
    def key(self) -> str:
        """The last key of the path."""
        return str(self.at[-1]) if self.at else ""

    @cached_property
    def is_inertia(self) -> bool:
        """Whether it is mass, centre of mass or inertia of a body."""
        return self.kind == "body" and self.body_key in _BODY_KEYS

    @property
    def switches(self) -> bool:
        """Whether it can have constraints hold or loads act that would not, or the other way round."""
        own = self.document == MISSION and (self.at[0] in ("contact", "switch") or self.key in SWITCHED)
        return self.kind == "constraint" or own

    @property
    def is_number(self) -> bool:
        """Whether it is a number that changes no equations, whatever the mission is, so that an ensemble can vary it."""
        return self.is_inertia or self.free

    @cached_property
    def number(self) -> str:
        """The path of the number of a system that it is, in SI; nothing for keys that are none."""
        if self.document == MISSION or not self.at:
            return ""
        before, dot, key = self.path.partition(".")[2].rpartition(".")
        return f"{before}{dot}{in_si(key)[0]}"

    @cached_property
    def body_key(self) -> str:
        """The name that a `Body` has for the key."""
        return self.path.rpartition(".")[2]

    def nominal(self, documents: Documents) -> Value | None:
        """Return what the files say, None where they leave it out."""
        if not self.at:
            return documents.source.given
        if self.is_inertia:
            source = documents.believed if self.document == ESTIMATE else documents.source
            body = next(body for body in source.system.bodies if body.name == self.name)
            return inertia_numbers(body.inertia_kg_m2) if self.key == "inertia_kg_m2" else _value(getattr(body, self.body_key))
        document = documents.mission if self.document == MISSION else documents.system
        found = found_at(document.data, self.at)
        if found is None and self.at[-2:-1] == ("own",):  # of an object of Python, which says it itself
            part = found_at(document.data, (*self.at[:-2], "part"))
            found = part.settings.get(self.key) if isinstance(part, OwnPart) else None
        return _value(found)

    def in_file(self, value: Value) -> Any:
        """Return a value as the file has it; raises `InvalidInput`."""
        if self.key == "inertia_kg_m2" and self.kind == "body":
            return tensor(self.path, value)
        return list(value) if isinstance(value, tuple) else value


def tensor(path: str, value: Value) -> list[list[float]]:
    """Return an inertia (3, 3) of its diagonal, of xx yy zz xy xz yz, or of its rows; raises `InvalidInput`."""
    numbers = list(value) if isinstance(value, tuple) else []
    if len(numbers) == 9:
        return [numbers[0:3], numbers[3:6], numbers[6:9]]
    if len(numbers) not in (3, 6):
        raise InvalidInput(Problem(path, "3 numbers (the diagonal), 6 (xx yy zz xy xz yz) or 9 (rows)", repr(value)))
    rows = [[0.0] * 3 for _ in range(3)]
    for (i, j), number in zip(_TENSOR, numbers, strict=False):
        rows[i][j] = rows[j][i] = float(number)
    return rows


def inertia_numbers(inertia: Any) -> tuple[float, ...]:
    """Return an inertia (3, 3) as its diagonal, or as xx yy zz xy xz yz where there is more to say."""
    numbers = tuple(float(inertia[i][j]) for i, j in _TENSOR)
    return numbers if any(numbers[3:]) else numbers[:3]


def _value(found: Any) -> Value | None:
    """Return what a file holds as a value of a study; None for tables and for what is no number or text."""
    if isinstance(found, str | bool):
        return found
    if isinstance(found, int | float):
        return float(found)
    if hasattr(found, "tolist"):
        found = found.tolist()
    if isinstance(found, Sequence) and all(isinstance(entry, int | float) for entry in found):
        return tuple(float(entry) for entry in found)
    return None


def found_at(data: Any, path: KeyPath) -> Any:
    """Return what tables and lists in one another have at a path; None for nothing."""
    for step in path:
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data
