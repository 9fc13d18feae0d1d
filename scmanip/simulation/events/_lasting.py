"""An event that happens once a condition has held for some time."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...dynamics import Batch, Model
from ...errors import expect, refuse
from ...spatial import Array
from ...system import State
from ._event import Event, Force
from ._numbers import event_problems, number_problems


@dataclass(frozen=True)
class Lasting(Event):
    """A number of another event has been positive for `dwell_s` without a break, in a run from its start on at the earliest.

    event : gives it its name, and says whether it ends the run
    dwell_s : > 0 [s]

    Raises `InvalidInput` for what is no event, and a `dwell_s` that is not finite and > 0.

    >>> fast = When("joint1 turns fast", lambda t, state: state.qdot[0] - 0.05)
    >>> start = scmanip.State.at_rest(system, q=[0.0] * 4)
    >>> run = simulate(plant, law, start, reference=reference, t_end_s=2.0, events=[Lasting(fast, 0.5)])
    >>> run.outcome.name, round(float(run.t[-1]), 3)
    ('EVENT', 1.528)
    """

    event: Event
    dwell_s: float
    ends: bool = field(init=False)
    name: str = field(init=False)

    def __post_init__(self) -> None:
        expect("Lasting event", self.event, Event, "an event such as Approach(...)")
        refuse(event_problems(self.event) + number_problems({"Lasting dwell_s": self.dwell_s}, {}))
        vars(self).update(ends=self.event.ends, name=self.event.called)

    @property
    def lasts(self) -> float:
        """The dwell time [s]."""
        return self.dwell_s

    def names(self, model: Model) -> tuple[str, ...]:
        """Return the phrases of the event, with the time."""
        return tuple(f"{phrase}, and that for {self.dwell_s:g} s" for phrase in self.event.names(model))

    def values(self, model: Model, t: float, state: State, tau: Force) -> Array:
        """Return the numbers of the event."""
        return self.event.values(model, t, state, tau)

    def of_many(self, batch: Batch, t: Array, states: State) -> Array | None:
        """Return those of the event in n states (n, k)."""
        return self.event.of_many(batch, t, states)
