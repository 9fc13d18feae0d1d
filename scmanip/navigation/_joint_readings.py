"""Which joints sensors look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..dynamics import Model
from ..errors import ModeMismatch, UnknownName
from ..system import System


class Single(NamedTuple):
    """A freedom with one coordinate: its name and unit, and where it is in q and in qdot."""

    name: str
    unit: str
    q: int
    qdot: int


def singles(system: System, joints: Sequence[str] | None) -> list[Single]:
    """Return the freedoms of joints that have one coordinate each, of all that the base carries if none are named."""
    layout, freedoms = system.layout, system.freedoms
    found = [Single(freedoms[j].name, freedoms[j].unit, i, j) for i, j in layout.single() if j < layout.N_tree]
    return [one for one in found if joints is None or freedoms[one.qdot].joint in joints]


def check_joints(model: Model, joints: Sequence[str] | None, label: str) -> None:
    """Raise `UnknownName` for a joint that is none, `ModeMismatch` where there is nothing to look at."""
    system = model.system
    for name in joints or ():
        if name not in system.layout.joint_names:
            raise UnknownName("joint", name, f"system {system.name!r}", system.layout.joint_names)
        if not singles(system, [name]):
            raise ModeMismatch(f"{label} cannot look at joint {name!r}, which has no coordinate that is one number")
    if not singles(system, joints):
        raise ModeMismatch(f"{label} has no joint to look at in system {system.name!r}")
