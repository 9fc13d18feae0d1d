"""Rules between the keys and tables of a system file, on plain data, so that they speak beside any other mistake."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..errors import Problem
from ._body import full_inertia, inertia_problems, triangle_problems
from ._document import TomlDocument
from ._joint import limit_problems
from ._rules import (
    Entry,
    Report,
    base_problems,
    motor_problems,
    namespace_problems,
    parent_problems,
    spring_problems,
    thruster_problems,
    wheel_problems,
)
from ._schema_problems import is_misspelt
from ._toml_places import KeyPath

_BASE_KEYS = ("fixed", "mass_kg", "com_m", "inertia_kg_m2")
_ROTATIONS = ("rpy_rad", "rpy_deg", "dcm", "quaternion_xyzw")


def rule_problems(document: TomlDocument) -> list[Problem]:
    """Return what is wrong between keys; values of the wrong type are passed over, the schema reports them."""
    problems = _base_problems(document) + _arm_problems(document) + _wheel_speed_problems(document)
    problems += _motor_rate_problems(document)
    for path, table in _placements(document.data):
        problems += _twice_problems(document, path, table) + _limit_problems(document, path, table)
    return problems + _tree_problems(document)


def doubtful_inertias(document: TomlDocument) -> list[Problem]:
    """Return the inertias that break the triangle inequality; what is no inertia at all is passed over."""
    problems = []
    for path, table in _masses(document.data):
        inertia = full_inertia(table.get("inertia_kg_m2"))
        if inertia_problems("", inertia):
            continue
        for problem in triangle_problems("", inertia):
            problems.append(document.problem((*path, "inertia_kg_m2"), problem.expected, problem.found))
    return problems


def arm_prefix(name: str | None, arms: int) -> str:
    """Return what stands before `link1`, `joint1` and `tip`: nothing where the file has one arm."""
    return "" if arms == 1 else f"{name}."


def _tables(data: Any, key: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the readable tables of an array of tables with their numbers."""
    tables = data.get(key)
    return [(i, table) for i, table in enumerate(tables) if isinstance(table, dict)] if isinstance(tables, list) else []


def _placements(data: dict[str, Any]) -> Iterator[tuple[KeyPath, dict[str, Any]]]:
    """Every table in which rotations, limits or angles are given."""
    for i, body in _tables(data, "body"):
        if isinstance(body.get("joint"), dict):
            yield ("body", i, "joint"), body["joint"]
    for i, frame in _tables(data, "frame"):
        yield ("frame", i), frame
    for i, arm in _tables(data, "arm"):
        yield ("arm", i), arm
        for k, link in _tables(arm, "link"):
            yield ("arm", i, "link", k), link
    for k, link in _tables(data, "hd_link"):
        yield ("hd_link", k), link


def _wheel_speed_problems(document: TomlDocument) -> list[Problem]:
    keys = ("speed_rad_s", "speed_rpm")
    return [
        document.problem(("wheel", i, [k for k in wheel if k in keys][1]), f"one of {', '.join(keys)}", " and ".join(keys))
        for i, wheel in _tables(document.data, "wheel")
        if all(key in wheel for key in keys)
    ]


def _motor_rate_problems(document: TomlDocument) -> list[Problem]:
    return [
        document.problem(("motor", i, "torque_Nm"), "a largest torque beside a largest rate", "nothing")
        for i, motor in _tables(document.data, "motor")
        if "rate_rad_s" in motor and "torque_Nm" not in motor
    ]


def _masses(data: dict[str, Any]) -> Iterator[tuple[KeyPath, dict[str, Any]]]:
    """Every table that describes a mass."""
    if isinstance(data.get("base"), dict):
        yield ("base",), data["base"]
    for i, body in _tables(data, "body"):
        yield ("body", i), body
    for i, arm in _tables(data, "arm"):
        for k, link in _tables(arm, "link"):
            yield ("arm", i, "link", k), link
    for k, link in _tables(data, "hd_link"):
        yield ("hd_link", k), link


def _twice_problems(document: TomlDocument, path: KeyPath, table: dict[str, Any]) -> list[Problem]:
    """Report a rotation or an angle that is given in two ways, at the later one."""
    pairs = [(key[: -len("deg")] + "rad", key) for key in table if key.endswith("_deg")]
    problems = []
    for keys in [_ROTATIONS, *(pair for pair in pairs if pair[1] not in _ROTATIONS)]:
        given = [key for key in table if key in keys]
        if len(given) > 1:
            problems.append(document.problem((*path, given[1]), f"one of {', '.join(keys)}", f"{' and '.join(given)}"))
    return problems


def _limit_problems(document: TomlDocument, path: KeyPath, table: dict[str, Any]) -> list[Problem]:
    lower, upper = _limit(table, "lower"), _limit(table, "upper")
    if lower is None or upper is None:
        return []
    (lower_key, lower_value), (upper_key, upper_value) = lower, upper
    if not limit_problems("", lower_value, upper_value):
        return []
    return [document.problem((*path, upper_key), f"more than {lower_key} = {table[lower_key]:g}", f"{table[upper_key]:g}")]


def _limit(table: dict[str, Any], name: str) -> tuple[str, float] | None:
    angles = ((f"{name}_rad", 1.0), (f"{name}_deg", math.radians(1.0)))
    for key, unit in ((f"{name}_m", 1.0),) if table.get("type") == "prismatic" else angles:
        if _is_number(table.get(key)):
            return key, table[key] * unit
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e308  # false for NaN


