"""One stretch of a mission with one mode, one controller and one reference."""

from __future__ import annotations

from dataclasses import dataclass

from ..control import Controller
from ..guidance import Reference
from ..modes import ManoeuvreMode


@dataclass(frozen=True, eq=False)
class Phase:
    """A phase, ready to run.

    t_end_s : how long it lasts [s]; its own clock, and that of its reference, starts at 0
    """

    name: str
    mode: ManoeuvreMode
    controller: Controller
    reference: Reference
    t_end_s: float

    def __repr__(self) -> str:
        return f"Phase('{self.name}', {self.mode.name}, t_end_s={self.t_end_s:g})"
