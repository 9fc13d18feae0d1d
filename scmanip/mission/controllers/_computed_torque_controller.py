"""`controller = { type = "computed_torque", ... }`."""

from __future__ import annotations

from typing import Literal

from ...control import ComputedTorque, Controller, WithFeedforward
from ...dynamics import Model
from ...modes import BaseDriven, ManoeuvreMode
from ..values._fields import Gain
from ._base_law import BaseLawTable


class ComputedTorqueTable(BaseLawTable):
    """`controller = { type = "computed_torque", ... }`, in any mode; `estimate` names the system it believes in."""

    type: Literal["computed_torque"]
    K_P: Gain = 1.0
    K_D: Gain = 1.0
    feedforward: bool = False

    def law(self, believed: Model, mode: ManoeuvreMode) -> Controller:
        """Return the law of the joints, with the base where the mode drives that."""
        gains = self.gains(believed.system)
        if isinstance(mode, BaseDriven):
            return self.driving(believed, mode, **gains, feedforward=self.feedforward)
        law = ComputedTorque(believed, **gains)
        return WithFeedforward(law) if self.feedforward else law
