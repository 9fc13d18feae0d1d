"""Names and parents in a system file, on plain data: bodies, joints, frames, springs, shapes, constraints, actuators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...actuators import ACTUATOR_KINDS, ActuatorHost, Mounted, mounting_problems
from ...constraints import GROUND, Surroundings, constraint_problems, ground_users
from ...errors import Problem
from ..parts._rules import (
    MOST_PARTS,
    Entry,
    Report,
    free_of_base,
    free_users,
    ground_problems,
    namespace_problems,
    parent_problems,
    part_problems,
    shape_problems,
    spring_problems,
    tied_trees_problems,
    visual_problems,
)
from ._document import TomlDocument
from ._file_bodies import FileBody, arm_prefix, file_bodies, is_number, reporter, tables
from ._file_constraints import file_constraints, surroundings
from ._toml_places import KeyPath

_PARTS = ("frame", "arm", "spring_damper", "shape", "constraint")


def count_problems(document: TomlDocument) -> list[Problem]:
    """Report the first table beyond the number that a system may have of its kind."""
    data = document.data
    bodies = list(file_bodies(data))
    found: dict[str, list[KeyPath]] = {
        "bodies": [body.path for body in bodies],
        "freedoms of joints": [body.path for body in bodies for _ in range(body.kind.dof(body.joint) if body.kind else 1)],
        **{f"[[{kind}]]": [(kind, i) for i, _ in tables(data, kind)] for kind in (*_PARTS, *ACTUATOR_KINDS)},
    }
    return [
        document.problem(paths[MOST_PARTS], f"at most {MOST_PARTS} {kind}", f"{len(paths):,}")
        for kind, paths in found.items()
        if len(paths) > MOST_PARTS
    ]


def tree_problems(document: TomlDocument) -> list[Problem]:
    """Check names and parents of every body, joint and frame whose name can be read."""
    data, written = document.data, list(file_bodies(document.data))
    bodies, joints, frames = [Entry("base", None, reporter(document, ("base",)))], list[Entry](), list[Entry]()
    for body in written:
        report = _body_report(document, body)
        bodies += [_on_joint(entry, body) for entry in _entry(body.name, body.parent, report)]
        joints += _entry(body.joint_name, None, report)
    for i, frame in tables(data, "frame"):
        frames += _entry(frame.get("name"), frame.get("body"), reporter(document, ("frame", i)))
    arms = tables(data, "arm")
    for i, arm in arms:
        frames += _entry(f"{arm_prefix(arm.get('name', str(i)), len(arms))}tip", None, reporter(document, ("arm", i)))
    frames += _entry("tip", None, reporter(document, ("hd_link", 0))) if tables(data, "hd_link") else []
    known = [(body.joint_name, body.joint, body.kind) for body in written if body.kind and isinstance(body.joint_name, str)]
    parts = {f"{name}.{part}": name for name, joint, kind in known for part in (*kind.parts(joint), *kind.rates(joint))}
    problems = namespace_problems(bodies, joints, frames) + part_problems(joints, parts)
    names = [body.name for body in written] + [arm.get("name") for _, arm in arms if len(arms) > 1]
    named = all(isinstance(name, str) for name in names)  # otherwise each child of a nameless one would be reported too
    ends = [entry.name for entry in (*bodies, *frames)] + [f"{body.name}.com" for body in bodies]
    if named:
        problems += parent_problems(bodies, frames) + spring_problems(_springs(document), ends)
        problems += visual_problems(_visuals(document), ends)
        problems += tied_trees_problems(_springs(document), bodies, frames) + shape_problems(_shapes(document), ends)
    base, turning = data.get("base"), {name: True for name, _, kind in known if kind.motors}
    fixed = isinstance(base, dict) and base.get("fixed") is True
    free = free_of_base(bodies) if named else frozenset()
    free |= {body.joint_name for body in written if isinstance(body.joint_name, str) and str(body.name) in free}
    hardware = ActuatorHost(fixed, [body.name for body in bodies], turning, free) if named else ActuatorHost(fixed)
    held, around = list(file_constraints(document)), surroundings(written, ends, fixed=fixed) if named else Surroundings()
    users = [
        *ground_users(held),
        *free_users(bodies),
        *(f"shape {shape.name!r}" for shape in _shapes(document) if shape.parent == GROUND),
    ]
    problems += constraint_problems(held, around) + ground_problems(users, [(e.name, e.report) for e in (*bodies, *frames)])
    return problems + mounting_problems(_actuators(document), hardware)


def _springs(document: TomlDocument) -> list[tuple[str, list[str], Report]]:
    """Return name, ends and report of every readable `[[spring_damper]]`."""
    springs = []
    for i, spring in tables(document.data, "spring_damper"):
        between = spring.get("between")
        ends = [end for end in between if isinstance(end, str)] if isinstance(between, list) else []
        report = reporter(document, ("spring_damper", i))
        springs.append((str(spring.get("name", i)), ends, report))
    return springs


def _shapes(document: TomlDocument) -> list[Entry]:
    """Return every shape whose name can be read, with what it is on."""
    found = list[Entry]()
    for i, shape in tables(document.data, "shape"):
        key = "frame" if "frame" in shape else "body"
        found += _entry(shape.get("name"), shape.get(key), _renamed(reporter(document, ("shape", i)), {"frame": key}))
    return found


def _visuals(document: TomlDocument) -> list[tuple[str, Report]]:
    """Return the frame of every visual whose frame can be read."""
    found = [(visual.get("frame"), reporter(document, ("visual", i))) for i, visual in tables(document.data, "visual")]
    return [(name, report) for name, report in found if isinstance(name, str)]


def _renamed(report: Report, keys: Mapping[str, str]) -> Report:
    """Return a report whose problems stand at other keys."""
    return lambda key, *rest: report(keys.get(key, key), *rest)


def _actuators(document: TomlDocument) -> list[Mounted]:
    """Return every actuator whose name can be read, with what else of it is a text."""
    return [
        Mounted(kind, {key: value for key, value in table.items() if isinstance(value, str)}, reporter(document, (word, i)))
        for word, kind in ACTUATOR_KINDS.sound.items()
        for i, table in tables(document.data, word)
        if isinstance(table.get(kind.calling), str) and table[kind.calling]
    ]


def _body_report(document: TomlDocument, body: FileBody) -> Report:
    """Report on a body; the parent of a link is written in its arm, if at all, and its joint has no name in the file."""
    if body.path[0] == "body":
        return reporter(document, body.path)

    def report(key: str, expected: str, found: str, hint: str) -> Problem:
        place = {"parent": (*body.path[:-2], "parent"), "joint.name": body.path}.get(key, (*body.path, key))
        return document.problem(place, expected, found, hint)

    return report


def _on_joint(entry: Entry, body: FileBody) -> Entry:
    """Return the entry with what is known of the joint and the mass of its body."""
    mass, kind = body.table.get("mass_kg"), body.kind
    known = mass if isinstance(mass, int | float) and is_number(mass) and mass >= 0 else None
    return replace(entry, kind=kind.name, grounded=kind.grounded, mass_kg=known) if kind else entry


def _entry(name: Any, parent: Any, report: Report) -> list[Entry]:
    return [Entry(name, parent if isinstance(parent, str) else None, report)] if isinstance(name, str) and name else []
