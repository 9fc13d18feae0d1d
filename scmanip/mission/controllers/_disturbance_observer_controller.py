"""`{ type = "disturbance_observer", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import Controller, DisturbanceObserver, is_direct
from ...dynamics import Model
from ...modes import ManoeuvreMode
from ..values._fields import Weights
from ._control import WrapperTable


class DisturbanceObserverTable(WrapperTable):
    """`{ type = "disturbance_observer", ... }`: what pushes is observed, and taken out of the command of the law after it."""

    type: Literal["disturbance_observer"]
    bandwidth_rad_s: Weights
    numbers: ClassVar[tuple[str, ...]] = ("bandwidth_rad_s",)

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether forces act on joints and base as they are commanded."""
        return is_direct(mode)

    def made(self, believed: Model, mode: ManoeuvreMode, *laws: Controller) -> Controller:
        if not laws:
            return self.law(believed, mode)
        return DisturbanceObserver(laws[0], mode, bandwidth_rad_s=self.bandwidth_rad_s)
