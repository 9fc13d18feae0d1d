"""`{ type = "delayed", delay_s = ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import Delayed
from ..values._fields import Duration
from ._control import LawClass, WrapperTable


class DelayedTable(WrapperTable):
    """`{ type = "delayed", delay_s = ... }`: commands of the law after it arrive so much later."""

    type: Literal["delayed"]
    makes: ClassVar[LawClass] = Delayed
    delay_s: Duration
    unseen: ClassVar[tuple[str, ...]] = (*WrapperTable.unseen, "delay_s")
