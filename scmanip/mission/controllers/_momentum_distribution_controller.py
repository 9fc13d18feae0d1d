"""`controller = { type = "momentum_distribution", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import MomentumDistribution
from ...modes import BaseDriven, ManoeuvreMode
from ..values._fields import Gain, Weights
from ._control import ControllerTable, LawClass


class MomentumDistributionTable(ControllerTable):
    """`controller = { type = "momentum_distribution", ... }`: a tumbling stack comes to rest, in modes that drive the base."""

    type: Literal["momentum_distribution"]
    makes: ClassVar[LawClass] = MomentumDistribution
    K: Weights = 0.1
    K_P: Gain = 1.0
    K_D: Gain = 2.0
    numbers: ClassVar[tuple[str, ...]] = ("K", "K_P", "K_D")

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether the mode drives the base."""
        return isinstance(mode, BaseDriven)
