"""One `[[phase]]` table, read as far as it can be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ...simulation import SWITCHED
from ..controllers._control import ControllerTable
from ..events._event_table import EventTable
from ..guidances._guidance import GuidanceTable
from ..values._findings import KeyPath
from ..values._kinds import listed
from ..values._sound import Sound, Sounds
from ._schema import BranchTable, PhaseKeys, UntilTable

GivenMode = str | dict[str, str]

_KEYS = {"name", "mode", "modes", "controller", "guidance", "events", "coordinates", "on", "push_off_m_s", *SWITCHED}


@dataclass(frozen=True, eq=False)
class PhaseDraft:
    """The parts of a phase; one that is missing or wrong, which the schema reports, is None.

    mode, mode_at : how it is flown, and the key that says so
    modes : of the phase's runs, where it is to be flown in several
    controller : the tables of its law, with `controller_at` what leads to each; one with a mistake in it is None
    until : what ends the phase
    events : what is looked for; one with a mistake in it is None
    coordinates : "full" or "momentum_reduced"; None where the file does not say
    impose, release : names of constraints
    engage, inhibit : names of loads
    push_off_m_s : velocity that what is released gets; None without
    on : the events that end it, and the phases that follow then
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
    impose: tuple[str, ...]
    release: tuple[str, ...]
    engage: tuple[str, ...]
    inhibit: tuple[str, ...]
    push_off_m_s: list[float] | None
    on: tuple[BranchTable, ...]
    is_open: bool

    @classmethod
    def read(cls, given: Any, sounds: Sounds) -> PhaseDraft:
        """Return what can be read of what stands in the place of a phase."""
        sound, data = sounds.of(given), given if isinstance(given, dict) else {}
        said = PhaseKeys() if sound is None else sound.table
        law, events = data.get("controller"), data.get("events")
        laws = [("controller", k) for k in range(len(law))] if isinstance(law, list) and law else [("controller",)]
        return cls(
            name=said.name,
            mode=said.mode,
            modes=tuple(said.modes or ()),
            mode_at=("mode",),
            controller=tuple(sounds.of(table) for table in listed(law or None)),
            controller_at=tuple(laws),
            guidance=sounds.of(data.get("guidance")),
            until=said.until,
            events=tuple(sounds.of(table) for table in events) if isinstance(events, list) else (),
            coordinates=said.coordinates,
            impose=said.impose,
            release=said.release,
            engage=said.engage,
            inhibit=said.inhibit,
            push_off_m_s=said.push_off_m_s,
            on=tuple(said.on),
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

    @property
    def ends_with(self) -> tuple[str, ...]:
        """Names of the events with which it ends as it should."""
        awaited = None if self.until is None else self.until.event
        return tuple(dict.fromkeys([*filter(None, [awaited]), *(branch.event for branch in self.on if branch.event)]))

    def in_run(self, number: int) -> PhaseDraft:
        """Return the phase as it is in one of several runs: in that one of its `modes`, or in its `mode`."""
        if not self.modes:
            return self
        return replace(self, mode=self.modes[number], mode_at=("modes", number))
