"""What every `[[load]]` offers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from ...loads import Load
from ...system import System
from ..values._fields import Name
from ..values._kinds import Kind


class LoadTable(Kind):
    """A kind of load: its keys are the fields of the table, and its `type` the only value of that field.

    name : what studies call it, its type where it has none

    >>> issubclass(LOADS["bushing"], LoadTable), LoadTable.model_fields["name"].is_required()
    (True, False)
    """

    type: str
    name: Name | None = None

    @property
    def called(self) -> str:
        """Its name, its type where it has none."""
        return self.name or self.type

    def resolved(self) -> dict[str, Any]:
        """Return the table in SI with nothing left out but what may be; raises `InvalidInput`, problems called by its keys."""
        return self.model_dump(exclude_none=True)

    @abstractmethod
    def load(self, resolved: Mapping[str, Any], system: System) -> Load:
        """Return the load of a resolved table; raises `InvalidInput`."""