def _base_problems(document: TomlDocument) -> list[Problem]:
    base = document.data.get("base")
    fixed = base.get("fixed", False) if isinstance(base, dict) else None
    if not isinstance(base, dict) or not isinstance(fixed, bool):
        return []
    missing = [key for key in ("mass_kg", "inertia_kg_m2") if not fixed and key not in base]
    missing = [key for key in missing if not is_misspelt(key, base, _BASE_KEYS)]
    hint = "only a base with fixed = true can do without"
    problems = [document.problem(("base", key), "a value for a base that floats", "nothing", hint) for key in missing]
    mass = base["mass_kg"] if _is_number(base.get("mass_kg")) and base["mass_kg"] >= 0 else 1.0
    gravity = document.data.get("gravity_m_s2")
    gravity = gravity if isinstance(gravity, list) and all(map(_is_number, gravity)) else ()
    return problems + base_problems(_report(document, ()), mass, gravity, fixed=fixed)


def _arm_problems(document: TomlDocument) -> list[Problem]:
    arms = _tables(document.data, "arm")
    return [
        document.problem(("arm", i, "name"), "a name, because the file has several arms", "nothing")
        for i, arm in arms
        if len(arms) > 1 and "name" not in arm
    ]


def _tree_problems(document: TomlDocument) -> list[Problem]:
    """Check names and parents of every body, joint and frame whose name can be read."""
    bodies, joints, frames = [Entry("base", None, _report(document, ("base",)))], list[Entry](), list[Entry]()
    for i, body in _tables(document.data, "body"):
        report = _report(document, ("body", i))
        bodies += _entry(body.get("name"), body.get("parent"), report)
        joint = body.get("joint")
        joints += _entry(joint.get("name", body.get("name")) if isinstance(joint, dict) else None, None, report)
    for i, frame in _tables(document.data, "frame"):
        frames += _entry(frame.get("name"), frame.get("body"), _report(document, ("frame", i)))
    arms = _tables(document.data, "arm")
    for i, arm in arms:
        prefix, parent = arm_prefix(arm.get("name", str(i)), len(arms)), arm.get("parent", "base")
        links, its_joints = _chain(document, ("arm", i, "link"), _tables(arm, "link"), parent, prefix)
        bodies, joints = bodies + links, joints + its_joints
        frames += _entry(f"{prefix}tip", None, _report(document, ("arm", i)))
    links, its_joints = _chain(document, ("hd_link",), _tables(document.data, "hd_link"), "base", "")
    bodies, joints = bodies + links, joints + its_joints
    frames += _entry("tip", None, _report(document, ("hd_link", 0))) if links else []
    problems = namespace_problems(bodies, joints, frames)
    if _all_named(document.data):
        names = [entry.name for entry in (*bodies, *frames)] + [f"{body.name}.com" for body in bodies]
        problems += parent_problems(bodies, frames) + spring_problems(_springs(document), names)
        problems += thruster_problems(_thrusters(document), [body.name for body in bodies])
        problems += motor_problems(_motors(document), list(_revolute_joints(document.data)))
    wheels = [(w["name"], _report(document, ("wheel", i))) for i, w in _tables(document.data, "wheel") if _named(w)]
    base = document.data.get("base")
    problems += wheel_problems(wheels, fixed=isinstance(base, dict) and base.get("fixed") is True)
    return problems


def _named(table: dict[str, Any]) -> bool:
    return isinstance(table.get("name"), str) and bool(table["name"])


def _springs(document: TomlDocument) -> list[tuple[str, list[str], Report]]:
    """Return name, ends and report of every readable `[[spring_damper]]`."""
    springs = []
    for i, spring in _tables(document.data, "spring_damper"):
        between = spring.get("between")
        ends = [end for end in between if isinstance(end, str)] if isinstance(between, list) else []
        report = _report(document, ("spring_damper", i))
        springs.append((str(spring.get("name", i)), ends, report))
    return springs


def _thrusters(document: TomlDocument) -> list[Entry]:
    """Return every readable `[[thruster]]`."""
    return [
        entry
        for i, thruster in _tables(document.data, "thruster")
        for entry in _entry(thruster.get("name"), thruster.get("body"), _report(document, ("thruster", i)))
    ]


def _motors(document: TomlDocument) -> list[tuple[str, Report]]:
    """Return joint and report of every readable `[[motor]]`."""
    tables = _tables(document.data, "motor")
    return [(m["joint"], _report(document, ("motor", i))) for i, m in tables if isinstance(m.get("joint"), str) and m["joint"]]


def _revolute_joints(data: dict[str, Any]) -> Iterator[str]:
    """The name of every revolute joint."""
    for _, body in _tables(data, "body"):
        joint = body.get("joint")
        if isinstance(joint, dict) and joint.get("type") == "revolute":
            yield str(joint.get("name", body.get("name")))
    arms = _tables(data, "arm")
    chains = [(arm_prefix(arm.get("name", str(i)), len(arms)), _tables(arm, "link")) for i, arm in arms]
    for prefix, links in [*chains, ("", _tables(data, "hd_link"))]:
        yield from (f"{prefix}joint{k + 1}" for k, link in links if link.get("type") == "revolute")


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
    arms = [arm for _, arm in _tables(data, "arm")]
    links = [link for arm in arms for _, link in _tables(arm, "link")]
    links += [link for _, link in _tables(data, "hd_link")]
    names = [body.get("name") for _, body in _tables(data, "body")] + [link.get("name", "link") for link in links]
    names += [arm.get("name") for arm in arms if len(arms) > 1]
    return all(isinstance(name, str) for name in names)


def _report(document: TomlDocument, path: KeyPath) -> Report:
    def report(key: str, expected: str, found: str, hint: str) -> Problem:
        return document.problem((*path, *key.split(".")), expected, found, hint)

    return report
