"""What turns, what slides and what is part of a quaternion do not share an axis of a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...simulation import History
from ...system import Coordinate, Freedom, System


@dataclass(frozen=True)
class EntryKind:
    """The coordinates or freedoms of one unit, "rad", "m" or "1": their names and their places in q or qdot."""

    unit: str
    names: tuple[str, ...]
    places: tuple[int, ...]


def coordinate_kinds(history: History) -> list[EntryKind]:
    """Return the kinds of entries of q that the system has: angles, lengths, and quaternions of spherical joints."""
    return _kinds(history.system.coordinates)


def freedom_kinds(history: History) -> list[EntryKind]:
    """Return the kinds of entries of qdot and tau that the system has, those that turn first."""
    return _kinds(history.system.freedoms)


def by_freedom(system: System, limits: Mapping[str, float]) -> dict[str, float]:
    """Return the limits of freedoms; what is said of a freedom goes before what is said of its joint."""
    joints = {freedom.name: limits[freedom.joint] for freedom in system.freedoms if freedom.joint in limits}
    return {**joints, **limits}


def _kinds(entries: Sequence[Coordinate | Freedom]) -> list[EntryKind]:
    kinds = []
    for unit in ("rad", "m", "1"):
        places = tuple(i for i, entry in enumerate(entries) if entry.unit == unit)
        if places:
            kinds.append(EntryKind(unit, tuple(entries[i].name for i in places), places))
    return kinds
