"""`{ type = "saturated", limit = ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import Controller, Saturated
from ...dynamics import Model
from ..values._fields import Gain
from ._control import WrapperTable


class SaturatedTable(WrapperTable):
    """`{ type = "saturated", limit = ... }`: every entry of the command of the law after it is cut [N m, N]."""

    type: Literal["saturated"]
    limit: Gain
    numbers: ClassVar[tuple[str, ...]] = ("limit",)
    unseen: ClassVar[tuple[str, ...]] = (*WrapperTable.unseen, "limit")

    def around(self, believed: Model, *laws: Controller) -> Saturated:
        """Return the law."""
        return Saturated(laws[0], **self.gains(believed.system))
