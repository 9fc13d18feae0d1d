"""Names and parents in a system file, on plain data: bodies, joints, frames, springs, actuators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..actuators import Hardware, Mounted, actuator_kinds, mounting_problems
from ..errors import Problem
from ._document import TomlDocument
from ._rules import (
    MOST_PARTS,
    Entry,
    Report,
    namespace_problems,
    parent_problems,
    part_problems,
    spring_problems,
)
from ._toml_places import KeyPath
from .joints import kind_of

_PARTS = ("frame", "arm", "spring_damper")


def arm_prefix(name: str | None, arms: int) -> str:
    """Return what stands before `link1`, `joint1` and `tip`: nothing where the file has one arm."""
    return "" if arms == 1 else f"{name}."


def tables(data: Any, key: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the readable tables of an array of tables with their numbers."""
    found = data.get(key)
    return [(i, table) for i, table in enumerate(found) if isinstance(table, dict)] if isinstance(found, list) else []


def reporter(document: TomlDocument, path: KeyPath) -> Report:
    """Return what makes problems of the keys of the table at `path`."""

    def report(key: str, expected: str, found: str, hint: str) -> Problem:
        return document.problem((*path, *key.split(".")), expected, found, hint)

    return report


def count_problems(document: TomlDocument) -> list[Problem]:
    """Report the first table beyond the number that a system may have of its kind."""
    data = document.data
    bodies: list[tuple[KeyPath, Any]] = [(("body", i), body.get("joint")) for i, body in tables(data, "body")]
    bodies += [(("arm", i, "link", k), link) for i, arm in tables(data, "arm") for k, link in tables(arm, "link")]
    bodies += [(("hd_link", k), link) for k, link in tables(data, "hd_link")]
    found: dict[str, list[KeyPath]] = {
        "bodies": [path for path, _ in bodies],
        "freedoms of joints": [path for path, joint in bodies for _ in range(_freedoms(joint))],
        **{f"[[{kind}]]": [(kind, i) for i, _ in tables(data, kind)] for kind in (*_PARTS, *actuator_kinds())},
    }
    return [
        document.problem(paths[MOST_PARTS], f"at most {MOST_PARTS} {kind}", f"{len(paths):,}")
        for kind, paths in found.items()
        if len(paths) > MOST_PARTS
    ]


def _freedoms(joint: Any) -> int:
    """How many freedoms a readable joint has."""
    kind = kind_of(joint)
    return kind.dof(joint) if kind else 1


def tree_problems(document: TomlDocument) -> list[Problem]:
    """Check names and parents of every body, joint and frame whose name can be read."""
    bodies, joints, frames = [Entry("base", None, reporter(document, ("base",)))], list[Entry](), list[Entry]()
    for i, body in tables(document.data, "body"):
        report = reporter(document, ("body", i))
        bodies += _entry(body.get("name"), body.get("parent"), report)
        joint = body.get("joint")
        joints += _entry(joint.get("name", body.get("name")) if isinstance(joint, dict) else None, None, report)
    for i, frame in tables(document.data, "frame"):
        frames += _entry(frame.get("name"), frame.get("body"), reporter(document, ("frame", i)))
    arms = tables(document.data, "arm")
    for i, arm in arms:
        prefix, parent = arm_prefix(arm.get("name", str(i)), len(arms)), arm.get("parent", "base")
        links, its_joints = _chain(document, ("arm", i, "link"), tables(arm, "link"), parent, prefix)
        bodies, joints = bodies + links, joints + its_joints
        frames += _entry(f"{prefix}tip", None, reporter(document, ("arm", i)))
    links, its_joints = _chain(document, ("hd_link",), tables(document.data, "hd_link"), "base", "")
    bodies, joints = bodies + links, joints + its_joints
    frames += _entry("tip", None, reporter(document, ("hd_link", 0))) if links else []
    problems = namespace_problems(bodies, joints, frames) + part_problems(joints, _parts(document.data))
    named = _all_named(document.data)
    if named:
        names = [entry.name for entry in (*bodies, *frames)] + [f"{body.name}.com" for body in bodies]
        problems += parent_problems(bodies, frames) + spring_problems(_springs(document), names)
    base = document.data.get("base")
    fixed, turning = isinstance(base, dict) and base.get("fixed") is True, dict.fromkeys(_driven_joints(document.data), True)
    hardware = Hardware(fixed, [body.name for body in bodies], turning) if named else Hardware(fixed)
    return problems + mounting_problems(_actuators(document), hardware)


