"""A side table: in TOML what a file of another tool does not say of a system, and what it says otherwise.

Tables in [[double brackets]] are those of system files and are added. `[base]`, `[body.NAME]` and `[joint.NAME]` say keys of
what is there; an actuator called as one that is there takes its place. A `type` of a joint takes the place of all that the file
says of it but where it is, a limit `inf` of its limit. `masses` is the path of a CSV file of mass properties.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...actuators import ACTUATOR_KINDS
from ...errors import InvalidInput, InvalidSystem, Problem, nearest, refuse
from ..files._assembled import AssembledDocument, SourcePlace
from ..files._document import TomlDocument
from ..files._file_bodies import file_bodies, tables
from ..files._toml_places import KeyPath
from ._mass_table import Row, mass_rows

SIDE = "scmanip.side/1"
_ADDED = ("body", "frame", "spring_damper", "shape", "constraint", "visual")
_OWN = ("schema", "name", "gravity_m_s2", "base", "joint", "roots", "masses", "doubtful_inertias")
_BODIES = ("body", "parent")  # keys that name one
PLACING = ("name", "origin_m", "rpy_rad", "dcm", "child_origin_m", "child_dcm")


def read_side(path: str | os.PathLike[str]) -> TomlDocument:
    """Return the document of a side table; raises `InvalidSystem` for what is none."""
    try:
        document = TomlDocument.read(path)
    except InvalidInput as error:
        raise InvalidSystem(error.problems) from None
    if document.data.get("schema") != SIDE:
        found = repr(document.data["schema"]) if "schema" in document.data else "nothing"
        raise InvalidSystem(document.problem(("schema",), repr(SIDE), found))
    refuse(list(_problems(document)), InvalidSystem)
    return document


def side_roots(side: TomlDocument) -> list[str]:
    """Return the folders that a side table declares, from its own."""
    folder = Path(side.file).resolve().parent
    return [str(folder / root) for root in side.data.get("roots", [])]


def _problems(side: TomlDocument) -> Iterator[Problem]:
    known = (*_OWN, *_ADDED, *ACTUATOR_KINDS)
    for key, value in side.data.items():
        if key not in known:
            yield side.problem((key,), f"one of the keys {', '.join(known)}", f"the unknown key {key!r}", nearest(key, known))
        elif key == "roots" and not (isinstance(value, list) and all(isinstance(each, str) for each in value)):
            yield side.problem((key,), "a list of folders", repr(value))
        elif key == "masses" and not (isinstance(value, str) and value):
            yield side.problem((key,), "the path of a CSV file", repr(value))
        elif key == "doubtful_inertias" and not isinstance(value, bool):
            yield side.problem((key,), "true or false", repr(value))
        elif key in ("base", "joint") and not isinstance(value, dict):
            yield side.problem((key,), "a table", repr(value))
        elif key in (*_ADDED[1:], *ACTUATOR_KINDS) and not isinstance(value, list):
            yield side.problem((key,), f"tables [[{key}]]", "another kind", "" if key != "frame" else "write two brackets")
    for kind in ("body", "joint"):
        rows = side.data.get(kind)
        for name, row in rows.items() if isinstance(rows, dict) else ():
            if not isinstance(row, dict):
                yield side.problem((kind, name), f"a table [{kind}.NAME]", repr(row))


def with_side(document: TomlDocument, side: TomlDocument) -> AssembledDocument:
    """Return the tables of a file with what a side table adds and changes; raises `InvalidSystem` for names that are none."""
    made = _Merged(document, side)
    for key in ("name", "gravity_m_s2"):
        if key in side.data:
            made.put((key,), side.data[key], (key,))
    for key, value in side.data.get("base", {}).items():
        made.put(("base", key), value, ("base", key))
    known = {"base": ("base",), **{body.name: body.path for body in file_bodies(made.data)}}
    if "masses" in side.data:
        made.weigh(mass_rows(str(Path(side.file).resolve().parent / side.data["masses"])), known)
    bodies = side.data.get("body")
    if isinstance(bodies, dict):
        made.change("body", bodies, known)
    made.change("joint", side.data.get("joint", {}), {body.joint_name: body.joint_path for body in file_bodies(made.data)})
    for word in (*_ADDED, *ACTUATOR_KINDS):
        for i, table in tables(side.data, word):
            rows = made.data.setdefault(word, [])
            alike = [k for k, row in enumerate(rows) if "name" in row and row["name"] == table.get("name")]
            made.put((word, alike[0] if alike and word in ACTUATOR_KINDS else len(rows)), table, (word, i))
    refuse(made.problems, InvalidSystem)
    physical = document.physical and not side.data.get("doubtful_inertias")
    if isinstance(document, AssembledDocument):
        return replace(document, data=made.data, places=made.places, physical=physical)
    return AssembledDocument.of(made.data, document.file, made.places, physical=physical)


class _Merged:
    """Tables while they are put together."""

    def __init__(self, document: TomlDocument, side: TomlDocument) -> None:
        self.side, self.data, self.problems = side, _copied(document.data), list[Problem]()
        self.places: dict[KeyPath, SourcePlace] = {}
        self.called = document.called if isinstance(document, AssembledDocument) else {}
        if isinstance(document, AssembledDocument):
            self.places |= document.places
        else:
            self.places |= {path: SourcePlace(document.file, *document.place(path)) for path in document.offsets}

    def put(self, path: KeyPath, value: Any, said: KeyPath) -> None:
        """Say something at a path that the side table says at `said`."""
        table: Any = self.data
        for step in path[:-1]:
            table = table[step]
        if isinstance(table, list):
            number = int(path[-1])
            table[number:] = [self._renamed(_copied(value)), *table[number + 1 :]]
        else:
            table[path[-1]] = _copied(value)
        for at in self.side.offsets:
            if at[: len(said)] == said:
                self.places[(*path, *at[len(said) :])] = SourcePlace(self.side.file, *self.side.place(at))

    def _renamed(self, table: dict[str, Any]) -> dict[str, Any]:
        """Return a table with its body called as it is here."""
        return {key: self.called.get(value, value) if key in _BODIES else value for key, value in table.items()}

    def weigh(self, rows: list[Row], known: Mapping[Any, KeyPath]) -> None:
        """Say masses of what is there; all that the file says of them goes."""
        for said, keys, place in rows:
            path = known.get(self.called.get(said, said))
            if path is None:
                words = f"the name of a body: {', '.join(map(str, known))}"
                self.problems.append(Problem("body", words, repr(said), *place[:3], nearest(said, map(str, known))))
                continue
            table: Any = self.data
            for step in path:
                table = table[step]
            table |= keys
            self.places |= {(*path, key): place for key in keys}

    def change(self, kind: str, given: dict[str, Any], known: dict[Any, KeyPath]) -> None:
        """Say keys of what is there."""
        for said, row in given.items():
            name = self.called.get(said, said) if kind == "body" else said
            if name not in known:
                expected = f"the name of a {kind}: {', '.join(map(str, known))}"
                self.problems.append(self.side.problem((kind, said), expected, repr(said), nearest(said, known)))
                continue
            path = known[name]
            if kind == "joint" and "type" in row:
                self._forget(path)
            for key, value in row.items():
                if isinstance(value, float) and math.isinf(value) and key.startswith(("lower_", "upper_")):
                    self._drop(path, key)  # no limit
                    continue
                self.put((*path, key), value, (kind, said, key))

    def _drop(self, path: KeyPath, key: str) -> None:
        table: Any = self.data
        for step in path:
            table = table[step]
        table.pop(key, None)

    def _forget(self, path: KeyPath) -> None:
        table: Any = self.data
        for step in path:
            table = table[step]
        for key in [key for key in table if key not in PLACING]:
            del table[key]


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list) else value
