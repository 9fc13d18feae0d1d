"""The files of a mission, into which the values of a case are set, and the missions that are made of them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ...channels import in_si
from ...dynamics import Model
from ...mission import (
    Hardware,
    KeyPath,
    Mission,
    NamedSystems,
    SaidBeside,
    Source,
    mission_of,
    objects_in,
    toml_text,
    with_objects,
)
from ...system import FilePart, System, TomlDocument, file_parts

Change = tuple[KeyPath, Any]


@dataclass(frozen=True, eq=False)
class Documents:
    """A mission file, the system that it names, and the system that its controllers believe in.

    mission : the mission file
    sources : the systems that it may name
    source : the system that flies
    believed : what controllers without an estimate of their own believe in
    """

    mission: TomlDocument
    sources: NamedSystems
    source: Source
    believed: Source

    @classmethod
    def read(cls, path: Path, own: Mapping[str, Any] | None = None) -> Documents:
        """Return the files of a mission file, with objects of Python that they name; raises `InvalidInput`."""
        return cls.of(*with_objects(TomlDocument.read(path), NamedSystems(path.parent), own or {}))

    @property
    def own(self) -> Mapping[str, Any]:
        """The objects of Python in them, by path, as `Mission.own`."""
        return objects_in(self.mission, self.sources)

    def with_own(self, own: Mapping[str, Any]) -> Documents:
        """Return the files with objects of Python in the places of what they say; raises `InvalidMission`."""
        return Documents.of(*with_objects(self.mission, self.sources, own)) if own else self

    @classmethod
    def of(cls, document: TomlDocument, sources: NamedSystems) -> Documents:
        """Return a mission file and the systems that it names; raises `InvalidMission`."""
        mission = mission_of(document, sources)
        return cls(document, sources, mission.source, mission.source)

    @cached_property
    def system(self) -> TomlDocument:
        """The system file."""
        return TomlDocument.parse(self.source.text, self.source.given)

    @cached_property
    def parts(self) -> tuple[FilePart, ...]:
        """The named parts of the system file."""
        return file_parts(self.system)

    def with_system(self, given: str) -> Documents:
        """Return the files with another system, flown and believed in; raises `InvalidSystem`."""
        source = self.sources.read("system", given, SaidBeside.of(self.mission.data))
        return replace(self._with_mission([(("system",), given)]), source=source, believed=source)

    def changed(
        self, *, mission: Iterable[Change] = (), system: Iterable[Change] = (), believed: Iterable[Change] = ()
    ) -> Documents:
        """Return the files with values set in the mission, the system and the believed system; raises `InvalidSystem`."""
        changed, plant, known = self._with_mission(list(mission)), list(system), list(believed)
        source = _edited(self.source, plant)
        alike = self.believed is self.source and plant == known
        return replace(changed, source=source, believed=source if alike else _edited(self.believed, known))

    def _with_mission(self, changes: list[Change]) -> Documents:
        return replace(self, mission=replace(self.mission, data=with_changes(self.mission.data, changes))) if changes else self

    def built(self, compiled: Callable[[System], Model], believes: Callable[[System], Model] | None = None) -> Mission:
        """Return the mission, its models made by `compiled`, those of what is believed in by `believes` where that is given.

        Raises `InvalidMission`.
        """
        believed = None if believes is None and self.believed is self.source else self.believed
        return mission_of(self.mission, self.sources, hardware=Hardware(self.source, compiled, believed, believes))


def _edited(source: Source, changes: list[Change]) -> Source:
    if not changes:
        return source
    return _source(source.given, toml_text(with_changes(_parsed(source.text, source.given), changes)))


@lru_cache(maxsize=8)
def _parsed(text: str, file: str) -> dict[str, Any]:
    """Return the tables of a text, which nobody may change."""
    return TomlDocument.parse(text, file).data


@lru_cache(maxsize=64)
def _source(given: str, text: str) -> Source:
    """Return the system of a text, the same for the same text, so that its model is made once."""
    return Source(given, text, System.from_toml_text(text, file=given))


def with_changes(data: Mapping[str, Any], changes: list[Change]) -> dict[str, Any]:
    """Return tables with values set; tables that are not there yet are made."""
    changed = copy.deepcopy(dict(data))
    for path, value in changes:
        table: Any = changed
        for step in path[:-1]:
            table = table.setdefault(step, {}) if isinstance(table, dict) else table[step]
        if path[-1] == "mode":
            table.pop("modes", None)
        _set_alone(table, str(path[-1]), value)
    return changed


def _set_alone(table: dict[str, Any], key: str, value: Any) -> None:
    """Set a key of a table in place of what it says of the same in another unit; entries joint by joint stay."""
    for other in [name for name, given in table.items() if in_si(name)[0] == in_si(key)[0] and not isinstance(given, dict)]:
        del table[other]
    table[key] = value