def _parts(data: dict[str, Any]) -> dict[str, str]:
    """Return the joint of every readable part of a joint."""
    owners: dict[str, str] = {}
    for _, body in tables(data, "body"):
        joint = body["joint"] if isinstance(body.get("joint"), dict) else {}
        name, kind = joint.get("name", body.get("name")), kind_of(joint)
        if isinstance(name, str) and kind is not None:
            owners |= dict.fromkeys((f"{name}.{part}" for part in kind.parts(joint)), name)
    return owners


def _springs(document: TomlDocument) -> list[tuple[str, list[str], Report]]:
    """Return name, ends and report of every readable `[[spring_damper]]`."""
    springs = []
    for i, spring in tables(document.data, "spring_damper"):
        between = spring.get("between")
        ends = [end for end in between if isinstance(end, str)] if isinstance(between, list) else []
        report = reporter(document, ("spring_damper", i))
        springs.append((str(spring.get("name", i)), ends, report))
    return springs


def _actuators(document: TomlDocument) -> list[Mounted]:
    """Return every actuator whose name can be read, with what else of it is a text."""
    return [
        Mounted(kind, {key: value for key, value in table.items() if isinstance(value, str)}, reporter(document, (word, i)))
        for word, kind in actuator_kinds().items()
        for i, table in tables(document.data, word)
        if isinstance(table.get(kind.calling), str) and table[kind.calling]
    ]


def _driven_joints(data: dict[str, Any]) -> Iterator[str]:
    """The name of every joint that a motor can drive."""
    for _, body in tables(data, "body"):
        joint = body.get("joint", {})
        if _driven(joint):
            yield str(joint.get("name", body.get("name")))
    arms = tables(data, "arm")
    chains = [(arm_prefix(arm.get("name", str(i)), len(arms)), tables(arm, "link")) for i, arm in arms]
    for prefix, links in [*chains, ("", tables(data, "hd_link"))]:
        yield from (f"{prefix}joint{k + 1}" for k, link in links if _driven(link))


def _driven(joint: Any) -> bool:
    kind = kind_of(joint)
    return kind is not None and kind.motors


def _chain(
    document: TomlDocument, path: KeyPath, links: list[tuple[int, dict[str, Any]]], parent: Any, prefix: str
) -> tuple[list[Entry], list[Entry]]:
    """Return the bodies and the joints of links that follow one another, written at `path`."""
    bodies, joints = list[Entry](), list[Entry]()
    for k, link in links:
        report, name = _link_report(document, (*path, k)), link.get("name", f"{prefix}link{k + 1}")
        bodies += _entry(name, parent, report)
        joints += _entry(f"{prefix}joint{k + 1}", None, report)
        parent = name
    return bodies, joints


def _link_report(document: TomlDocument, path: KeyPath) -> Report:
    """Report on a link of a chain, whose parent is written in its arm, if at all, and whose joint has no name in the file."""

    def report(key: str, expected: str, found: str, hint: str) -> Problem:
        place = {"parent": (*path[:-2], "parent"), "joint.name": path}.get(key, (*path, key))
        return document.problem(place, expected, found, hint)

    return report


def _entry(name: Any, parent: Any, report: Report) -> list[Entry]:
    return [Entry(name, parent if isinstance(parent, str) else None, report)] if isinstance(name, str) and name else []


def _all_named(data: dict[str, Any]) -> bool:
    """Whether every body has a name: otherwise each child of a nameless one would be reported too."""
    arms = [arm for _, arm in tables(data, "arm")]
    links = [link for arm in arms for _, link in tables(arm, "link")]
    links += [link for _, link in tables(data, "hd_link")]
    names = [body.get("name") for _, body in tables(data, "body")] + [link.get("name", "link") for link in links]
    names += [arm.get("name") for arm in arms if len(arms) > 1]
    return all(isinstance(name, str) for name in names)
