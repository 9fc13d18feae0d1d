"""Joints that turn and joints that slide do not share an axis of a figure."""

from __future__ import annotations

from dataclasses import dataclass

from ..simulation import History


@dataclass(frozen=True)
class JointKind:
    """The joints of one unit, "rad" or "m": their names and their places in q and qdot."""

    unit: str
    names: tuple[str, ...]
    places: tuple[int, ...]


def joint_kinds(history: History) -> list[JointKind]:
    """Return the kinds of joint that the system has, those that turn first."""
    joints = history.system.joints
    kinds = []
    for unit in ("rad", "m"):
        places = tuple(i for i, joint in enumerate(joints) if joint.type.unit == unit)
        if places:
            kinds.append(JointKind(unit, tuple(joints[i].name for i in places), places))
    return kinds
