"""A robot as the text of another tool's file, and a side table with what that cannot say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ...spatial import Array
from ..files._toml_text import toml_text
from ._side import SIDE

Element = ElementTree.Element


class RobotText(str):
    """The text of a file; `side` is that of the side table that goes with it, empty where the file says everything."""

    __slots__ = ("side",)
    side: str

    @classmethod
    def of(cls, root: Element, side: dict[str, Any]) -> RobotText:
        """Return the text of an XML file and of its side table."""
        if side:
            words = ", ".join(side)
            root.insert(0, ElementTree.Comment(f" What this format cannot say is in the side table: {words} "))
        ElementTree.indent(root)
        made = cls('<?xml version="1.0"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n")
        made.side = toml_text({"schema": SIDE, **side}) if side else ""
        return made


class SideText(dict[str, Any]):
    """What a side table says."""

    def add(self, word: str, table: dict[str, Any]) -> None:
        """Add a table to those of its kind."""
        self.setdefault(word, []).append(table)

    def change(self, kind: str, name: str, keys: dict[str, Any]) -> None:
        """Say keys of what the file has."""
        if keys:
            self.setdefault(kind, {}).setdefault(name, {}).update(keys)


def under(parent: Element, tag: str, **attributes: Any) -> Element:
    """Add an element; attributes that are None are left out, numbers keep every digit."""
    said = {key.rstrip("_"): text(value) for key, value in attributes.items() if value is not None}
    return ElementTree.SubElement(parent, tag, said)


def text(value: Any) -> str:
    """Return a value of an attribute."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Iterable):
        return " ".join(map(text, value))
    return repr(float(value)).removesuffix(".0")


def rpy(R: Array) -> list[float]:
    """Return roll, pitch and yaw of a rotation (3, 3), R = Rz(yaw) Ry(pitch) Rx(roll), for any pitch."""
    yaw = np.arctan2(R[1, 0], R[0, 0])
    s, c = np.sin(yaw), np.cos(yaw)
    roll = np.arctan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return [float(roll), float(np.arctan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])), float(yaw)]
