"""From `events = [...]` and `until = { event = ... }` of a phase to what a run looks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import Problem, folded, nearest
from ...simulation import Event
from ...system import System
from ..values._findings import Findings, KeyPath

STOP = "stop"

if TYPE_CHECKING:
    from ..file._draft import PhaseDraft
    from ..file._schema import UntilTable
    from ._event_table import EventTable


@dataclass(frozen=True, eq=False)
class PhaseEvents:
    """What a phase looks for.

    events : what is noted, and what ends the phase
    name, until : of the event with which the phase is to end; empty and None where it lasts a given time
    """

    events: tuple[Event, ...] = ()
    name: str = ""
    until: Event | None = None

    @property
    def all(self) -> tuple[Event, ...]:
        """All events, the one that the phase waits for last."""
        return self.events if self.until is None else (*self.events, self.until)


def read_events(
    findings: Findings, path: KeyPath, draft: PhaseDraft, system: System | None
) -> tuple[PhaseEvents, list[dict[str, Any]]] | None:
    """Return what a phase looks for, and its `events` in SI; None where something is wrong with them, which `findings` tell.

    path : of the phase's table
    """
    whole = [event.table for event in draft.events if event is not None and event.whole]
    if len(whole) < len(draft.events):
        return None
    before, awaited = len(findings.problems), None if draft.until is None else draft.until.event
    if draft.until is not None:
        findings.place((*path, "until"), until_problems(draft.until, whole))
    for place, problem in event_problems(whole, awaited):
        findings.place((*path, "events", place), [problem])
    if system is None:
        return None
    tables, found, until = list[dict[str, Any]](), list[Event](), None
    for place, event in enumerate(whole):
        table = findings.attempt((*path, "events", place), partial(event.resolved, system, awaited))
        if table is not None and event.called == awaited:
            until = event.event(table, system, ends=True)
        elif table is not None:
            found.append(event.event(table, system, ends=table["then"] == STOP))
        tables += [] if table is None else [table]
    return None if len(findings.problems) > before else (PhaseEvents(tuple(found), awaited or "", until), tables)


def until_problems(until: UntilTable, events: Sequence[EventTable]) -> list[Problem]:
    """Return what keeps an `until` table from saying one end of its phase."""
    given = [key for key in ("t_s", "event", "timeout_s") if getattr(until, key) is not None]
    if "t_s" in given and len(given) > 1:
        return [Problem(given[1], "t_s alone, or event and timeout_s", " and ".join(given))]
    if given in ([], ["timeout_s"]):
        return [Problem("event" if given else "t_s", "t_s = number, or event = name and timeout_s = number", "no end")]
    names = [event.called for event in events]
    problems = []
    if until.event is not None and until.event not in names:
        expected = f"one of the phase's events {', '.join(names)}" if names else "an event: the phase has events = [...]"
        problems.append(Problem("event", expected, repr(until.event), hint=nearest(until.event, names)))
    if until.event is not None and until.timeout_s is None:
        problems.append(Problem("timeout_s", "a number > 0, the longest that the phase may wait", "nothing"))
    return problems


def event_problems(events: Sequence[EventTable], awaited: str | None) -> list[tuple[int, Problem]]:
    """Return what is wrong between events of a phase that waits for one of them, or for none, each with the event's place."""
    problems, seen = list[tuple[int, Problem]](), set[str]()
    for place, event in enumerate(events):
        if folded(event.called) in seen:
            problems.append((place, Problem("name", "a name used once among events", f"{event.called!r} again")))
        if event.called == awaited and event.then is not None:
            problems.append((place, Problem("then", "nothing: the phase ends with this event", repr(event.then))))
        seen.add(folded(event.called))
    return problems
