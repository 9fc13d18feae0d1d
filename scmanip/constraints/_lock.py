"""A joint that is held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Flaw, Positive
from ..errors import checked
from ..spatial import Array
from ._constraint import Constraint
from ._quantities import JointName
from ._rows import Rows
from ._seen import SeenSystem, Structure
from ._surroundings import Surroundings

_UNITS = {"slip_Nm": "rad", "slip_N": "m"}


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Lock(Constraint):
    """All freedoms of a joint are held where they are found; forces are those on the joint, as tau.

    By definition rows of [Gillespie2003] eq. 3.

    joint : its name
    slip_Nm, slip_N : the torque of any freedom that turns, the force of any that slides, beyond which the brake of this freedom
        slips; infinite if not said, an ideal lock

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> brake = Lock("brake", joint="joint1", slip_Nm=30.0)
    >>> Lock("brake", joint="joint1", slip_Nm=-30.0)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidSystem: constraint 'brake' slip_Nm: expected a finite number > 0, found -30
    """

    kind: ClassVar[str] = "lock"

    joint: JointName
    slip_Nm: Positive = np.inf
    slip_N: Positive = np.inf

    @classmethod
    def mounting(cls, said: Mapping[str, Any], around: Surroundings) -> Iterator[Flaw]:
        """Yield a limit of what the joint has no freedom for."""
        joint = said.get("joint")
        units = around.joints.get(joint, ()) if around.joints is not None and isinstance(joint, str) else ()
        for key, unit in _UNITS.items():
            if key in said and units and unit not in units:
                moves = "turns" if unit == "rad" else "slides"
                yield Flaw(key, f"a joint that {moves}", f"{joint!r}, whose freedoms are in {', '.join(dict.fromkeys(units))}")

    def slips(self, structure: Structure) -> tuple[float, ...]:
        limits = {unit: getattr(self, key) for key, unit in _UNITS.items()}
        return tuple(limits[unit] for unit in structure.units(self.joint))

    def apart(self, structure: Structure) -> bool:
        """Turns about several axes at once have no place of their own each."""
        return structure.coordinate_count(self.joint) == len(self.labels(structure))

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return structure.freedoms(self.joint)

    def units(self, structure: Structure) -> tuple[str, ...]:
        return structure.efforts(self.labels(structure))

    def kept(self, structure: Structure) -> int:
        return structure.coordinate_count(self.joint)

    def found(self, seen: SeenSystem, t: float) -> Array:
        return seen.coordinates(self.joint)

    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        A = seen.rates(self.joint)
        return Rows(A, np.zeros(len(A)), np.zeros(len(A)), seen.difference(self.joint, kept))
