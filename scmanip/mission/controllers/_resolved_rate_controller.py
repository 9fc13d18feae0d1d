"""`controller = { type = "resolved_rate", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import ComputedTorque, ResolvedRate, WithFeedforward
from ...dynamics import Model
from ...guidance import PoseReference
from ...modes import BaseDriven, ManoeuvreMode
from ..values._fields import Gain, NotNegative, Positive
from ..values._kinds import SampleKind
from ._base_law import BaseLawTable
from ._control import ControllerTable


class ResolvedRateTable(BaseLawTable):
    """`controller = { type = "resolved_rate", ... }`: leads the frame of a `reach`, in any mode."""

    type: Literal["resolved_rate"]
    K: NotNegative = 0.5
    sigma_0: Positive = 0.05
    K_D: Gain = 2.0
    follows: ClassVar[tuple[SampleKind, ...]] = (PoseReference,)
    numbers: ClassVar[tuple[str, ...]] = ("K", "sigma_0", *BaseLawTable.numbers)
    unseen: ClassVar[tuple[str, ...]] = (*ControllerTable.unseen, "sigma_0")

    def law(self, believed: Model, mode: ManoeuvreMode) -> ResolvedRate:
        """Return the law, which leaves it to another one to give the joints their rates and to hold the base."""
        gains = {"K_P": 0.0, **self.gains(believed.system)}
        if isinstance(mode, BaseDriven):
            return ResolvedRate(self.driving(believed, mode, **gains), K=self.K, sigma_0=self.sigma_0)
        return ResolvedRate(WithFeedforward(ComputedTorque(believed, **gains)), K=self.K, sigma_0=self.sigma_0)
