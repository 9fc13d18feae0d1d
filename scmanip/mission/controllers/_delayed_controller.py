"""`{ type = "delayed", delay_s = ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import Controller, Delayed
from ...dynamics import Model
from ..values._fields import Duration
from ._control import WrapperTable


class DelayedTable(WrapperTable):
    """`{ type = "delayed", delay_s = ... }`: commands of the law after it arrive so much later."""

    type: Literal["delayed"]
    delay_s: Duration
    unseen: ClassVar[tuple[str, ...]] = (*WrapperTable.unseen, "delay_s")

    def around(self, believed: Model, *laws: Controller) -> Delayed:
        """Return the law."""
        return Delayed(laws[0], delay_s=self.delay_s)
