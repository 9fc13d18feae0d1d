"""What all entries of `events` offer."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from ...simulation import Event, Lasting
from ...system import System
from ..values._fields import Duration, Name
from ..values._kinds import Kind
from ._phase_events import STOP

LOG = "log"


class EventTable(Kind):
    """A kind of event: its keys are the fields of the table, and its `type` the only value of that field.

    usually : what follows where the file does not say `then`

    >>> table = EVENTS["joint_limits"](type="joint_limits", name="end stop")
    >>> table.called, EventTable.usually
    ('end stop', 'stop')
    """

    type: str
    name: Name | None = None
    then: Literal["stop", "log"] | None = Field(default=None, description="'stop' or 'log'")
    dwell_s: Duration | None = None
    usually: ClassVar[str] = STOP

    @property
    def called(self) -> str:
        """Its name, its type where it has none."""
        return self.name or self.type

    def own(self, system: System) -> dict[str, Any]:
        """Return the keys of its kind in SI; raises `InvalidInput` with problems called by its keys."""
        del system
        return {}

    def happening(self, resolved: Mapping[str, Any], system: System, *, ends: bool) -> Event:
        """Return the event, which happens once its condition has held for `dwell_s` where that is said."""
        event = self.event(resolved, system, ends=ends)
        return event if self.dwell_s is None else Lasting(event, self.dwell_s)

    @abstractmethod
    def event(self, resolved: Mapping[str, Any], system: System, *, ends: bool) -> Event:
        """Return the event of a resolved table, its `name` what it is `called`; `ends`: whether it ends the run."""

    def resolved(self, system: System, awaited: Collection[str]) -> dict[str, Any]:
        """Return the table in SI with nothing left out, but `then` of events that are `awaited`; raises as `own` does."""
        lasts = {} if self.dwell_s is None else {"dwell_s": self.dwell_s}
        resolved = {"name": self.called, "type": self.type, **self.own(system), **lasts}
        return resolved if self.called in awaited else {**resolved, "then": self.then or self.usually}
