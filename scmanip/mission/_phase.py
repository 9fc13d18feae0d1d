"""One stretch of a mission with one mode, one controller and one reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..control import Controller
from ..guidance import Reference
from ..modes import ManoeuvreMode
from ..system import State


@dataclass(frozen=True, eq=False)
class Phase:
    """A phase, ready to run.

    controller : its law; where that holds the base as the phase finds it, at the origin
    t_end_s : how long it lasts [s]; its own clock, and that of its reference, starts at 0
    controller_where : makes the law of the state in which the phase begins; None where it is the same for all
    """

    name: str
    mode: ManoeuvreMode
    controller: Controller
    reference: Reference
    t_end_s: float
    controller_where: Callable[[State], Controller] | None = None

    def controller_from(self, state: State) -> Controller:
        """Return the law of a phase that begins in `state`."""
        return self.controller if self.controller_where is None else self.controller_where(state)

    def __repr__(self) -> str:
        return f"Phase('{self.name}', {self.mode.name}, t_end_s={self.t_end_s:g})"
