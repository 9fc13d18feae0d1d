"""`controller = { type = "coordinated", ... }`."""

from __future__ import annotations

from typing import Literal

from ...control import CoordinatedComputedTorque
from ...dynamics import Model
from ...modes import FixedBase, ManoeuvreMode
from ..values._fields import Gain
from ._base_law import BaseLawTable


class CoordinatedTable(BaseLawTable):
    """`controller = { type = "coordinated", ... }`: joints and base together, in any mode of a base that is free."""

    type: Literal["coordinated"]
    K_P: Gain = 1.0
    K_D: Gain = 2.0
    feedforward: bool = True

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether the base is free."""
        return not isinstance(mode, FixedBase)

    def law(self, believed: Model, mode: ManoeuvreMode) -> CoordinatedComputedTorque:
        """Return the law."""
        return self.driving(believed, mode, **self.gains(believed.system), feedforward=self.feedforward)
