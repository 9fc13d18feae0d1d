"""Rules between the keys and tables of a system file, on plain data, so that they speak beside any other mistake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...actuators import ACTUATOR_KINDS
from ...errors import Problem
from ..joints import kind_of
from ..parts._body import full_inertia, inertia_problems, triangle_problems
from ..parts._joint import PLACED, limit_problems
from ..parts._rules import base_problems
from ..parts._visual import look_problems
from ._document import TomlDocument
from ._file_bodies import FileBody, file_bodies, is_number, reporter, tables
from ._file_constraints import file_constraints
from ._file_tree import tree_problems
from ._schema_problems import found_text, is_misspelt
from ._toml_places import KeyPath

_BASE_KEYS = ("fixed", "mass_kg", "com_m", "inertia_kg_m2")
_ROTATIONS = ("rpy_rad", "rpy_deg", "dcm", "quaternion_xyzw")


def rule_problems(document: TomlDocument) -> list[Problem]:
    """Return what is wrong between keys; values of the wrong type are passed over, the schema reports them."""
    problems = _base_problems(document) + _arm_problems(document) + _actuator_problems(document) + _shape_problems(document)
    problems += _look_problems(document)
    problems += [one.report(*flaw) for one in file_constraints(document) for flaw in one.kind.between(one.said)]
    for path, table in _placements(document.data):
        problems += _twice_problems(document, path, table) + _limit_problems(document, path, table)
    problems += [problem for body in file_bodies(document.data) for problem in _place_problems(document, body)]
    return problems + tree_problems(document)


def doubtful_inertias(document: TomlDocument) -> list[Problem]:
    """Return the inertias that break the triangle inequality; what is no inertia at all is passed over."""
    problems = []
    base = document.data.get("base")
    masses = [(("base",), base)] if isinstance(base, dict) else []
    for path, table in [*masses, *((body.path, body.table) for body in file_bodies(document.data))]:
        inertia = full_inertia(table.get("inertia_kg_m2"))
        if inertia_problems("", inertia):
            continue
        for problem in triangle_problems("", inertia):
            problems.append(document.problem((*path, "inertia_kg_m2"), problem.expected, problem.found))
    return problems


def _placements(data: dict[str, Any]) -> Iterator[tuple[KeyPath, dict[str, Any]]]:
    """Every table in which rotations, limits or angles are given."""
    yield from ((body.joint_path, body.joint) for body in file_bodies(data) if isinstance(body.joint, dict))
    yield from (((kind, i), table) for kind in ("frame", "arm", "shape", "visual") for i, table in tables(data, kind))
    held = tables(data, "constraint")
    yield from ((("constraint", i, "pose"), table["pose"]) for i, table in held if isinstance(table.get("pose"), dict))


def _actuator_problems(document: TomlDocument) -> list[Problem]:
    """Report what is wrong between the keys of an actuator."""
    return [
        document.problem((word, i, key), *rest)
        for word, kind in ACTUATOR_KINDS.sound.items()
        for i, table in tables(document.data, word)
        for key, *rest in kind.between(table)
    ]


def _shape_problems(document: TomlDocument) -> list[Problem]:
    """Report shapes on nothing, and on two things."""
    found = [(i, [key for key in table if key in ("body", "frame")]) for i, table in tables(document.data, "shape")]
    return [
        document.problem(("shape", i, keys[-1] if keys else "body"), "one of body, frame", " and ".join(keys) or "nothing")
        for i, keys in found
        if len(keys) != 1
    ]


def _look_problems(document: TomlDocument) -> list[Problem]:
    """Report visuals whose kind, sizes, file or colour do not go together."""
    return [
        document.problem(("visual", i, flaw.key), flaw.expected, flaw.found, flaw.hint)
        for i, table in tables(document.data, "visual")
        if isinstance(table.get("type"), str)
        for flaw in look_problems({key: tuple(value) if isinstance(value, list) else value for key, value in table.items()})
    ]


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
    kind, problems = kind_of(table), []
    numbers = {key: value for key, value in table.items() if is_number(value)}
    for k in range(len(kind.freedoms) if kind and "lower" in kind.passive else 0):
        lower, upper = (kind.passive_number(what, k, numbers) if kind else None for what in ("lower", "upper"))
        if lower and upper and limit_problems("", lower[1], upper[1]):
            expected = f"more than {lower[0]} = {table[lower[0]]:g}"
            problems.append(document.problem((*path, upper[0]), expected, f"{table[upper[0]]:g}"))
    return problems


def _place_problems(document: TomlDocument, body: FileBody) -> list[Problem]:
    """Report where a free body is placed, at the keys of its joint."""
    if not (body.kind and body.kind.grounded):
        return []
    placed = [key for key in ("origin_m", *_ROTATIONS, "child_origin_m", "child_dcm") if key in body.joint]
    expected = PLACED.format(body.kind.name)
    return [document.problem((*body.joint_path, key), expected, found_text(body.joint[key])) for key in placed]


def _base_problems(document: TomlDocument) -> list[Problem]:
    base = document.data.get("base")
    fixed = base.get("fixed", False) if isinstance(base, dict) else None
    if not isinstance(base, dict) or not isinstance(fixed, bool):
        return []
    missing = [key for key in ("mass_kg", "inertia_kg_m2") if not fixed and key not in base]
    missing = [key for key in missing if not is_misspelt(key, base, _BASE_KEYS)]
    hint = "only a base with fixed = true can do without"
    problems = [document.problem(("base", key), "a value for a base that floats", "nothing", hint) for key in missing]
    mass = base["mass_kg"] if is_number(base.get("mass_kg")) and base["mass_kg"] >= 0 else 1.0
    gravity = document.data.get("gravity_m_s2")
    gravity = gravity if isinstance(gravity, list) and all(map(is_number, gravity)) else ()
    return problems + base_problems(reporter(document, ()), mass, gravity, fixed=fixed)


def _arm_problems(document: TomlDocument) -> list[Problem]:
    arms = tables(document.data, "arm")
    return [
        document.problem(("arm", i, "name"), "a name, because the file has several arms", "nothing")
        for i, arm in arms
        if len(arms) > 1 and "name" not in arm
    ]
