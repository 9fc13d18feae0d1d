"""`guidance = { type = "python", part = ... }`."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ...dynamics import Model
from ...errors import InvalidInput, Problem
from ...guidance import JointReference, PoseReference, ReferenceMotion
from ...spatial import Array
from ...system import State, System
from ..values._kinds import SampleKind
from ..values._own_part import OwnObject, OwnSettings
from ..values._own_settings import changed
from ._guidance import GuidanceTable


class PythonGuidanceTable(GuidanceTable):
    """`guidance = { type = "python", part = ... }`: an object of Python as the reference; a file has its name.

    own : attributes that a copy of it has otherwise
    """

    type: Literal["python"]
    part: OwnObject
    own: OwnSettings = None

    @property
    def made(self) -> ReferenceMotion:
        """The object, or the copy with `own`."""
        made: ReferenceMotion = changed(self.part.made, self.own or {})
        return made

    @property
    def samples(self) -> SampleKind:
        return type(self.made.at(0.0))

    @property
    def turns(self) -> bool:
        """Whether the frame that it leads has an attitude to follow."""
        sample = self.made.at(0.0)
        return isinstance(sample, PoseReference) and sample.attitude_xyzw is not None

    def resolved(self, system: System) -> dict[str, Any]:
        """Return the table with what the object is called in the place of the object; raises `InvalidInput`."""
        sample = self.made.at(0.0)
        if isinstance(sample, JointReference) and np.shape(sample.q) != (len(system.layout.q_names),):
            expected = f"q of {', '.join(system.layout.q_names)}"
            raise InvalidInput(Problem("part", expected, f"q of shape {np.shape(sample.q)} of {self.part.label}"))
        return {"type": self.type, "part": self.part.label, **({} if self.own is None else {"own": self.own})}

    def motion(
        self, resolved: dict[str, Any], system: System, q_home: Array, model: Model | None, state: State | None
    ) -> ReferenceMotion:
        """Return the object, which starts where it starts."""
        return self.made
