"""`{ type = "meeting", ... }`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from ...errors import refuse
from ...shapes import pair_of
from ...simulation import Meeting
from ...system import System
from ..values._fields import Name
from ..values._shape_names import unknown_shapes
from ._event_table import EventTable


class MeetingEventTable(EventTable):
    """`{ type = "meeting", shapes = [...] }`: two shapes of the system touch."""

    type: Literal["meeting"]
    shapes: Annotated[list[Name], Field(min_length=2, max_length=2, description="the names of two shapes")]

    def own(self, system: System) -> dict[str, Any]:
        """Return the shapes; raises `InvalidInput` for some that are none, or that have no distance."""
        refuse(unknown_shapes("shapes", self.shapes, system))
        pair_of(*map(system.shape, self.shapes))
        return {"shapes": list(self.shapes)}

    def event(self, resolved: Mapping[str, Any], system: System, *, ends: bool) -> Meeting:
        one, other = self.shapes
        return Meeting(one, other, ends=ends, name=self.called)
