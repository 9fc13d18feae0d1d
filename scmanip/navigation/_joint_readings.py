"""Sensors that look at joints, and at which ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ..dynamics import Model
from ..errors import ModeMismatch, UnknownName
from ..system import System
from ._sensor import Sensor


class Single(NamedTuple):
    """A freedom with one coordinate: its name and unit, and where it is in q and in qdot."""

    name: str
    unit: str
    q: int
    qdot: int


_SINGLES: WeakKeyDictionary[System, dict[tuple[str, ...] | None, tuple[Single, ...]]] = WeakKeyDictionary()


def singles(system: System, joints: Sequence[str] | None) -> tuple[Single, ...]:
    """Return the freedoms of joints that have one coordinate each, of all that the base carries if none are named."""
    kept, key = _SINGLES.setdefault(system, {}), None if joints is None else tuple(joints)
    if key not in kept:
        layout, freedoms = system.layout, system.freedoms
        found = [Single(freedoms[j].name, freedoms[j].unit, i, j) for i, j in layout.single() if j < layout.N_tree]
        kept[key] = tuple([one for one in found if key is None or freedoms[one.qdot].joint in key])
    return kept[key]


class JointSensor(Sensor):
    """Looks at `joints` by their names; at all that the base carries whose coordinates are one number each if None."""

    joints: Sequence[str] | None

    def check(self, model: Model) -> None:
        system = model.system
        for name in self.joints or ():
            if name not in system.layout.joint_names:
                raise UnknownName("joint", name, f"system {system.name!r}", system.layout.joint_names)
            if not singles(system, [name]):
                raise ModeMismatch(f"{self.label} cannot look at joint {name!r}, which has no coordinate that is one number")
        if not self.seen(system):
            raise ModeMismatch(f"{self.label} has no joint to look at in system {system.name!r}")

    def seen(self, system: System) -> tuple[Single, ...]:
        """Return the freedoms at which it looks."""
        return singles(system, self.joints)

    def draws(self, system: System) -> int:
        return len(self.seen(system))
