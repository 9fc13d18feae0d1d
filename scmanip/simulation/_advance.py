"""Carry the closed loop from corner to corner, and stop where it cannot go on."""

from __future__ import annotations

import numpy as np

from ..errors import NumericalFailure
from ..spatial import Array
from ..system import State, System
from ._closed_loop import ClosedLoop
from ._gimbals import near_lock, until_lock
from ._integrator import Step
from ._outcome import Outcome
from ._setup import Setup
from ._track import Track
from ._verdict import Verdict

RUNAWAY = 2000.0  # times the fastest initial speed, or rad/s (m/s)
CRAWL = 100.0  # a rest of the run that would take so many times the allowed steps is not begun


def advance(setup: Setup) -> Track:
    """Return the samples of the run, to its end or to its last good state, with the verdict."""
    loop = ClosedLoop(setup)
    track = Track(0.0, loop.start(), Verdict(Outcome.COMPLETED))
    _sample(setup, loop, track, track.last_t, track.last_y)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # a run that blows up ends as a verdict
        for stop in setup.stops[1:]:
            loop.enter(stop)
            track.last_y = loop.normalised(track.last_y)
            try:
                _stretch(setup, loop, track, stop)
            except NumericalFailure as failure:
                track.verdict = loop.trouble or _stalled(setup, track, str(failure))
            if track.verdict.outcome is not Outcome.COMPLETED:
                break
    _keep_last_state(setup, loop, track)
    return track


def _stretch(setup: Setup, loop: ClosedLoop, track: Track, stop: float) -> None:
    """Advance from the last accepted step to `stop`; a controller with memory makes every step a fresh start."""
    size = None
    while track.last_t < stop and track.verdict.outcome is Outcome.COMPLETED:
        steps = setup.integrator.steps(
            loop.rate, track.last_t, track.last_y, stop, rtol=setup.rtol, atol=setup.atol, first_size=size
        )
        for step in steps:
            _accept(setup, loop, track, step)
            size = step.next_size
            if loop.has_memory or track.verdict.outcome is not Outcome.COMPLETED:
                break


def _accept(setup: Setup, loop: ClosedLoop, track: Track, step: Step) -> None:
    """Take the samples inside the step, then the step itself; both end where a gimbal locks."""
    step, locked = until_lock(setup, loop.gimbals, track.last_y, step)
    first, last = np.searchsorted(setup.samples, [step.t_old, step.t], side="right")
    due = setup.samples[first:last]
    if due.size:
        for t, y in zip(due, step.at(due), strict=True):
            _sample(setup, loop, track, float(t), y)
    track.accept(step.t, step.y)
    track.verdict = locked or _verdict(setup, track)
    if loop.has_memory:
        loop.update_memory(step.t, step.y)
    if setup.progress is not None:
        setup.progress(step.t)


def _sample(setup: Setup, loop: ClosedLoop, track: Track, t: float, y: Array) -> None:
    state = loop.state(y)
    track.add(t, state, loop.force(t, state), y[-setup.books :])


def _keep_last_state(setup: Setup, loop: ClosedLoop, track: Track) -> None:
    """Add the last accepted state of a run that ended early, wherever it lies between two output times."""
    if track.last_t > track.t[-1]:
        _sample(setup, loop, track, track.last_t, track.last_y)


def _verdict(setup: Setup, track: Track) -> Verdict:
    x = setup.coordinates.state(setup.model, track.last_y[: -setup.books])
    limit = RUNAWAY * max(1.0, _fastest(setup.state0))
    if _fastest(x) > limit:
        name, unit = _speed_name(setup.model.system, int(np.argmax(abs(x.u))))
        advice = near_lock(setup, x) or "lower the gains or look for a sign error"
        return Verdict(Outcome.DIVERGED, f"{name} passed {limit:.4g} {unit} at t = {track.last_t:.9g} s; {advice}")
    left, allowed = setup.stops[-1] - track.last_t, setup.integrator.max_steps
    if left > 0 and track.steps >= allowed:
        return _stalled(setup, track, f"all {allowed} steps were used up at t = {track.last_t:.9g} s")
    if left > CRAWL * allowed * track.pace:
        return _stalled(setup, track, f"the steps shrank to {track.pace:.2g} s at t = {track.last_t:.9g} s")
    return track.verdict


def _fastest(state: State) -> float:
    return float(np.abs(state.u).max(initial=0.0))


def _speed_name(system: System, number: int) -> tuple[str, str]:
    """Return the name and unit of entry `number` of u."""
    layout = system.layout
    if number >= layout.joints.start:
        freedom = system.freedoms[number - layout.joints.start]
        return f"joint '{freedom.name}'", f"{freedom.unit}/s"
    return ("the base's v_0", "m/s") if number < layout.base_linear.stop else ("the base's omega_0", "rad/s")


def _stalled(setup: Setup, track: Track, sentence: str) -> Verdict:
    advice = "look for a jump or a stiff loop there: name jumps in reference.corners_s, lower the gains, or loosen rtol"
    advice = near_lock(setup, setup.coordinates.state(setup.model, track.last_y[: -setup.books])) or advice
    return Verdict(Outcome.STALLED, f"{sentence} (last good state at t = {track.last_t:.9g} s); {advice}")
