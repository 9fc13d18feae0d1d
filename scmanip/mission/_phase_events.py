"""From `events = [...]` and `until = { event = ... }` of a phase to what a run looks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidInput, Problem, folded, nearest
from ..simulation import Approach, Event, JointLimits, Near, Saturation
from ..system import System
from ._findings import Findings, KeyPath
from ._joint_values import Entries

if TYPE_CHECKING:
    from ._draft import PhaseDraft
    from ._schema import ApproachEventTable, EventTable, SaturationEventTable, UntilTable

_FORCES = {"torque_Nm": "rad", "force_N": "m"}
STOP, LOG = "stop", "log"


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
    made = [
        findings.attempt((*path, "events", place), partial(resolved_event, event, system, awaited))
        for place, event in enumerate(whole)
    ]
    tables = [table for table in made if table is not None]
    return None if len(findings.problems) > before else (phase_events(tables, system, awaited), tables)


def called(event: EventTable) -> str:
    """Return the name of an event, its type where it has none."""
    return event.name or event.type


def until_problems(until: UntilTable, events: Sequence[EventTable]) -> list[Problem]:
    """Return what keeps an `until` table from saying one end of its phase."""
    given = [key for key in ("t_s", "event", "timeout_s") if getattr(until, key) is not None]
    if "t_s" in given and len(given) > 1:
        return [Problem(given[1], "t_s alone, or event and timeout_s", " and ".join(given))]
    if given in ([], ["timeout_s"]):
        return [Problem("event" if given else "t_s", "t_s = number, or event = name and timeout_s = number", "no end")]
    names = [called(event) for event in events]
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
        if folded(called(event)) in seen:
            problems.append((place, Problem("name", "a name used once among events", f"{called(event)!r} again")))
        if called(event) == awaited and event.then is not None:
            problems.append((place, Problem("then", "nothing: the phase ends with this event", repr(event.then))))
        seen.add(folded(called(event)))
    return problems


def resolved_event(event: EventTable, system: System, awaited: str | None) -> dict[str, Any]:
    """Return an event's table in SI with nothing left out, but `then` of the one that is `awaited`.

    Raises `InvalidInput` with problems called by its keys.
    """
    resolved: dict[str, Any] = {"name": called(event), "type": event.type}
    if event.type == "approach":
        resolved |= _resolved_approach(event, system)
    if event.type == "saturation":
        resolved |= _resolved_saturation(event, system)
    if event.type == "joint_limits" and not any(np.isfinite([c.lower, c.upper]).any() for c in system.coordinates):
        raise InvalidInput(Problem("type", "a system whose joints have limits", f"'joint_limits' of '{system.name}'"))
    if called(event) == awaited:
        return resolved
    return {**resolved, "then": event.then or (LOG if event.type == "saturation" else STOP)}


def phase_events(resolved: Sequence[Mapping[str, Any]], system: System, awaited: str | None) -> PhaseEvents:
    """Return the events of resolved tables, with `then` in all but the one that is `awaited`."""
    rest = tuple(_event(table, system, table["then"] == STOP) for table in resolved if table["name"] != awaited)
    until = next((_event(table, system, True) for table in resolved if table["name"] == awaited), None)
    return PhaseEvents(rest, awaited or "", until)


def _event(table: Mapping[str, Any], system: System, ends: bool) -> Event:
    if table["type"] == "joint_limits":
        return JointLimits(ends=ends)
    if table["type"] == "saturation":
        most = {**table.get("torque_Nm", {}), **table.get("force_N", {})}
        return Saturation(np.array([most.get(freedom.name, np.inf) for freedom in system.freedoms]), ends=ends)
    if "other" in table:
        return Approach(table["frame"], table["other"], table["distance_m"], ends=ends)
    return Near(table["frame"], table["point_m"], table["distance_m"], ends=ends)


def _resolved_approach(event: ApproachEventTable, system: System) -> dict[str, Any]:
    given = {key: value for key in ("other", "point_m") if (value := getattr(event, key)) is not None}
    problems = []
    for key in ("frame", "other"):
        name = getattr(event, key)
        if name is not None and name not in system.frame_names:
            expected, hint = f"one of {', '.join(system.frame_names)}", nearest(name, system.frame_names)
            problems.append(Problem(key, expected, repr(name), hint=hint))
    if len(given) != 1:
        key = "point_m" if given else "other"
        problems.append(Problem(key, "either other = frame or point_m = [x, y, z]", "both" if given else "neither"))
    if problems:
        raise InvalidInput(problems)
    return {"frame": event.frame, **given, "distance_m": event.distance_m}


def _resolved_saturation(event: SaturationEventTable, system: System) -> dict[str, Any]:
    """Return the limits by freedom; raises `InvalidInput`."""
    entries, problems, resolved = Entries.of_qdot(system), list[Problem](), dict[str, Any]()
    for key, unit in _FORCES.items():
        value = getattr(event, key)
        if value is None:
            continue
        if not isinstance(value, dict):
            value = {name: value for name, its in entries.units.items() if its == unit}
            problems += [] if value else [Problem(key, f"a system with joints in {unit}", "none")]
        problems += [problem for name in value for problem in entries.problems(key, name, unit)]
        resolved[key] = {entry: float(most) for name, most in value.items() for entry in entries.named(name)}
    if not resolved:
        problems.append(Problem("torque_Nm", "torque_Nm or force_N", "neither"))
    if problems:
        raise InvalidInput(problems)
    return resolved
