"""How a phase ended: by its time, by the event that it waited for, or with the run."""

from __future__ import annotations

from dataclasses import replace

from ...dynamics import Model
from ...errors import checked
from ...simulation import History, Outcome
from ._phase import FlownPhase, Phase


def ended(model: Model, phase: Phase, history: History, start_s: float) -> FlownPhase:
    """Return the phase as it was flown, from `start_s` [s] in mission time on.

    An event with which it ends as it should completes it; without the one that it waited for it is a timeout, unless another
    phase is to follow then.
    """
    events = phase.events
    if history.outcome is Outcome.COMPLETED and events.until is not None:
        if events.late:
            return FlownPhase(phase, history, start_s, branch=events.late)
        return FlownPhase(phase, history.changed(outcome=Outcome.TIMEOUT, advice=in_vain(phase)), start_s)
    if history.outcome is not Outcome.EVENT:
        return FlownPhase(phase, history, start_s)
    now = {occurrence.phrase for occurrence in history.noted if occurrence.first_s == history.t[-1]}
    stops = {phrase for event in events.events if event.ends for phrase in event.names(model)}
    if now & stops:
        return FlownPhase(phase, history, start_s)
    by = next((called for called, event in events.ending.items() if now & {*event.names(model)}), "")
    if not by:
        return FlownPhase(phase, history, start_s)
    branch = next((each.phase for each in events.branches if each.name == by), "")
    return FlownPhase(phase, history.changed(outcome=Outcome.COMPLETED, advice=""), start_s, by, branch)


@checked
def in_vain(phase: Phase) -> str:
    """Return a sentence on a phase that waited for an event which did not happen.

    >>> waiting = scmanip.load_mission("mission:capture_tumbling_target").phases[0]
    >>> in_vain(waiting)
    "phase 'approach' waited 150 s for event 'close', which did not happen"
    """
    return f"phase '{phase.name}' waited {phase.t_end_s:g} s for event '{phase.events.name}', which did not happen"


def unmet_after(part: FlownPhase, following: Phase, unmet: Exception) -> FlownPhase:
    """Return the phase with which a run ends because the one after it cannot impose what it is to begin with."""
    advice = f"phase '{following.name}' could not begin at t = {part.history.t[-1]:.9g} s: {unmet}"
    return replace(part, history=part.history.changed(outcome=Outcome.UNMET, advice=advice))


def ending(part: FlownPhase) -> str:
    """Return a sentence on how a phase ended, in mission time."""
    end_s, history = part.start_s + float(part.history.t[-1]), part.history
    at = f"at t = {end_s:.6g} s"
    then = f", and phase '{part.branch}' follows" if part.branch else ""
    if part.ended_by:
        return f"phase '{part.phase.name}' ended by event '{part.ended_by}' {at}{then}"
    if history.outcome is Outcome.TIMEOUT or part.branch:
        return f"phase '{part.phase.name}' ended {at} by its timeout: event '{part.phase.events.name}' did not happen{then}"
    if history.outcome is Outcome.COMPLETED:
        return f"phase '{part.phase.name}' ended {at}, its time being up"
    if history.outcome is Outcome.EVENT:
        return f"phase '{part.phase.name}' was stopped by an event {at}"
    return f"phase '{part.phase.name}' could not go on {at}: {history.outcome}"
