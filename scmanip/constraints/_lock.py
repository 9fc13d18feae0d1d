"""A joint that is held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Flaw, Positive
from ..spatial import Array
from ._constraint import Constraint
from ._quantities import JointName
from ._rows import Rows
from ._seen import Seen, Structure
from ._surroundings import Surroundings

_UNITS = {"slip_Nm": "rad", "slip_N": "m"}


@dataclass(frozen=True, eq=False, repr=False)
class Lock(Constraint):
    """All freedoms of a joint are held where they are found; forces are those on the joint, as tau.

    joint : its name
    slip_Nm, slip_N : the torque or force of any freedom beyond which a brake slips; infinite if not said, an ideal lock
    """

    kind: ClassVar[str] = "lock"

    joint: JointName
    slip_Nm: Positive = np.inf
    slip_N: Positive = np.inf

    @classmethod
    def between(cls, given: Mapping[str, Any]) -> Iterator[Flaw]:
        """Yield the one of two limits that is too many."""
        if all(key in given for key in _UNITS):
            yield Flaw("slip_N", "one of slip_Nm, slip_N", "slip_Nm and slip_N")

    @classmethod
    def mounting(cls, said: Mapping[str, Any], around: Surroundings) -> Iterator[Flaw]:
        """Yield a limit in the unit of another kind of joint."""
        joint = None if all(key in said for key in _UNITS) else said.get("joint")  # one mistake, one problem
        units = around.joints.get(joint, ()) if around.joints is not None and isinstance(joint, str) else ()
        for key, unit in _UNITS.items():
            if key in said and any(other != unit for other in units):
                moves = "turns" if unit == "rad" else "slides"
                yield Flaw(key, f"a joint that only {moves}", f"{joint!r}, whose freedoms are in {', '.join(units)}")

    @property
    def slips(self) -> float:
        """The limit of a brake."""
        return min(self.slip_Nm, self.slip_N)

    def unflown(self, structure: Structure) -> Iterator[Flaw]:
        """Yield the limit of a brake on several freedoms: each would hold or slip alone."""
        for key in _UNITS:
            if np.isfinite(getattr(self, key)) and len(freedoms := self.labels(structure)) > 1:
                yield Flaw(key, "a joint of one freedom, or no limit", f"{self.joint!r}, which has {len(freedoms)}")

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return structure.freedoms(self.joint)

    def units(self, structure: Structure) -> tuple[str, ...]:
        return structure.efforts(self.labels(structure))

    def kept(self, structure: Structure) -> int:
        return structure.coordinate_count(self.joint)

    def found(self, seen: Seen, t: float) -> Array:
        return seen.coordinates(self.joint)

    def rows(self, seen: Seen, kept: Array, t: Any) -> Rows:
        A = seen.rates(self.joint)
        return Rows(A, np.zeros(len(A)), np.zeros(len(A)), seen.difference(self.joint, kept))
