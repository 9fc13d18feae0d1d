"""One `[[phase]]` table, read as far as it can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pydantic import BaseModel

from ...system import TomlDocument
from ..controllers._control import ControllerTable
from ..events._event_table import EventTable
from ..guidances._guidance import GuidanceTable
from ..values._findings import KeyPath, table_at
from ..values._sound import Sound
from ._families import CONTROLLERS, EVENTS, GUIDANCE
from ._schema import PhaseKeys, UntilTable

T = TypeVar("T", bound=BaseModel)
GivenMode = str | dict[str, str]

_KEYS = {"name", "mode", "modes", "controller", "guidance", "events", "coordinates"}


@dataclass(frozen=True, eq=False)
class PhaseDraft:
    """The parts of a phase; one that is missing or wrong, which the schema reports, is None.

    mode, mode_at : how it is flown, and the key that says so
    modes : of the phase's runs, where it is to be flown in several
    controller : the tables of its law, with `controller_at` what leads to each; one with a mistake in it is None
    until : what ends the phase
    events : what is looked for; one with a mistake in it is None
    coordinates : "full" or "momentum_reduced"; None where the file does not say
    is_open : whether the file gives no end, not even a wrong or misspelt one
    """

    name: str | None
    mode: GivenMode | None
    modes: tuple[GivenMode, ...]
    mode_at: KeyPath
    controller: tuple[Sound[ControllerTable] | None, ...]
    controller_at: tuple[KeyPath, ...]
    guidance: Sound[GuidanceTable] | None
    until: UntilTable | None
    events: tuple[Sound[EventTable] | None, ...]
    coordinates: str | None
    is_open: bool

    @classmethod
    def read(cls, document: TomlDocument, path: KeyPath) -> PhaseDraft:
        """Return what can be read of the table at `path`."""
        data, sound = table_at(document, path), Sound.of(document, path, PhaseKeys)
        said = PhaseKeys() if sound is None else sound.table
        given, found = data.get("controller"), data.get("events")
        events = found if isinstance(found, list) else []
        laws = [("controller", k) for k in range(len(given))] if isinstance(given, list) and given else [("controller",)]
        return cls(
            name=said.name,
            mode=said.mode,
            modes=tuple(said.modes or ()),
            mode_at=("mode",),
            controller=tuple(typed(document, (*path, *at), CONTROLLERS) for at in laws),
            controller_at=tuple(laws),
            guidance=typed(document, (*path, "guidance"), GUIDANCE),
            until=said.until,
            events=tuple(typed(document, (*path, "events", k), EVENTS) for k in range(len(events))),
            coordinates=said.coordinates,
            is_open=data.keys() <= _KEYS,
        )

    @property
    def laws(self) -> list[tuple[KeyPath, ControllerTable]]:
        """The tables of the law without those that are wrong, each with what leads to it."""
        pairs = zip(self.controller_at, self.controller, strict=True)
        return [(at, sound.table) for at, sound in pairs if sound is not None]

    def as_given(self, tables: list[dict[str, Any]]) -> dict[str, Any] | list[dict[str, Any]]:
        """Return the tables of the law as the file has them: one, or a list."""
        return tables[0] if self.controller_at == (("controller",),) else tables

    @property
    def until_s(self) -> float | None:
        """How long the phase lasts at most [s]; None where the guidance says it."""
        return None if self.until is None else self.until.t_s or self.until.timeout_s

    def in_run(self, number: int) -> PhaseDraft:
        """Return the phase as it is in one of several runs: in that one of its `modes`, or in its `mode`."""
        if not self.modes:
            return self
        return replace(self, mode=self.modes[number], mode_at=("modes", number))


def typed(document: TomlDocument, path: KeyPath, kinds: Mapping[str, type[T]], usual: str = "") -> Sound[T] | None:
    """Return what is right of a table that says its own type, the `usual` one where it need not; None for none of `kinds`."""
    kind = table_at(document, path).get("type", usual)
    if not (isinstance(kind, str) and kind in kinds):
        return None
    return Sound.of(document, path, kinds[kind], **({"type": kind} if usual else {}))
