"""Where a system file says what: the tables of named parts, and the keys that they take. Loads pydantic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from ...actuators import ACTUATOR_KINDS
from ...shapes import SHAPE_KINDS
from ..parts._constraint_kinds import CONSTRAINT_KINDS
from ._file_bodies import file_bodies
from ._file_part import FilePart
from ._file_values import SystemFileTable
from ._schema import (
    ArmLink,
    ArmTable,
    BaseTable,
    BodyTable,
    FrameTable,
    HdLink,
    JointPlacement,
    SpringDamperTable,
    actuator_table,
    constraint_table,
    joint_tables,
    shape_table,
)

_NAMED: dict[str, type[BaseModel]] = {
    "spring_damper": SpringDamperTable,
    "frame": FrameTable,
}
_LINKS: dict[str | int, type[SystemFileTable]] = {"arm": ArmLink, "hd_link": HdLink}
_STRUCTURE = ("name", "type", "parent", "joint", "body", "frame")


def parts(data: dict[str, Any]) -> Iterator[FilePart]:
    """Yield the named parts of a system file."""
    yield FilePart("body", "base", ("base",), _keys(BaseTable, "fixed"))
    for body in file_bodies(data):
        of_joint = _keys(joint_tables(_LINKS.get(body.path[0], JointPlacement))[body.joint["type"]])
        yield FilePart("body", body.name, body.path, of_joint if body.path[0] in _LINKS else _keys(BodyTable))
        yield FilePart("joint", body.joint_name, body.joint_path, of_joint)
    for i, arm in enumerate(data.get("arm", ())):
        yield FilePart("arm", arm.get("name", f"arm{i + 1}"), ("arm", i), _keys(ArmTable, "link"))
    for kind, table in _NAMED.items():
        for i, part in enumerate(data.get(kind, ())):
            yield FilePart(kind, part["name"], (kind, i), _keys(table))
    for i, part in enumerate(data.get("shape", ())):
        yield FilePart("shape", part["name"], ("shape", i), _keys(shape_table(SHAPE_KINDS[part["type"]])))
    for i, part in enumerate(data.get("constraint", ())):
        its = _keys(constraint_table(CONSTRAINT_KINDS[part["type"]]), "frames", "of", "row", "pose")
        yield FilePart("constraint", part["name"], ("constraint", i), its)
    for word, actuator in ACTUATOR_KINDS.sound.items():
        for i, part in enumerate(data.get(word, ())):
            yield FilePart(word, part[actuator.calling], (word, i), _keys(actuator_table(actuator)))


def _keys(table: type[BaseModel], *left_out: str) -> tuple[str, ...]:
    return tuple(key for key in table.model_fields if key not in (*_STRUCTURE, *left_out))
