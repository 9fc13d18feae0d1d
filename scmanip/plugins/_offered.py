"""Entry points of installed packages."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ..errors import InvalidInput, Problem


def offered(group: str) -> tuple[str, ...]:
    """Return the names that installed packages offer in a group, such as "scmanip.controllers"; nothing is loaded."""
    return tuple(sorted(_points(group, tuple(sys.path))))


def load(group: str, name: str, key: str) -> Any:
    """Return what an installed package offers under a name; raises `KeyError` where none does.

    Raises `InvalidInput`, its problem called `key`, where several do, or where that one does not load.
    """
    points = _points(group, tuple(sys.path))[name]
    if len(points) > 1:
        expected = f"a name that one installed package has in {group!r}"
        raise InvalidInput(Problem(key, expected, f"{name!r} of {' and '.join(map(_package, points))}"))
    try:
        return points[0].load()
    except Exception as error:
        raise InvalidInput(
            Problem(key, "a plug-in that loads", broken(group, name, f"{type(error).__name__}: {error}"))
        ) from error


def broken(group: str, name: str, why: str) -> str:
    """Return in words what is wrong with something offered, and by whom."""
    (point,) = _points(group, tuple(sys.path))[name]
    return f"{name!r} of {_package(point)}, {point.value}: {why}"


@lru_cache(maxsize=32)
def _points(group: str, path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    """Return the entry points of a group by name; `path`: where Python looks for packages."""
    del path
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=group):
        found.setdefault(point.name, []).append(point)
    return found


def _package(point: EntryPoint) -> str:
    return "an unknown package" if point.dist is None else f"{point.dist.name} {point.dist.version}"
