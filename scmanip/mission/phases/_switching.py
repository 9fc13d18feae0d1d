"""What is switched in a phase of a mission."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...simulation import Switch
from ._phase import Phase

SLIVER = 1e-12  # of the mission: times that are one but for rounding


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
