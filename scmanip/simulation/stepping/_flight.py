"""Loops that follow one another: a run in which somebody outside switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...control import Controller
from ...errors import InvalidInput, Problem, checked
from ...guidance import ReferenceMotion
from ...loads import Load
from ...plant import Change, Plant
from ..events._outcome import Ending
from ..events._switched import Switched
from ..record._history import History
from ..record._joined import HistoryPiece, bound, joined
from ..switching._course import gained
from ._stepping import Stepping, stepping


@checked
class Flight:
    """A run that goes on step by step and is switched in between, on one clock.

    loop : what goes on now; start_s : when its clock was set to 0 [s]

    >>> flight = Flight(stepping(plant, law, state, reference=reference, step_s=0.01))
    >>> flight.loop.step()
    >>> round(flight.t, 12), flight.history().outcome.name
    (0.01, 'COMPLETED')
    """

    def __init__(self, loop: Stepping) -> None:
        self.loop, self.start_s, self._every = loop, 0.0, loop.every
        self._phases: list[list[tuple[Stepping, Switched | None]]] = [[(loop, None)]]

    @property
    def t(self) -> float:
        """Time since the start [s]."""
        return self.start_s + self.loop.t

    def under(self, names: Sequence[str], inhibited: Sequence[str]) -> Change:
        """Go on under other constraints and loads; raises as `Stepping.under`, and goes on as before."""
        before = self.loop
        loop, change = before.under(names, inhibited)
        self._go_on(loop, _switched(before, change, inhibited))
        return change

    def by(self, controller: Controller) -> None:
        """Go on by another law in the same mode, after the same reference; raises as `stepping`."""
        self._go_on(self.loop.by(controller), None)

    def anew(self) -> bool:
        """Go on with dependent speeds that are chosen anew, and return whether there are others."""
        loop = self.loop.anew()
        if loop is not None:
            self._go_on(loop, None)
        return loop is not None

    def bearing(self, loads: Sequence[Load]) -> None:
        """Go on under loads whose states are the same."""
        self._go_on(self.loop.bearing(loads), None)

    def then(self, plant: Plant, controller: Any, reference: ReferenceMotion | None) -> None:
        """Begin a phase here, with a clock of its own; raises as `stepping`."""
        before = self.loop
        plant = replace(plant, clock_s=before.plant.clock_s + before.t)
        loop = stepping(plant, controller, before.state, reference=reference, step_s=before.step_s, every=self._every)
        self.start_s += before.t
        self.loop = loop
        self._phases.append([(loop, None)])

    def _go_on(self, loop: Stepping, switched: Switched | None) -> None:
        if self._phases[-1][-1][0].count == 0 and switched is None and self._phases[-1][-1][1] is None:
            self._phases[-1].pop()
        self._phases[-1].append((loop, switched))
        self.loop = loop

    def history(self, ending: Ending | None = None) -> History:
        """Return all that was flown; what happened and was switched is in it. Raises `InvalidInput` before the first step."""
        flown = [pieces for pieces in self._phases if any(loop.count for loop, _ in pieces)]
        if not flown:
            raise InvalidInput(Problem("history", "a flight of one step or more", "none"))
        return joined([_phase(pieces, ending) for pieces in flown])


def _phase(flown: Sequence[tuple[Stepping, Switched | None]], ending: Ending | None) -> History:
    last, parts, gained_at_once = len(flown) - 1, list[HistoryPiece](), list[Mapping[str, Any]]()
    for k, (loop, switched) in enumerate(flown):
        gained_at_once += [switched.gained] if switched is not None else []
        if not loop.count and (k < last or parts):
            continue
        kept = slice(0, None if k == last or not any(later.count for later, _ in flown[k + 1 :]) else -1)
        parts.append(
            HistoryPiece(loop.history(ending if k == last else None), kept, gained=_sum(gained_at_once) if parts else {})
        )
        gained_at_once = []
    return bound(parts, switches=tuple(switched for _, switched in flown if switched is not None))


def _sum(gained_at_once: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = {name for each in gained_at_once for name in each}
    return {name: sum(each.get(name, 0.0) for each in gained_at_once) for name in names}


def _switched(before: Stepping, change: Change, inhibited: Sequence[str]) -> Switched:
    """Return what happened where constraints and loads were switched."""
    plant, after, was = before.plant, change.plant, before.state
    told = change.impulses, change.energy_lost, gained(plant, was, change, 0.0)
    return Switched(
        before.t,
        tuple(name for name in after.constraints if name not in plant.constraints),
        tuple(name for name in plant.constraints if name not in after.constraints),
        after.holds,
        was,
        change.state,
        *told,
        engaged=tuple(name for name in plant.inhibited if name not in inhibited),
        inhibited=tuple(name for name in inhibited if name not in plant.inhibited),
    )
