"""Entry points of installed packages."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ..errors import InvalidInput, Problem


def offered(group: str) -> tuple[str, ...]:
    """Return the names that installed packages offer in a group, such as "scmanip.controllers"; nothing is loaded.

    >>> offered("example.laws")
    ()
    >>> "numpy" in offered("console_scripts")
    False
    """
    return tuple(sorted(_points(group, tuple(sys.path))))


def load(group: str, name: str, key: str) -> Any:
    """Return what an installed package offers under a name; raises `KeyError` where none does.

    Raises `InvalidInput`, its problem called `key`, where several do, or where that one does not load.

    >>> load("example.laws", "swing", "law")
    Traceback (most recent call last):
        ...
    KeyError: 'swing'
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
    """Return in words what is wrong with something offered, and by whom.

    >>> print(broken("console_scripts", "f2py", "no law of motion"))
    'f2py' of numpy ..., numpy.f2py.f2py2e:main: no law of motion
    """
    (point,) = _points(group, tuple(sys.path))[name]
    return f"{name!r} of {_package(point)}, {point.value}: {why}"


@lru_cache(maxsize=32)
def _points(group: str, path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    """Return the entry points of a group by name; `path`: where Python looks for packages."""
    found: dict[str, list[EntryPoint]] = {}
    for point in _installed(path).select(group=group):
        found.setdefault(point.name, []).append(point)
    return found


@lru_cache(maxsize=4)
def _installed(path: tuple[str, ...]) -> Any:
    """Return all entry points, read once for all groups: there are some hundred packages to ask."""
    del path
    return entry_points()


def _package(point: EntryPoint) -> str:
    return "an unknown package" if point.dist is None else f"{point.dist.name} {point.dist.version}"
