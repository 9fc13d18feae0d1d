"""What a plant is made of, as a user gives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..dynamics import Model
from ..errors import Problem
from ..loads import Load
from ..modes import ManoeuvreMode


class PlantParts(NamedTuple):
    """A model, a mode and loads that nobody has looked at yet; `called` is what the loads were given as."""

    model: Any
    mode: Any
    loads: Any = ()
    called: str = "loads"

    @property
    def problems(self) -> list[Problem]:
        """A problem for every part of the wrong kind; the most common is a class instead of an object."""
        found = []
        if not isinstance(self.model, Model):
            found.append(Problem("model", "a Model, made by compile_model(system)", repr(self.model)))
        if not isinstance(self.mode, ManoeuvreMode):
            found.append(Problem("mode", "a mode object such as Floating()", repr(self.mode)))
        if not isinstance(self.loads, Sequence):
            return [*found, Problem(self.called, "a sequence of loads such as [Gravity(orbit)]", repr(self.loads))]
        expected = "a load such as Gravity(Orbit.circular(altitude_m=500e3))"
        return found + [Problem(self.called, expected, repr(load)) for load in self.loads if not isinstance(load, Load)]
