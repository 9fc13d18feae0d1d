"""Paths with wildcards: which ones they have found, and which finds belong together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..errors import InvalidInput, Problem
from ._dispersions import Correlated

_COMPONENT = re.compile(r"(?P<path>.*?)(?P<component>\[\d+\])?")


def has_wildcard(path: str) -> bool:
    """Whether a path stands for several."""
    return "*" in path or "?" in path


def copies(group: Correlated, found: Mapping[str, Sequence[str]]) -> list[Correlated]:
    """Return a group once per match of its wildcards: what the wildcards stand for is the same throughout a copy.

    found : paths by pattern, of all dispersions
    Raises `InvalidInput` where the members of a group do not go together.
    """
    members = [_COMPONENT.fullmatch(path) for path in group.paths]
    parts = [(member["path"], member["component"] or "") for member in members if member]
    if any(not found.get(path, True) for path, _ in parts):
        return []  # a path that is nothing is reported where it stands
    if not any(has_wildcard(path) for path, _ in parts):
        names = [found.get(path, (path,))[0] + component for path, component in parts]  # a path may have another name
        return [Correlated(tuple(names), group.matrix)]
    if not all(has_wildcard(path) for path, _ in parts):
        raise _refusal("wildcards in all paths or in none", group)
    if any(path not in found for path, _ in parts):
        raise _refusal("the paths of dispersions, letter by letter", group)
    stands = [{_stand_in(path, match): match for match in found[path]} for path, _ in parts]
    if any(other.keys() != stands[0].keys() for other in stands):
        raise _refusal("wildcards that stand for the same names", group)
    return [
        Correlated(tuple(its[key] + component for its, (_, component) in zip(stands, parts, strict=True)), group.matrix)
        for key in stands[0]
    ]


def _stand_in(pattern: str, path: str) -> tuple[str, ...]:
    """Return what the wildcards of a pattern stand for in a path."""
    form = re.escape(pattern).replace(r"\*", "(.*)").replace(r"\?", "(.)")
    match = re.fullmatch(form, path)
    return match.groups() if match else (path,)


def _refusal(expected: str, group: Correlated) -> InvalidInput:
    return InvalidInput(Problem("paths", expected, str(list(group.paths))))
