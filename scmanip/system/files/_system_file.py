"""From the tables of a system file to bodies and frames, every mistake of the file at once. Loads pydantic."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from ...actuators import ACTUATOR_KINDS, Actuator
from ...constraints import Constraint
from ...errors import InvalidInput, InvalidSystem, refuse
from ...plugins import Kinds
from ...shapes import SHAPE_KINDS, Shape
from ..joints import joint_numbers
from ..parts._body import Body
from ..parts._constraint_kinds import CONSTRAINT_KINDS
from ..parts._frame import Frame
from ..parts._joint import Joint
from ..parts._spring_damper import SpringDamper, idle_problem, idle_springs
from ..parts._visual import Visual
from ._degree_doubts import degree_doubts
from ._dh_arm import arm_bodies
from ._document import TomlDocument
from ._file_bodies import tables
from ._file_rules import doubtful_inertias, rule_problems
from ._file_tree import count_problems
from ._file_values import PlacementTable
from ._hd_arm import hd_arm
from ._other_kind import other_kind
from ._schema import (
    SCHEMA,
    BaseTable,
    BodyTable,
    ConstraintTable,
    FrameTable,
    ShapePlacement,
    SystemFile,
    VisualTable,
    system_file,
)
from ._schema_problems import schema_problems
from ._toml_places import KeyPath


def read_parts(document: TomlDocument, *, strict: bool) -> dict[str, Any]:
    """Return what a `System` is made of that the tables of a system file describe.

    strict : refuse inertias that break the triangle inequality, which published data sometimes do, springs that do nothing,
        and angles in radians that look like degrees
    Raises `InvalidSystem` with every problem at once.
    """
    table = _validated(document, strict)
    bodies, tips = _bodies_in_file_order(document, table)
    base, frames = _base(table.base), (*map(_frame, table.frame), *tips)
    springs = tuple(SpringDamper(**{**vars(spring), "between": tuple(spring.between)}) for spring in table.spring_damper)
    if strict:
        _refuse_idle_springs(document, springs, (base, *bodies), frames)
    return {
        "name": table.name,
        "base": base,
        "bodies": bodies,
        "frames": frames,
        "fixed": table.base.fixed,
        "gravity_m_s2": np.array(table.gravity_m_s2),
        "springs": springs,
        "actuators": _actuators(table),
        "shapes": map(_shape, table.shape),
        "constraints": map(_constraint, table.constraint),
        "visuals": (_visual(visual, Path(document.file).parent) for visual in table.visual),
    }


def _actuators(table: SystemFile) -> Iterator[Actuator]:
    for word, kind in ACTUATOR_KINDS.sound.items():
        for said in getattr(table, word):
            yield kind.of_table(said.model_dump(exclude_unset=True))


def _refuse_idle_springs(
    document: TomlDocument, springs: Sequence[SpringDamper], bodies: Sequence[Body], frames: Sequence[Frame]
) -> None:
    """Raise `InvalidSystem` for the springs that do nothing."""
    problems = []
    for spring in idle_springs(springs, bodies, frames):
        key, expected, found = idle_problem(spring)
        problems.append(document.problem(("spring_damper", springs.index(spring), key), expected, found))
    refuse(problems, InvalidSystem)


def _validated(document: TomlDocument, strict: bool) -> SystemFile:
    _refuse_other_files(document)
    _refuse_broken_kinds(document)
    _refuse_too_many(document)
    problems = rule_problems(document)
    problems += doubtful_inertias(document) if strict or document.physical else []
    problems += degree_doubts(document) if strict else []
    try:
        table = system_file(document.data).model_validate(document.data)
    except ValidationError as error:
        problems += schema_problems(document, error, system_file(document.data))
    if problems:
        raise InvalidSystem(sorted(problems, key=lambda problem: (problem.line, problem.column)))
    return table


def _refuse_other_files(document: TomlDocument) -> None:
    """A file of another kind gets one sentence, not a list of everything that a system file would hold."""
    found = document.data.get("schema")
    if found != SCHEMA and not (found is None and "base" in document.data):
        raise InvalidSystem(other_kind(document, SCHEMA))


def _refuse_broken_kinds(document: TomlDocument) -> None:
    """Refuse tables of actuators and constraints that an installed package offers and that are none."""
    named: list[tuple[Kinds[Any], str, KeyPath]] = [
        (ACTUATOR_KINDS, word, (word,)) for word in ACTUATOR_KINDS.keys() & document.data.keys()
    ]
    held = [(i, table.get("type")) for i, table in tables(document.data, "constraint")]
    named += [(CONSTRAINT_KINDS, word, ("constraint", i, "type")) for i, word in held if word in list(CONSTRAINT_KINDS)]
    for kinds, word, path in named:
        try:
            kinds[word]
        except InvalidInput as error:
            raise InvalidSystem(document.problem(path, each.expected, each.found) for each in error.problems) from None


def _refuse_too_many(document: TomlDocument) -> None:
    """Refuse more parts than a model can be made of before anything is made of them."""
    refuse(count_problems(document), InvalidSystem)


def _bodies_in_file_order(document: TomlDocument, table: SystemFile) -> tuple[list[Body], list[Frame]]:
    """Return every body, `[[body]]`, `[[arm]]` and `[[hd_link]]` as they come in the file, and the arms' tips."""
    groups: list[tuple[KeyPath, list[Body]]] = [(("body", i), [_body(body)]) for i, body in enumerate(table.body)]
    tips = []
    for i, arm in enumerate(table.arm):
        links, tip = arm_bodies(arm, len(table.arm))
        groups.append((("arm", i), links))
        tips.append(tip)
    if table.hd_link:
        links, tip = hd_arm(table.hd_link)
        groups.append((("hd_link", 0), links))
        tips.append(tip)
    groups.sort(key=lambda group: document.order(group[0]))
    return [body for _, bodies in groups for body in bodies], tips


