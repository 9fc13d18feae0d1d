"""Carry the closed loop from corner to corner, and stop where it cannot go on."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..control import Sampled
from ..errors import NumericalFailure
from ..spatial import Array
from ..system import System
from ._closed_loop import ClosedLoop
from ._gimbals import near_lock, until_lock
from ._integrator import Step
from ._native import NativeLoop
from ._outcome import Outcome
from ._runaway import fastest, runaway
from ._sample_and_hold import SampleAndHold
from ._setup import Setup
from ._track import Track
from ._verdict import Verdict

CRAWL = 100.0  # a rest of the run that would take so many times the allowed steps is not begun


def advance(setup: Setup) -> Track:
    """Return the samples of the run, to its end or to its last good state, with the verdict."""
    flight = _Flight(setup)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # a run that blows up ends as a verdict
        flight.fly()
    return flight.track


class _Flight:
    """A run on its way, in machine code as far as it goes. Where that cannot go on it goes on step by step, to find out why.

    native : the run in machine code; None where there is none, or no longer
    loop : the run in Python; None as long as nobody needs it
    size : step [s] to try first in Python; None lets the integrator choose
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.hold = SampleAndHold(setup, setup.controller) if isinstance(setup.controller, Sampled) else None
        self.track = Track(0.0, setup.frame.start(setup.state0), Verdict(Outcome.COMPLETED), self.hold)
        self.native = NativeLoop.of(setup)
        self.loop: ClosedLoop | None = None
        self.size: float | None = None

    @property
    def well(self) -> bool:
        """Whether nothing has ended the run."""
        return self.track.verdict.outcome is Outcome.COMPLETED

    def fly(self) -> None:
        """Go from stop to stop."""
        track = self.track
        if self.native is not None and self.hold is None and self.setup.progress is None:
            self._travel(self.native)
        for start, stop in pairwise(self.setup.stops):
            if not self.well or 0.0 < stop <= track.last_t:
                continue
            if self.hold is not None:
                self._ask(self.hold, start)
            if not track.times:
                self._add(0.0, track.last_y)
            if self.well and self.native is not None:
                self._reach(self.native, stop)
            if self.well and track.last_t < stop:
                self._walk(stop)
        if self.native is not None:
            track.extend(*self.native.samples())
        if track.last_t > track.sampled_to:
            self._add(track.last_t, track.last_y)

    def _travel(self, native: NativeLoop) -> None:
        """Advance in machine code through all stretches, or until something is wrong."""
        self._add(0.0, self.track.last_y)
        while self.well and not native.travel(self.track):
            if native.stuck:
                self._leave(native)
                break
            self.track.verdict = _verdict(self.setup, self.track)

    def _leave(self, native: NativeLoop) -> None:
        """Go on in Python."""
        self.track.extend(*native.samples())
        self.native, self.size = None, native.next_step or None

    def _ask(self, hold: SampleAndHold, t: float) -> None:
        """Let a sampled law look at the state."""
        self.track.verdict = hold.sample(t, self.setup.frame.state(t, self.track.last_y)) or self.track.verdict
        if self.native is not None:
            self.native.hold(hold.held)

    def _add(self, t: float, y: Array) -> None:
        """Add a sample, whose forces are looked up later if they are those of machine code or held ones."""
        if self.native is None and self.hold is None:
            self.loop = self.loop or ClosedLoop(self.setup)
            _sample(self.setup, self.loop, self.track, t, y)
        else:
            self.track.add(t, y, None)

    def _reach(self, native: NativeLoop, stop: float) -> None:
        """Advance to `stop` in machine code, or until something is wrong."""
        setup, track = self.setup, self.track
        native.enter(stop)
        while self.well and track.last_t < stop:
            usual = native.go_on(track, stop) and track.steps < setup.max_steps
            if native.stuck:
                self._leave(native)
                break
            track.verdict = track.verdict if usual else _verdict(setup, track)

    def _walk(self, stop: float) -> None:
        """Advance to `stop` step by step in Python."""
        setup, track = self.setup, self.track
        loop = self.loop = self.loop or ClosedLoop(setup, self.hold)
        loop.enter(stop)
        track.last_y = setup.frame.normalised(track.last_y)
        try:
            _stretch(setup, loop, track, stop, self.size)
        except NumericalFailure as failure:
            track.verdict = loop.trouble or _stalled(setup, track, str(failure))
        self.size = None


def _stretch(setup: Setup, loop: ClosedLoop, track: Track, stop: float, size: float | None) -> None:
    """Advance from the last accepted step to `stop`; a controller with memory makes every step a fresh start."""
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
    track.add(t, y, None if track.hold else loop.force(t, setup.frame.state(t, y)))


def _verdict(setup: Setup, track: Track) -> Verdict:
    x = setup.frame.state(track.last_t, track.last_y)
    limit = runaway(setup.state0)
    if fastest(x) > limit:
        name, unit = _speed_name(setup.model.system, int(np.argmax(abs(x.u))))
        advice = near_lock(setup, x) or "lower the gains or look for a sign error"
        return Verdict(Outcome.DIVERGED, f"{name} passed {limit:.4g} {unit} at t = {track.last_t:.9g} s; {advice}")
    left, allowed = setup.stops[-1] - track.last_t, setup.max_steps
    if left > 0 and track.steps >= allowed:
        return _stalled(setup, track, f"all {allowed} steps were used up at t = {track.last_t:.9g} s")
    if left > CRAWL * allowed * track.pace:
        return _stalled(setup, track, f"the steps shrank to {track.pace:.2g} s at t = {track.last_t:.9g} s")
    return track.verdict


def _speed_name(system: System, number: int) -> tuple[str, str]:
    """Return the name and unit of entry `number` of u."""
    layout = system.layout
    if number >= layout.joints.start:
        freedom = system.freedoms[number - layout.joints.start]
        return f"joint '{freedom.name}'", f"{freedom.unit}/s"
    return ("the base's v_0", "m/s") if number < layout.base_linear.stop else ("the base's omega_0", "rad/s")


def _stalled(setup: Setup, track: Track, sentence: str) -> Verdict:
    advice = "look for a jump or a stiff loop there: name jumps in reference.corners_s, lower the gains, or loosen rtol"
    advice = near_lock(setup, setup.frame.state(track.last_t, track.last_y)) or advice
    return Verdict(Outcome.STALLED, f"{sentence} (last good state at t = {track.last_t:.9g} s); {advice}")
