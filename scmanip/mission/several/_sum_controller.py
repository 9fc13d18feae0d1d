"""`{ type = "sum" }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import Controller, Sum
from ...dynamics import Model
from ..controllers._control import WrapperTable


class SumTable(WrapperTable):
    """`{ type = "sum" }`: the commands of all laws after it are added."""

    type: Literal["sum"]
    inside: ClassVar[int | None] = None

    def around(self, believed: Model, *laws: Controller) -> Sum:
        return Sum(*laws)
