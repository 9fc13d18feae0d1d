"""From `[[switch]]` to what is switched, checked as are `impose` and `release` of phases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import Problem, folded, nearest
from ...simulation import SWITCHED, Switch, push_off_problems
from ...system import System
from ..events._event_table import LOG
from ..values._findings import Findings
from ..values._sound import Sound, Sounds
from ._draft import PhaseDraft
from ._schema import SwitchTable


def read_switches(
    findings: Findings, sounds: Sounds, drafts: Sequence[PhaseDraft], system: System | None, loads: Sequence[str] | None
) -> tuple[tuple[Switch, ...], list[dict[str, Any]]]:
    """Return what a mission switches, and its `[[switch]]` tables with nothing left out; what is wrong goes into `findings`.

    Whether all times lie in the mission `refuse_late` says, once it is known how long it is.

    loads : their names; None where some could not be made
    """
    given = findings.document.data.get("switch")
    found = list[Switch]()
    tables, names = list[dict[str, Any]](), set[str]()
    for k, one in enumerate(given if isinstance(given, list) else ()):
        sound: Sound[SwitchTable] | None = sounds.of(one)
        if sound is None:
            continue
        path, table = ("switch", k), sound.table
        called = table.name or f"switch{k + 1}"
        if folded(called) in names:
            findings.add((*path, "name"), "a name used once among switches", f"{called!r} again")
        names.add(folded(called))
        before = len(findings.problems)
        findings.place(path, _name_problems(table, system, loads))
        if table.strike is not None and system is not None:
            findings.place((*path, "strike"), table.strike.problems(system))
        if sound.whole:
            findings.place(path, [*_problems(table), *_event_problems(table.event, drafts)])
            if len(findings.problems) == before:
                names_of = {key: getattr(table, key) for key in SWITCHED}
                strike = None if table.strike is None else table.strike.strike()
                pushed = table.push_off_m_s or ()
                found.append(Switch(table.t_s, table.event or "", **names_of, strike=strike, push_off_m_s=pushed))
                tables.append(_resolved(called, table))
    return tuple(found), tables


def refuse_wrong_switching(
    findings: Findings, drafts: Sequence[PhaseDraft], system: System | None, loads: Sequence[str] | None
) -> None:
    """Note what phases impose, release, engage or inhibit that cannot be."""
    for i, draft in enumerate(drafts):
        findings.place(("phase", i), _name_problems(draft, system, loads))


def refuse_idle_releases(findings: Findings, drafts: Sequence[PhaseDraft], system: System, switches: Sequence[Switch]) -> None:
    """Note releases of constraints that never hold."""
    rests = [name for switch in switches if switch.strike for name in switch.strike.rests]
    held = {*rests, *(one.name for one in system.constraints if one.active)}
    held |= {name for draft in drafts for name in draft.impose} | {name for switch in switches for name in switch.impose}
    tables = findings.document.data.get("switch", ()) if switches else ()
    named = [(("switch", k), _names(one.get("release", ()))) for k, one in enumerate(tables)]
    for path, names in (*named, *((("phase", i), draft.release) for i, draft in enumerate(drafts))):
        for name in names:
            if name not in held and name in [one.name for one in system.constraints]:
                hint = "impose it in a phase or a switch, or give it active = true in the system file"
                findings.place(path, [Problem("release", "a constraint that holds at some time", repr(name), hint=hint)])


def _names(given: Any) -> Sequence[Any]:
    return given if isinstance(given, list) else (given,)


def refuse_late(findings: Findings, t_end_s: float) -> None:
    """Note switches at times that the mission does not have; t_end_s : when it ends at the latest."""
    for k, one in enumerate(findings.document.data.get("switch", ())):
        t_s = one.get("t_s")
        if t_s is not None and not t_s < t_end_s:
            findings.add(("switch", k, "t_s"), f"a time before the end of the mission, {t_end_s:g} s", f"{t_s:g} s")


def _problems(table: SwitchTable) -> Iterator[Problem]:
    """Yield what keeps a table from saying when and what."""
    if (table.t_s is None) is (table.event is None):
        yield Problem("event" if table.event else "t_s", "one of t_s and event", "both" if table.event else "neither")
    if not (table.strike or any(getattr(table, key) for key in SWITCHED)):
        yield Problem("impose", "something to impose, release, engage or inhibit, or a strike", "nothing")


def _name_problems(table: SwitchTable | PhaseDraft, system: System | None, loads: Sequence[str] | None) -> Iterator[Problem]:
    """Yield what is wrong with the names in a table."""
    yield from _constraint_problems({"impose": table.impose, "release": table.release}, system)
    for key in ("engage", "inhibit"):
        for name in getattr(table, key) if loads is not None else ():
            if loads is not None and name not in loads:
                expected = f"one of the loads {', '.join(loads)}" if loads else "a load: the mission has [[load]] tables"
                yield Problem(key, expected, repr(name), hint=nearest(name, loads))
    known = [] if system is None else [one.name for one in system.constraints]
    if table.push_off_m_s is not None and system is not None and all(name in known for name in table.release):
        yield from push_off_problems("push_off_m_s", table.push_off_m_s, table.release, system)
    both = [name for name in table.engage if name in table.inhibit]
    if both:
        yield Problem("inhibit", "loads that are not engaged as well", ", ".join(map(repr, both)))


def _constraint_problems(given: Mapping[str, Sequence[str]], system: System | None) -> Iterator[Problem]:
    """Yield what is wrong with names of constraints, by the key that has them."""
    known = () if system is None else [one.name for one in system.constraints]
    for key, names in given.items():
        for name in names if system is not None else ():
            if name not in known:
                expected = f"one of the system's constraints {', '.join(known)}" if known else "a system with [[constraint]]"
                yield Problem(key, expected, repr(name), hint=nearest(name, known))
    both = [name for name in given["impose"] if name in given["release"]]
    if both:
        yield Problem("release", "constraints that are not imposed as well", ", ".join(map(repr, both)))


def _event_problems(event: str | None, drafts: Sequence[PhaseDraft]) -> Iterator[Problem]:
    """Yield what keeps a switch from happening with an event; nothing where events have mistakes of their own."""
    if event is None or any(each is None for draft in drafts for each in draft.events):
        return
    tables = [(draft, each.table) for draft in drafts for each in draft.events if each is not None]
    its = [(draft, table) for draft, table in tables if table.called == event]
    names = list(dict.fromkeys(table.called for _, table in tables))
    if not its:
        expected = f"one of the events of phases {', '.join(names)}" if names else "an event of a phase: events = [...]"
        yield Problem("event", expected, repr(event), hint=nearest(event, names))
    for draft, table in its:
        if event in draft.ends_with:
            hint = "the phase after it switches by its own impose and release"
            yield Problem("event", "an event with which no phase ends", f"{event!r}, with which '{draft.name}' does", hint=hint)
        elif (table.then or table.usually) != LOG:
            hint = 'give the event then = "log"'
            yield Problem("event", "an event that lets the run go on", f"{event!r}, which stops it", hint=hint)


def _resolved(called: str, table: SwitchTable) -> dict[str, Any]:
    when: dict[str, Any] = {"event": table.event} if table.t_s is None else {"t_s": table.t_s}
    said: dict[str, Any] = {key: list(its) for key in SWITCHED if (its := getattr(table, key))}
    said |= {"push_off_m_s": table.push_off_m_s} if table.push_off_m_s else {}
    said |= {} if table.strike is None else {"strike": table.strike.model_dump(mode="json")}
    return {"name": called, **when, **said}
