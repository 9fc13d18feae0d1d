"""A sum of speeds that is prescribed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import checked
from ..spatial import Array
from ._constraint import Constraint
from ._quantities import Number, SpeedRow
from ._rows import Rows
from ._seen import SeenSystem, Structure


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Speed(Constraint):
    """The sum of factors times speeds of u has a value. The force is that of a speed along which the row is measured.

    By definition a row of [Gillespie2003] eq. 3.

    row : factor by name of the speed, such as "v_0.x" or that of a freedom
    value : [m/s, rad/s]

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> spin = Speed("spin", row={"omega_0.z": 1.0}, value=0.05)
    >>> spin.drives, spin.labels(None)
    (True, ('value',))
    """

    kind: ClassVar[str] = "speed"
    holonomic: ClassVar[bool] = False

    row: SpeedRow
    value: Number = 0.0

    @property
    def drives(self) -> bool:
        return self.value != 0

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return ("value",)

    def units(self, structure: Structure) -> tuple[str, ...]:
        return (" or ".join(sorted({*structure.efforts(self.row)})),)

    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        A = np.array([[self.row.get(name, 0.0) for name in seen.speeds]])
        return Rows(A, np.array([-self.value]), np.zeros(1))
