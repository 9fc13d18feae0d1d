"""What is switched in a phase of a mission."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...dynamics import Model
from ...simulation import SWITCHED, Event, Switch
from ._phase import FlownPhase, Phase

SLIVER = 1e-12  # of the mission: times that are one but for rounding


def missed(model: Model, switches: Sequence[Switch], flown: Sequence[FlownPhase]) -> Iterator[str]:
    """Yield a sentence for every switch that a run never came to, because it ended before or the event did not happen."""
    end_s = flown[-1].start_s + float(flown[-1].history.t[-1])
    happened = {event.called for part in flown for event in part.phase.events.all if _happened(model, event, part)}
    for switch in switches:
        what = " and ".join(repr(name) for key in SWITCHED for name in getattr(switch, key)) or "a strike"
        if switch.t_s is not None and switch.t_s >= end_s:
            yield f"{what} at t = {switch.t_s:.9g} s was not switched: the run ended before"
        elif switch.event and switch.event not in happened:
            yield f"{what} was not switched: event '{switch.event}' did not happen"


def _happened(model: Model, event: Event, part: FlownPhase) -> bool:
    phrases = event.names(model)
    return any(occurrence.phrase in phrases for occurrence in part.history.noted)


def switches_of(phase: Phase, start_s: float, switches: Sequence[Switch]) -> tuple[Switch, ...]:
    """Return what is switched in a phase that begins at `start_s` [s], on the phase's own clock.

    switches : of the mission; what is due where one phase ends and the next begins is done in the next
    """
    end_s, named = start_s + phase.t_end_s, {event.called for event in phase.events.all}
    close = SLIVER * end_s
    timed = [
        replace(each, t_s=max(0.0, each.t_s - start_s))
        for each in switches
        if each.t_s is not None and start_s - close <= each.t_s < end_s - close
    ]
    return (*phase.switches, *timed, *(each for each in switches if each.event in named))
