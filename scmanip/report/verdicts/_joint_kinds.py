"""What turns, what slides and what is part of a quaternion do not share an axis of a figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...simulation import History
from ...system import Coordinate, Freedom, Joint, System


@dataclass(frozen=True)
class UnitEntries:
    """The coordinates or freedoms of one unit, "rad", "m" or "1": their names and their places in q or qdot."""

    unit: str
    names: tuple[str, ...]
    places: tuple[int, ...]


def coordinate_kinds(history: History) -> list[UnitEntries]:
    """Return the kinds of entries of q that joints have: angles, lengths, and quaternions of spherical joints."""
    return _kinds(entry for joint in history.system.joints for entry in _held(joint, joint.coordinates))


def freedom_kinds(history: History) -> list[UnitEntries]:
    """Return the kinds of entries of qdot and tau that joints have, those that turn first."""
    return _kinds(entry for joint in history.system.joints for entry in _held(joint, joint.freedoms))


def by_freedom(system: System, limits: Mapping[str, float]) -> dict[str, float]:
    """Return the limits of freedoms; what is said of a freedom goes before what is said of its joint."""
    joints = {freedom.name: limits[freedom.joint] for freedom in system.freedoms if freedom.joint in limits}
    return {**joints, **limits}


def _held(joint: Joint, entries: Iterable[Coordinate | Freedom]) -> list[Coordinate | Freedom | None]:
    """Return the entries of a joint, None in place of those of a free body."""
    return [None if joint.kind.grounded else entry for entry in entries]


def _kinds(entries: Iterable[Coordinate | Freedom | None]) -> list[UnitEntries]:
    kinds, given = [], [(i, entry) for i, entry in enumerate(entries) if entry is not None]
    for unit in ("rad", "m", "1"):
        own = [(i, entry.name) for i, entry in given if entry.unit == unit]
        if own:
            kinds.append(UnitEntries(unit, tuple(name for _, name in own), tuple(i for i, _ in own)))
    return kinds
