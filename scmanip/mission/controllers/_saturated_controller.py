"""`{ type = "saturated", limit = ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import Saturated
from ..values._fields import Gain
from ._control import LawClass, WrapperTable


class SaturatedTable(WrapperTable):
    """`{ type = "saturated", limit = ... }`: every entry of the command of the law after it is cut [N m, N]."""

    type: Literal["saturated"]
    makes: ClassVar[LawClass] = Saturated
    limit: Gain
    numbers: ClassVar[tuple[str, ...]] = ("limit",)
    unseen: ClassVar[tuple[str, ...]] = (*WrapperTable.unseen, "limit")
