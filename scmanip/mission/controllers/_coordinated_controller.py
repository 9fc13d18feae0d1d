"""`controller = { type = "coordinated", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import CoordinatedComputedTorque
from ...modes import FixedBase, ManoeuvreMode
from ..values._fields import Gain
from ._base_law import BaseLawTable
from ._control import LawClass


class CoordinatedTable(BaseLawTable):
    """`controller = { type = "coordinated", ... }`: joints and base together, in any mode of a base that is free."""

    type: Literal["coordinated"]
    makes: ClassVar[LawClass] = CoordinatedComputedTorque
    K_P: Gain = 1.0
    K_D: Gain = 2.0
    feedforward: bool = True

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        return not isinstance(mode, FixedBase)
