"""`controller = { type = "python", part = ... }`."""

from __future__ import annotations

from typing import Any, Literal

from ...control import Controller
from ...dynamics import Model
from ...errors import InvalidInput, Problem
from ...modes import ManoeuvreMode
from ..values._kinds import SampleKind
from ..values._own_part import OwnObject, OwnSettings
from ..values._own_settings import changed
from ._control import ControllerTable


class PythonControllerTable(ControllerTable):
    """`controller = { type = "python", part = ... }`: an object of Python as the law; a file has its name.

    own : attributes that a copy of it has otherwise, such as `own = { K = 5.0 }`
    """

    type: Literal["python"]
    part: OwnObject
    own: OwnSettings = None

    @property
    def leads(self) -> tuple[SampleKind, ...]:
        found: tuple[SampleKind, ...] = self.part.made.follows
        return found

    def resolved(self) -> dict[str, Any]:
        """Return the table with what the object is called in the place of the object."""
        return {**super().resolved(), "part": self.part.label}

    def law(self, believed: Model, mode: ManoeuvreMode) -> Controller:
        """Return the object, which believes in what it was made with unless the table names an estimate."""
        own: Controller = changed(self.part.made, self.own or {})
        if self.estimate is None:
            return own
        if own.believed is None:
            raise InvalidInput(Problem("estimate", "a law that believes in a system", self.part.label))
        return own.believing(believed)
