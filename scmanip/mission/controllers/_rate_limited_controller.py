"""`{ type = "rate_limited", limit = ..., rate_Hz = ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import Controller, RateLimited
from ...dynamics import Model
from ...modes import ManoeuvreMode
from ...plant import Plant
from ..values._fields import Gain, Positive
from ._control import WrapperTable


class RateLimitedTable(WrapperTable):
    """`{ type = "rate_limited", limit = ..., rate_Hz = ... }`: no entry of a command changes faster [N m/s, N/s]."""

    type: Literal["rate_limited"]
    limit: Gain
    rate_Hz: Positive
    numbers: ClassVar[tuple[str, ...]] = ("limit",)
    unseen: ClassVar[tuple[str, ...]] = (*WrapperTable.unseen, "limit")

    def made(self, believed: Model, mode: ManoeuvreMode, *laws: Controller) -> Controller:
        if not laws:
            return self.law(believed, mode)
        return RateLimited(laws[0], plant=Plant(mode.equipped(believed), mode), **self.gains(believed.system))
