"""The bodies of a system file with their joints, on plain data that nobody has checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...errors import Problem
from ..joints import JointKind, kind_of
from ..parts._rules import Report
from ._document import TomlDocument
from ._toml_places import KeyPath


@dataclass(frozen=True, eq=False)
class FileBody:
    """A `[[body]]`, or a link of an arm, whose table is that of its joint too.

    path, table : its own; joint_path, joint : of what says how it moves
    name, joint_name, parent : as they are written or follow, which may be no names
    """

    path: KeyPath
    table: dict[str, Any]
    joint_path: KeyPath
    joint: Any
    name: Any
    joint_name: Any
    parent: Any

    @property
    def kind(self) -> JointKind | None:
        """The kind of its joint, None where none that is known is written."""
        return kind_of(self.joint)


def arm_prefix(name: str | None, arms: int) -> str:
    """Return what stands before `link1`, `joint1` and `tip`: nothing where the file has one arm."""
    return "" if arms == 1 else f"{name}."


def tables(data: Any, key: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the readable tables of an array of tables with their numbers."""
    found = data.get(key)
    return [(i, table) for i, table in enumerate(found) if isinstance(table, dict)] if isinstance(found, list) else []


def is_number(value: Any) -> bool:
    """Whether a value of a file is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e308  # false for NaN


def reporter(document: TomlDocument, path: KeyPath) -> Report:
    """Return what makes problems of the keys of the table at `path`."""

    def report(key: str, expected: str, found: str, hint: str) -> Problem:
        return document.problem((*path, *key.split(".")), expected, found, hint)

    return report


def file_bodies(data: dict[str, Any]) -> Iterator[FileBody]:
    """Yield every body whose table can be read: `[[body]]`, `[[arm.link]]`, `[[hd_link]]`; the base is none."""
    for i, body in tables(data, "body"):
        joint, path, name = body.get("joint"), ("body", i), body.get("name")
        joint_name = joint.get("name", name) if isinstance(joint, dict) else None
        yield FileBody(path, body, (*path, "joint"), joint, name, joint_name, body.get("parent"))
    arms = tables(data, "arm")
    for i, arm in arms:
        yield from _chain(("arm", i, "link"), arm, arm_prefix(arm.get("name", str(i)), len(arms)), arm.get("parent", "base"))
    yield from _chain(("hd_link",), data, "", "base")


def _chain(path: KeyPath, data: dict[str, Any], prefix: str, parent: Any) -> Iterator[FileBody]:
    for k, link in tables(data, str(path[-1])):
        name, at = link.get("name", f"{prefix}link{k + 1}"), (*path, k)
        yield FileBody(at, link, at, link, name, f"{prefix}joint{k + 1}", parent)
        parent = name
