"""What all entries of `events` offer."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from ...simulation import Event
from ...system import System
from ..values._fields import Name
from ..values._kinds import Kind
from ._phase_events import STOP

LOG = "log"


class EventTable(Kind):
    """A kind of event: its keys are the fields of the table, and its `type` the only value of that field.

    usually : what follows where the file does not say `then`
    """

    type: str
    name: Name | None = None
    then: Literal["stop", "log"] | None = Field(default=None, description="'stop' or 'log'")
    usually: ClassVar[str] = STOP

    @property
    def called(self) -> str:
        """Its name, its type where it has none."""
        return self.name or self.type

    def own(self, system: System) -> dict[str, Any]:
        """Return the keys of its kind in SI; raises `InvalidInput` with problems called by its keys."""
        del system
        return {}

    @abstractmethod
    def event(self, resolved: Mapping[str, Any], system: System, *, ends: bool) -> Event:
        """Return the event of a resolved table, its `name` what it is `called`; `ends`: whether it ends the run."""

    def resolved(self, system: System, awaited: Collection[str]) -> dict[str, Any]:
        """Return the table in SI with nothing left out, but `then` of events that are `awaited`; raises as `own` does."""
        resolved = {"name": self.called, "type": self.type, **self.own(system)}
        return resolved if self.called in awaited else {**resolved, "then": self.then or self.usually}
