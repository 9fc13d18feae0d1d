"""What must hold between bodies: one namespace, one root, no cycles, a base that can carry the motion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...constraints import GROUND
from ...errors import Problem, folded, nearest

MOST_PARTS = 300  # of a kind; tables of 300 joints take 0.8 GB, and they grow with the third power
# (key below the entry, expected, found, hint) -> Problem with the right key and, in a file, line and column
Report = Callable[[str, str, str, str], Problem]


@dataclass(frozen=True)
class Entry:
    """A body, joint or frame as the rules see it.

    name : its own name
    parent : the body that carries it; None for the base, and for joints, whose bodies are checked
    report : makes a `Problem` about one key of this entry
    kind : what its joint is called, if that is known
    grounded : whether nothing holds it, so that its parent is the ground
    mass_kg : of a body, if that is known
    """

    name: str
    parent: str | None
    report: Report
    kind: str = ""
    grounded: bool = False
    mass_kg: float | None = None


def namespace_problems(bodies: Sequence[Entry], joints: Sequence[Entry], frames: Sequence[Entry]) -> list[Problem]:
    """Return a problem for every name used twice: among bodies, their `.com` and frames, and among joints."""
    problems = []
    users: dict[str, str] = {}
    for kind, entries in (("body", bodies), ("frame", frames)):
        for entry in entries:
            name = folded(entry.name)
            if name in users:
                problems.append(entry.report("name", "a name used once", f"{entry.name!r}, {users[name]}", ""))
                continue
            users[name] = f"already the name of a {kind}"
            if kind == "body":
                com = f"{name}.com"
                if com in users:
                    problems.append(entry.report("name", f"a name whose {com!r} is free", users[com], ""))
                users.setdefault(com, f"already the centre of mass of {entry.name!r}")
    body_names, used = Counter(folded(entry.name) for entry in bodies), Counter[str]()
    for entry in joints:
        name = folded(entry.name)
        used[name] += 1
        if used[name] > 1 and body_names[name] < 2:  # joints are called as their bodies unless told otherwise
            problems.append(entry.report("joint.name", "a name used once", f"{entry.name!r}, already a joint", ""))
    return problems


def part_problems(joints: Sequence[Entry], owners: Mapping[str, str]) -> list[Problem]:
    """Return a problem for every joint that is called as a part of another one, such as "wrist.2"; owners : joints of parts."""
    parts = {folded(part): owner for part, owner in owners.items()}
    return [
        entry.report("joint.name", "a name used once", f"{entry.name!r}, already a part of joint {owner!r}", "")
        for entry in joints
        if (owner := parts.get(folded(entry.name))) is not None
    ]


def parent_problems(bodies: Sequence[Entry], frames: Sequence[Entry]) -> list[Problem]:
    """Return a problem for every parent that is not a body, and for every cycle."""
    names = {entry.name for entry in bodies}
    problems = [
        entry.report(key, "the name of a body", repr(entry.parent), _nearest_parent(entry.parent, names))
        for key, entries in (("parent", bodies), ("body", frames))
        for entry in entries
        if entry.parent is not None and entry.parent not in names and not entry.grounded
    ]
    return problems + _free_problems(bodies) + _cycle_problems([entry for entry in bodies if not entry.grounded])


def _nearest_parent(name: str, names: Collection[str]) -> str:
    return "only a body with a free joint is on the ground" if name == GROUND else nearest(name, names)


def _free_problems(bodies: Sequence[Entry]) -> list[Problem]:
    """Return a problem for every free body with another parent than the ground, or without mass."""
    free, expected = [entry for entry in bodies if entry.grounded], "a number > 0 for a body that is free"
    elsewhere = [entry for entry in free if entry.parent != GROUND]
    massless = [entry for entry in free if entry.mass_kg is not None and not entry.mass_kg > 0]
    return [
        *(entry.report("parent", f"'{GROUND}' for a {entry.kind} joint", repr(entry.parent), "") for entry in elsewhere),
        *(entry.report("mass_kg", expected, f"{entry.mass_kg:g}", "") for entry in massless),
    ]


def free_users(bodies: Sequence[Entry]) -> list[str]:
    """Return, in words, the bodies that take the ground for the inertial frame."""
    return [f"free body {entry.name!r}" for entry in bodies if entry.grounded]


def spring_problems(springs: Sequence[tuple[str, Sequence[str], Report]], frames: Sequence[str]) -> list[Problem]:
    """Return a problem for every end of a spring that is no frame, and for every name used twice.

    springs : per spring its name, the names of its ends, and its report; frames : every name that an end may have
    """
    problems = _twice_problems([(name, report) for name, _, report in springs], "a spring")
    for _, ends, report in springs:
        for end in ends:
            if end not in frames:
                problems.append(report("between", "the names of two frames", repr(end), nearest(end, frames)))
    return problems


def tied_trees_problems(
    springs: Sequence[tuple[str, Sequence[str], Report]], bodies: Sequence[Entry], frames: Sequence[Entry]
) -> list[Problem]:
    """Return a problem for every spring between two trees, each of which moves alone; arguments as above."""
    roots = _roots(bodies)
    on = {f"{name}.com": name for name in roots} | {entry.name: entry.parent or "" for entry in frames}
    found = [(report, [roots.get(on.get(end, end), "base") for end in ends]) for _, ends, report in springs]
    expected, hint = "two frames that one body carries", "a load acts between bodies that are free of each other"
    return [
        report("between", expected, f"frames that {each[0]!r} and {each[1]!r} carry", hint)
        for report, each in found
        if len(set(each)) > 1
    ]


def free_of_base(bodies: Sequence[Entry]) -> frozenset[str]:
    """Return the names of the free bodies and of all that they carry."""
    return frozenset(name for name, root in _roots(bodies).items() if root != "base")


def _roots(bodies: Sequence[Entry]) -> dict[str, str]:
    """Return, for every body, the free body that carries it or is it; "base" of all others, whatever is wrong with them."""
    carriers = {entry.name: entry.parent for entry in bodies}
    free, found = {entry.name for entry in bodies if entry.grounded}, dict[str, str]()
    for entry in bodies if free else ():
        name: str | None = entry.name
        seen = set[str]()
        while name is not None and name not in free and name not in seen:
            seen.add(name)
            name = carriers.get(name)
        found[entry.name] = name if name in free and name is not None else "base"
    return found


def ground_problems(users: Sequence[str], frames: Sequence[tuple[str, Report]]) -> list[Problem]:
    """Return a problem for every body and frame called `ground` where others, `users`, take that for the inertial frame."""
    if not users:
        return []
    expected = f"another name than that of the inertial frame, which {users[0]} uses"
    return [report("name", expected, repr(name), "") for name, report in frames if folded(name) == GROUND]


def shape_problems(shapes: Sequence[Entry], frames: Sequence[str]) -> list[Problem]:
    """Return a problem for every shape on what is no frame, and for every name used twice.

    shapes : `parent` is what they are on; frames : every name of a frame
    """
    places = [*frames, GROUND]
    return _twice_problems([(shape.name, shape.report) for shape in shapes], "a shape") + [
        shape.report("frame", f"the name of a body or frame, or {GROUND!r}", repr(shape.parent), nearest(shape.parent, places))
        for shape in shapes
        if shape.parent is not None and shape.parent not in places
    ]


def visual_problems(visuals: Sequence[tuple[str, Report]], frames: Sequence[str]) -> list[Problem]:
    """Return a problem for every visual on what is no frame; visuals : the names of their frames, and reports."""
    known = {*frames}
    return [
        report("frame", "the name of a body or frame", repr(name), nearest(name, frames))
        for name, report in visuals
        if name not in known
    ]


def _twice_problems(parts: Sequence[tuple[str, Report]], kind: str) -> list[Problem]:
    """Return a problem for every name used twice among parts of one kind, each a name and a report."""
    problems, used = [], set[str]()
    for name, report in parts:
        if folded(name) in used:
            problems.append(report("name", "a name used once", f"{name!r}, already {kind}", ""))
        used.add(folded(name))
    return problems


def _cycle_problems(bodies: Sequence[Entry]) -> list[Problem]:
    """Return one problem per cycle, at its first body."""
    first = {entry.name: entry for entry in reversed(bodies)}
    problems, seen = [], set[str]()
    for entry in bodies:
        path: list[str] = []
        name: str | None = entry.name
        while name in first and name not in seen:
            seen.add(name)
            path.append(name)
            name = first[name].parent
        if name in path:
            cycle = path[path.index(name) :]
            found = " -> ".join(map(repr, [*cycle, name]))
            problems.append(first[name].report("parent", "a chain that ends at the base", f"a cycle {found}", ""))
    return problems


def base_problems(report: Report, mass_kg: float, gravity_m_s2: ArrayLike, *, fixed: bool) -> list[Problem]:
    """Return what keeps a base from floating: no mass, or gravity. `report` takes keys of the whole system."""
    problems = []
    if not fixed and not mass_kg > 0:
        problems.append(report("base.mass_kg", "a number > 0 for a base that floats", f"{mass_kg:g}", ""))
    if not fixed and np.any(np.asarray(gravity_m_s2)):
        hint = "set fixed = true in [base] to hold it"
        problems.append(report("gravity_m_s2", "no gravity on a base that floats", str(gravity_m_s2), hint))
    return problems
