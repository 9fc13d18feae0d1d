"""Angles in radians that look like degrees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...errors import Problem, checked
from ...spatial import is_number
from ._document import TomlDocument
from ._toml_places import KeyPath

_ENDS = ("_rad", "_rad_s")


def looks_like_degrees(angle: float) -> bool:
    """Whether an angle [rad] is a round number of degrees that nobody turns by in radians: 30, -45, 170."""
    return 10.0 <= abs(angle) <= 720.0 and angle % 5.0 == 0.0


@checked
def degree_doubts(document: TomlDocument) -> list[Problem]:
    r"""Return the numbers of a file under keys in radians that look like degrees, with their places.

    >>> document = TomlDocument.parse("[joint]\nupper_rad = 170.0\n", "arm.toml")
    >>> print(*degree_doubts(document))
    arm.toml:2:1: joint.upper_rad: expected radians, found 170; are these degrees? then write upper_deg = 170
    """
    return [
        document.problem(path, "radians", f"{value:g}", f"are these degrees? then write {_in_degrees(path)} = {value:g}")
        for path, value in _angles((), document.data, "")
        if looks_like_degrees(value)
    ]


def _angles(path: KeyPath, data: Any, key: str) -> Iterator[tuple[KeyPath, float]]:
    """Yield the numbers under a key in radians, however deep; `key`: that one, if any."""
    inner: Any = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in inner:
        own = isinstance(step, str) and step.endswith(_ENDS)
        yield from _angles((*path, step), value, str(step) if own else key)
    if key and is_number(data):
        yield path, float(data)


def _in_degrees(path: KeyPath) -> str:
    key = next(step for step in reversed(path) if isinstance(step, str) and step.endswith(_ENDS))
    return key.replace("_rad", "_deg")
