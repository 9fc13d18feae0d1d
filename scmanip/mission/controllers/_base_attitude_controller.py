"""`{ type = "base_attitude", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import BaseAttitude, Controller
from ...dynamics import Model
from ...modes import BaseDriven, Floating, ManoeuvreMode
from ..values._fields import NotNegative
from ._base_law import PosedTable
from ._control import WrapperTable


class BaseAttitudeTable(PosedTable, WrapperTable):
    """`{ type = "base_attitude", ... }`: the base is held against all that the law of the joints after it does."""

    type: Literal["base_attitude"]
    K_P: NotNegative = 1.0
    K_D: NotNegative = 2.0
    numbers: ClassVar[tuple[str, ...]] = ("K_P", "K_D", "pose")

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether the mode turns the base and pushes nothing."""
        return isinstance(mode, BaseDriven) and mode.turns and not mode.moves

    def seen(self, mode: ManoeuvreMode, place: int = 0) -> ManoeuvreMode:
        """Floating: the law inside knows joints."""
        del mode
        return Floating()

    def made(self, believed: Model, mode: ManoeuvreMode, *laws: Controller) -> Controller:
        if not laws:
            return self.law(believed, mode)
        return BaseAttitude(laws[0], mode, **self.given(believed.system))
