"""`{ type = "integral", K_I = ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import Controller, Integral
from ...dynamics import Model
from ...guidance import JointReference
from ...modes import ManoeuvreMode
from ...plant import Plant
from ..values._fields import Gain
from ..values._kinds import SampleKind
from ._control import WrapperTable


class IntegralTable(WrapperTable):
    """`{ type = "integral", K_I = ... }`: beside the law of the joints after it the integrals of their errors act."""

    type: Literal["integral"]
    K_I: Gain
    unwinding_1_s: Gain = 1.0
    follows: ClassVar[tuple[SampleKind, ...]] = (JointReference,)
    numbers: ClassVar[tuple[str, ...]] = ("K_I", "unwinding_1_s")
    unseen: ClassVar[tuple[str, ...]] = (*WrapperTable.unseen, "K_I", "unwinding_1_s")

    def made(self, believed: Model, mode: ManoeuvreMode, *laws: Controller) -> Controller:
        """Return the law."""
        if not laws:
            return self.law(believed, mode)
        return Integral(laws[0], plant=Plant(mode.equipped(believed), mode), **self.gains(believed.system))
