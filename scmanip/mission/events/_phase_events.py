"""From `events = [...]` and `until = { event = ... }` of a phase to what a run looks for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import Problem, folded, nearest
from ...simulation import Event
from ...system import System
from ..values._findings import Findings, KeyPath, table_at

STOP = "stop"

if TYPE_CHECKING:
    from ..file._draft import PhaseDraft
    from ..file._schema import UntilTable
    from ._event_table import EventTable


@dataclass(frozen=True, eq=False)
class Branch:
    """An event that ends a phase, and the name of the phase that follows then."""

    name: str
    event: Event
    phase: str


@dataclass(frozen=True, eq=False)
class PhaseEvents:
    """What a phase looks for.

    events : what is noted, and what ends the phase
    name, until : of the event with which the phase is to end; empty and None where it lasts a given time
    branches : events that end it as well, each with another phase to follow; the first of those that happen at once counts
    late : the name of the phase that follows where `until` did not happen in time; empty where the run ends then
    """

    events: tuple[Event, ...] = ()
    name: str = ""
    until: Event | None = None
    branches: tuple[Branch, ...] = ()
    late: str = ""

    @property
    def ways(self) -> dict[str, str]:
        """The phases to which it may lead beside the next one, by what takes the run there, in words."""
        by_event = {f"event '{branch.name}'": branch.phase for branch in self.branches}
        return by_event | ({"timeout": self.late} if self.late else {})

    @property
    def ending(self) -> dict[str, Event]:
        """The events with which the phase ends as it should, by name."""
        awaited = {} if self.until is None else {self.name: self.until}
        return {branch.name: branch.event for branch in self.branches} | awaited

    @property
    def all(self) -> tuple[Event, ...]:
        """All events, those that end the phase as it should last."""
        return (*self.events, *self.ending.values())


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
    _refuse_wrong_branches(findings, (*path, "on"), draft, [event.called for event in whole])
    if draft.until is not None:
        findings.place((*path, "until"), until_problems(draft.until, whole))
    for place, problem in event_problems(whole, draft.ends_with):
        findings.place((*path, "events", place), [problem])
    if system is None:
        return None
    tables, found, ending = list[dict[str, Any]](), list[Event](), dict[str, Event]()
    for place, event in enumerate(whole):
        table = findings.attempt((*path, "events", place), partial(event.resolved, system, draft.ends_with))
        if table is not None and event.called in draft.ends_with:
            ending[event.called] = event.happening(table, system, ends=True)
        elif table is not None:
            found.append(event.happening(table, system, ends=table["then"] == STOP))
        tables += [] if table is None else [table]
    if len(findings.problems) > before:
        return None
    branches = tuple(Branch(branch.event, ending[branch.event], branch.phase) for branch in draft.on if branch.event)
    late = next((branch.phase for branch in draft.on if branch.timeout), "")
    return PhaseEvents(tuple(found), awaited or "", ending.get(awaited or ""), branches, late), tables


def _refuse_wrong_branches(findings: Findings, path: KeyPath, draft: PhaseDraft, names: list[str]) -> None:
    """Note branches by events that the phase does not have, by a timeout where it awaits none, or by what takes another."""
    listed = isinstance(table_at(findings.document, path[:-1]).get("on"), list)
    for k, branch in enumerate(draft.on):
        at = (*path, k) if listed else path
        if (branch.event is None) is (branch.timeout is None):
            found = "neither" if branch.event is None else "both"
            findings.add(at if branch.event is None else (*at, "timeout"), "one of event and timeout", found)
        elif branch.event is None and (draft.until is None or draft.until.event is None):
            hint = "until = { event = name, timeout_s = number }"
            findings.add((*at, "timeout"), "a phase that awaits an event", "one whose time is given", hint)
        elif branch.event is not None and branch.event not in names:
            expected = f"one of the phase's events {', '.join(names)}" if names else "an event: the phase has events = [...]"
            findings.add((*at, "event"), expected, repr(branch.event), nearest(branch.event, names))
        if (branch.event, branch.timeout) in [(other.event, other.timeout) for other in draft.on[:k]]:
            key, by = ("timeout", "the timeout") if branch.event is None else ("event", repr(branch.event))
            findings.add((*at, key), "one phase to follow an event or the timeout", f"{by} again")


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


def event_problems(events: Sequence[EventTable], awaited: Collection[str]) -> list[tuple[int, Problem]]:
    """Return what is wrong between events of a phase that ends with some of them, each with the event's place."""
    problems, seen = list[tuple[int, Problem]](), set[str]()
    for place, event in enumerate(events):
        if folded(event.called) in seen:
            problems.append((place, Problem("name", "a name used once among events", f"{event.called!r} again")))
        if event.called in awaited and event.then is not None:
            problems.append((place, Problem("then", "nothing: the phase ends with this event", repr(event.then))))
        seen.add(folded(event.called))
    return problems