def _base(table: BaseTable) -> Body:
    mass, inertia = table.mass_kg or 0.0, table.inertia_kg_m2 or np.zeros((3, 3))  # left out only when fixed
    return Body("base", mass, np.array(inertia), np.array(table.com_m))


def _body(table: BodyTable) -> Body:
    joint, name = table.joint, table.joint.name or table.name
    child: dict[str, Any] = {
        "child_origin_m": np.array(joint.child_origin_m),
        "child_dcm": np.array(joint.child_dcm or np.eye(3)),
    }
    placed = {"origin_m": np.array(joint.origin_m), "dcm": joint.rotation, **child}
    made = Joint(name, joint.type, **placed, **joint_numbers(vars(joint)))
    return Body(table.name, table.mass_kg, np.array(table.inertia_kg_m2), np.array(table.com_m), table.parent, made)


def _frame(table: FrameTable) -> Frame:
    return Frame(table.name, table.body, np.array(table.origin_m), table.rotation)


def _visual(table: VisualTable, folder: Path) -> Visual:
    """Return a visual; folder : that of the system file, beside which the file of a mesh may be."""
    said = {key: getattr(table, key) for key in ("size_m", "file", "uri", "scale", "rgba", "collides")}
    if table.file and os.path.isfile(beside := folder / table.file):
        said["file"] = str(beside)
    said = {key: tuple(value) if isinstance(value, list) else value for key, value in said.items()}
    return Visual(table.frame, table.type, **said, origin_m=np.array(table.origin_m), dcm=table.rotation)


def _constraint(table: ConstraintTable) -> Constraint:
    said = {key: getattr(table, key) for key in table.model_fields_set - {"type"}}
    placed = {key: value.pose for key, value in said.items() if isinstance(value, PlacementTable)}
    return CONSTRAINT_KINDS[table.type].of_table(said | placed)


def _shape(table: ShapePlacement) -> Shape:
    kind, on = SHAPE_KINDS[table.type], table.frame or table.body or ""  # one of them, by `rule_problems`
    sizes = {name: getattr(table, name) for name in kind.sizes()}
    return kind(table.name, on, **sizes, origin_m=np.array(table.origin_m), dcm=table.rotation)
