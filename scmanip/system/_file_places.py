"""Where a system file says what: the tables of named parts, and the keys that they take. Loads pydantic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from ..actuators import actuator_kinds
from ._file_part import FilePart
from ._file_tree import arm_prefix
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
    joint_tables,
)
from ._toml_places import KeyPath

_NAMED: dict[str, type[BaseModel]] = {
    "spring_damper": SpringDamperTable,
    "frame": FrameTable,
}
_STRUCTURE = ("name", "type", "parent", "joint", "body")


def parts(data: dict[str, Any]) -> Iterator[FilePart]:
    """Yield the named parts of a system file."""
    yield FilePart("body", "base", ("base",), _keys(BaseTable, "fixed"))
    for i, body in enumerate(data.get("body", ())):
        yield FilePart("body", body["name"], ("body", i), _keys(BodyTable))
        joint = body["joint"]
        keys = _keys(joint_tables(JointPlacement)[joint["type"]])
        yield FilePart("joint", joint.get("name", body["name"]), ("body", i, "joint"), keys)
    arms = data.get("arm", ())
    for i, arm in enumerate(arms):
        yield FilePart("arm", arm.get("name", f"arm{i + 1}"), ("arm", i), _keys(ArmTable, "link"))
        yield from _links(("arm", i, "link"), arm["link"], arm_prefix(arm.get("name"), len(arms)), ArmLink)
    yield from _links(("hd_link",), data.get("hd_link", ()), "", HdLink)
    for kind, table in _NAMED.items():
        for i, part in enumerate(data.get(kind, ())):
            yield FilePart(kind, part["name"], (kind, i), _keys(table))
    for word, actuator in actuator_kinds().items():
        for i, part in enumerate(data.get(word, ())):
            yield FilePart(word, part[actuator.calling], (word, i), _keys(actuator_table(actuator)))


def _links(path: KeyPath, links: Any, prefix: str, base: type[SystemFileTable]) -> Iterator[FilePart]:
    for number, link in enumerate(links):
        keys = _keys(joint_tables(base)[link["type"]])
        yield FilePart("body", link.get("name", f"{prefix}link{number + 1}"), (*path, number), keys)
        yield FilePart("joint", f"{prefix}joint{number + 1}", (*path, number), keys)


def _keys(table: type[BaseModel], *left_out: str) -> tuple[str, ...]:
    return tuple(key for key in table.model_fields if key not in (*_STRUCTURE, *left_out))
