"""`{ type = "filtered", bandwidth_rad_s = ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import Controller, Filtered
from ...dynamics import Model
from ...modes import ManoeuvreMode
from ...plant import Plant
from ..values._fields import Positive
from ._control import WrapperTable

NUMBERS = "bandwidth_rad_s", "damping", "notch_rad_s", "notch_width"


class FilteredTable(WrapperTable):
    """`{ type = "filtered", bandwidth_rad_s = ... }`: commands of the law after it go through a low pass, and a notch."""

    type: Literal["filtered"]
    bandwidth_rad_s: Positive
    damping: Positive | None = None
    notch_rad_s: Positive | None = None
    notch_width: Positive = 0.5
    numbers: ClassVar[tuple[str, ...]] = NUMBERS
    unseen: ClassVar[tuple[str, ...]] = (*WrapperTable.unseen, *NUMBERS)

    def made(self, believed: Model, mode: ManoeuvreMode, *laws: Controller) -> Controller:
        if not laws:
            return self.law(believed, mode)
        own = {key: getattr(self, key) for key in NUMBERS}
        return Filtered(laws[0], plant=Plant(mode.equipped(believed), mode), **own)
