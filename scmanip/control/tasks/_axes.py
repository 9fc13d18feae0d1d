"""Which parts of a twist count: three of the velocity and three of the angular velocity, in N."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import InvalidInput, Problem
from ...guidance import PoseReference

AXES = ("x", "y", "z", "rx", "ry", "rz")


def axes_problems(key: str, given: Any, known: Sequence[str]) -> list[Problem]:
    """Return what keeps `given` from being None or different ones of the known names."""
    if given is None:
        return []
    fits = isinstance(given, list | tuple) and given and all(name in known for name in given) and len({*given}) == len(given)
    return [] if fits else [Problem(key, f"different ones of {', '.join(known)}", repr(given))]


def places_of(given: Sequence[str] | None, known: Sequence[str]) -> list[int]:
    """Return the places of names among those known, ascending; all where none are given."""
    return [k for k, name in enumerate(known) if given is None or name in given]


def counted(axes: Sequence[str] | None, pose: PoseReference) -> list[int]:
    """Return which of the entries of a twist count; raises `InvalidInput` for those of an attitude that the reference lacks."""
    known = AXES if pose.attitude_xyzw is not None else AXES[:3]
    if axes is not None and not {*axes} <= {*known}:
        expected = f"an attitude, of which {', '.join(axes)} count"
        raise InvalidInput(Problem("reference", expected, f"a place of '{pose.frame}' alone"))
    return places_of(axes, known)
