"""One stretch of a mission with one mode, one controller and one reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..control import Controller
from ..guidance import JointReference, Reference
from ..modes import ManoeuvreMode
from ..simulation import Coordinates, History
from ..spatial import Array
from ..system import State
from ._phase_events import PhaseEvents


@dataclass(frozen=True, eq=False)
class Phase:
    """A phase, ready to run.

    controller : its law; where that holds the base as the phase finds it, at the origin
    reference : what it follows if all phases before go as planned
    t_end_s : how long it lasts, at most where an event ends it [s]; its own clock, and that of its reference, starts at 0
    controller_where : makes the law of the state in which the phase begins; None where it is the same for all
    q_home : (n_q,) where the plan has the joints when it begins
    reference_where : makes the reference of the state in which the phase begins, and of where (n_q,) the reference of the
        phase before left the joints then; None where it is the same for all
    events : what is looked for
    coordinates : what is integrated; None leaves it to `simulate`
    """

    name: str
    mode: ManoeuvreMode
    controller: Controller
    reference: Reference
    t_end_s: float
    controller_where: Callable[[State], Controller] | None = None
    q_home: Array | None = None
    reference_where: Callable[[State, Array], Reference] | None = None
    events: PhaseEvents = PhaseEvents()  # noqa: RUF009 - frozen
    coordinates: Coordinates | None = None

    def controller_from(self, state: State) -> Controller:
        """Return the law of a phase that begins in `state`."""
        return self.controller if self.controller_where is None else self.controller_where(state)

    def begun(self, state: State, q_home: Array) -> Phase:
        """Return the phase as it is flown from `state` on.

        q_home : (n_q,) where the reference before it left the joints
        """
        law, reference = self.controller_from(state), self.reference
        planned = (
            isinstance(reference.at(0.0), JointReference) and self.q_home is not None and np.array_equal(q_home, self.q_home)
        )
        if self.reference_where is not None and not planned:
            reference = self.reference_where(state, q_home)
        return replace(self, controller=law, controller_where=None, reference=reference, reference_where=None, q_home=q_home)

    def left(self, t: float, state: State) -> Array:
        """Return (n_q,) where the reference has the joints at `t` [s]; of one that leads a frame, where they are in `state`."""
        sample = self.reference.at(t)
        return sample.q if isinstance(sample, JointReference) else state.q

    def __repr__(self) -> str:
        return f"Phase('{self.name}', {self.mode.name}, t_end_s={self.t_end_s:g})"


@dataclass(frozen=True, eq=False)
class FlownPhase:
    """A phase with the law and the reference that it was flown with.

    history : what happened, on the phase's own clock
    start_s : when it began, in mission time [s]
    ended_by : the event with which it ended as it should; empty where its time was up, or the run ended
    """

    phase: Phase
    history: History
    start_s: float
    ended_by: str = ""
