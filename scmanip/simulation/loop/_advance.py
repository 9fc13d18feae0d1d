"""Carry the closed loop from corner to corner, and stop where it cannot go on."""

from __future__ import annotations

import warnings
from bisect import bisect_right
from itertools import pairwise

import numpy as np

from ...errors import NumericalFailure
from ...modes import GeneralizedForce
from ...spatial import Array
from ...system import State
from ..events._outcome import Ending, Outcome
from ..events._runaway import fastest
from ..integrators._integrator import Step, checked_step, inside
from ..integrators._stiff_loop import StiffLoop
from ..integrators._stiffness import PaceLook, stiffness_advice
from ._again import commands_at_samples
from ._carried import Carried
from ._closed_loop import ClosedLoop, stiff_sentence
from ._gimbals import diverged, near_lock, until_lock
from ._native import DRIFT_STEPS, NativeLoop
from ._sample_and_hold import SampleAndHold
from ._setup import Setup
from ._track import Track
from ._watch import Watch

REFUSALS = 12  # of steps in which a speed runs away, in a whole run; each is tried again, a fifth as long
SHRINK = 0.2
RANK_LOST = 1e3  # relative tolerances of the kinetic energy: bringing speeds back takes more where constraints lost rank
LEAST_LOST, MOST_LOST = 1e-6, 1e-2  # of the kinetic energy, whatever the tolerance
CRAWL = 100.0  # a rest of the run that would take so many times the allowed steps is not begun
SETTLED = 0.1  # of the allowed steps: implicit ones are short in what dies away at first, and tell no pace before


def advance(setup: Setup, hold: SampleAndHold | None = None) -> Track:
    """Return the samples of the run, to its end or to its last good state, with the verdict.

    hold : of a sampled run that was flown already
    """
    flight = _Flight(setup, hold)
    if flight.travelled():
        flight.close()
        return flight.track
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # a run that blows up ends as a verdict
        flight.fly()
        flight.close()
    return flight.track


class _Flight:
    """A run on its way, in machine code as far as it goes. Where that cannot go on it goes on step by step, to find out why.

    native : the run in machine code; None where there is none, or no longer
    loop : the run in Python; None as long as nobody needs it
    watch : looks for events
    size : step [s] to try first in Python; None lets the integrator choose
    energy : the largest kinetic energy that constraints were seen to leave [J]
    asked_s : when a sampled law was asked in the stretch in which machine code was left [s]
    refused : how many steps in which a speed ran away
    pace : tells when the loop may be stiff
    """

    def __init__(self, setup: Setup, hold: SampleAndHold | None) -> None:
        self.setup = setup
        self.hold = SampleAndHold(setup, setup.sampled) if hold is None and setup.sampled is not None else hold
        self.track = Track(setup.start_s, setup.y_0, Ending(Outcome.COMPLETED), self.hold)
        self.native = NativeLoop.of(setup)
        self.loop: ClosedLoop | None = None
        self.watch: Watch | None = None
        self.size: float | None = None
        self.asked_s: float | None = None
        self.refused = 0
        self.energy = 0.0
        self.pace = PaceLook(setup.start_s)
        if not (setup.called and setup.integrator.explicit and setup.integrator.length_s is None):
            self.pace.end()

    @property
    def well(self) -> bool:
        """Whether nothing has ended the run."""
        track = self.track
        return track.verdict.outcome is Outcome.COMPLETED and not (track.given_up or track.arrived)

    def travelled(self) -> bool:
        """Advance in machine code through all stretches, where nobody looks in between, and return whether that was all."""
        setup, native = self.setup, self.native
        if native is None or self.hold is not None or native.asks or setup.looked_at:
            return False
        self._add(setup.start_s, self.track.last_y)
        return native.travel(self.track)

    def fly(self) -> None:
        """Go on from stop to stop."""
        track = self.track
        if self.native is not None and self.hold is not None and not self.setup.looked_at:
            self.native.hear(self.hold)
            self._add(track.last_t, track.last_y)
        if self.native is not None and track.times:
            self._travel(self.native)
        if self.native is not None and self.native.asks:
            self.native.ask(self._python())
        ahead = bisect_right(self.setup.stops, track.last_t)
        for start, stop in pairwise(self.setup.stops[max(ahead - 1, 0) :]):
            if not self.well:
                break
            if stop <= track.last_t:
                continue
            if self.native is not None:
                self.native.enter(stop)
            if self.hold is not None and start != self.asked_s:
                self._ask(self.hold, start)
            if not track.times:
                self._add(track.last_t, track.last_y)
                self.watch = Watch(self.setup, self._force) if self.setup.events else None
            if self.loop is not None:
                self.loop.enter(stop)
            if self.native is not None:
                self._reach(self.native, stop)
            if track.last_t < stop and self.well:
                self._walk(stop)

    def close(self) -> None:
        """Note down what the run has left."""
        track = self.track
        if self.native is not None:
            track.extend(*self.native.samples())
            track.sets, track.in_machine_code = self.native.sets, True
        if track.last_t > track.sampled_to:
            self._add(track.last_t, track.last_y)
        track.happened = self.watch.happened if self.watch is not None else []
        track.ended_by = self.watch.ended_by if self.watch is not None else ()
        carried = Carried(self.loop.memory if self.loop else None) if self.hold is None else self.hold.carried
        if self.setup.pair is not None and self.setup.pair.asks:
            track.commands = commands_at_samples(self.setup, track)
        track.carried = carried._replace(since=self.watch.since if self.watch is not None else None)

    def _travel(self, native: NativeLoop) -> None:
        """Look at what stopped a journey in machine code, and go on with it as long as all is well."""
        while not native.stuck:
            self._heed()
            self.track.verdict = _verdict(self.setup, self.track)
            if not self.well or native.travel(self.track):
                return
        self.asked_s = None if self.hold is None else self.hold.looked_s
        if self.well:
            self._leave(native)

    def _leave(self, native: NativeLoop) -> None:
        """Go on in Python, unless what machine code has come to ends the run."""
        self.track.extend(*native.samples())
        self.track.verdict = _verdict(self.setup, self.track)
        self.track.left = True
        self.track.given_up = self.setup.gives_up
        self.native, self.size = None, max(native.next_step, 0.0) or None

    def _ask(self, hold: SampleAndHold, t: float) -> None:
        """Let a sampled law look at the state."""
        native = self.native
        state = self.setup.frame.state(t, self.track.last_y) if native is None else native.state
        self.track.verdict = hold.sample(t, state) or self.track.verdict
        if native is not None:
            native.hold(hold.held)

    def _python(self) -> ClosedLoop:
        """Return the run in Python."""
        self.loop = self.loop or ClosedLoop(self.setup, self.hold)
        return self.loop

    def _force(self, t: float, state: State) -> GeneralizedForce:
        """Return what actuators do, for events that look at it."""
        return self._python().force(t, state)

    def _add(self, t: float, y: Array) -> None:
        """Add a sample, whose forces are looked up later if they are those of machine code or held ones."""
        later = self.native is not None or self.hold is not None
        self.track.add(t, y, None if later else self._python().force(t, self.setup.frame.state(t, y)))

    def _reach(self, native: NativeLoop, stop: float) -> None:
        """Advance to `stop` in machine code, or until something is wrong."""
        setup, track = self.setup, self.track
        if self.watch is not None:
            track.last_y = native.y
        while track.last_t < stop and self.well:
            t_old, y_old, told = track.last_t, track.last_y, len(track.ends)
            usual = native.go_on(track, stop) and track.steps < setup.max_steps
            if native.stuck:
                self._leave(native)
                self._tell(told)
                break
            if not usual:
                self._heed()
                track.verdict = _verdict(setup, track)
            if self.watch is not None and track.last_t > t_old:
                self._look(self.watch, native, native.step(t_old, y_old))
            if self.loop is not None and track.last_t > t_old:
                self._remember(self.loop, native.y)
            if setup.plant.holding is not None and track.steps % DRIFT_STEPS == 0:
                native.go_from(self._brought_back(native.y))
            self._tell(told)

    def _tell(self, told: int) -> None:
        """Tell of the accepted steps behind those that somebody was told of."""
        if self.setup.progress is not None:
            for t in self.track.ends[told:]:
                self.setup.progress(t)

    def _brought_back(self, y: Array) -> Array:
        """Return y (n,) brought back to the constraints; the run ends where they lost rank since that was last done.

        There the motion branches: what is left of the speeds obeys them no more, and to bring it back takes much of the energy.
        """
        setup, track = self.setup, self.track
        back, (taken, left) = setup.frame.brought_back(track.last_t, y)
        self.energy = max(self.energy, float(left))
        if abs(taken) > self.energy * min(max(RANK_LOST * setup.rtol, LEAST_LOST), MOST_LOST):
            names = ", ".join(map(repr, setup.plant.holding.names if setup.plant.holding else ()))
            where = f"before t = {track.last_t:.9g} s (last good state at t = {track.good_t:.9g} s)"
            track.verdict = Ending(Outcome.SINGULAR, f"constraints {names} lost rank {where}: the motion branches there")
            return y
        track.good_t = track.last_t
        return back

    def _look(self, watch: Watch, native: NativeLoop, step: Step) -> None:
        """Look for events in a step, and go back to the first one."""
        shorter, verdict = watch.until(step)
        if shorter.t < step.t:
            native.rewind(shorter.t, shorter.y)
            self.track.move(shorter.t, shorter.y)
        self.track.verdict = verdict or self.track.verdict

    def _walk(self, stop: float) -> None:
        """Advance to `stop` step by step in Python."""
        setup, track = self.setup, self.track
        loop = self._python()
        loop.enter(stop)
        track.last_y = setup.frame.normalised(track.last_y)
        try:
            self._stretch(loop, stop)
        except NumericalFailure as failure:
            track.verdict = loop.trouble or _stalled(setup, track, str(failure))
        self.size = None

    def _stretch(self, loop: ClosedLoop, stop: float) -> None:
        """Advance to `stop`; a controller with memory makes every step a fresh start, an event does too."""
        setup, track = self.setup, self.track
        while track.last_t < stop and self.well:
            steps = setup.integrator.steps(
                loop.stepped, track.last_t, track.last_y, stop, rtol=setup.rtol, atol=setup.atol, first_size=self.size
            )
            step = None
            for given in steps or ():
                step = checked_step(setup.integrator, given, track.last_t, track.last_y, stop)
                if self._refuse(step):
                    break
                cut = self._accept(loop, step)
                self.size = step.next_size
                drifts = setup.plant.holding is not None and track.steps % DRIFT_STEPS == 0
                if drifts:
                    track.last_y = self._brought_back(track.last_y)
                coming = setup.coming if self.well and track.last_t < stop else None
                track.arrived = coming is not None and coming.is_there
                if loop.has_memory or cut or drifts or not self.well:
                    break
            if step is None:
                raise NumericalFailure(f"{type(setup.integrator).__name__} takes no step at t = {track.last_t:.9g} s")

    def _refuse(self, step: Step) -> bool:
        """Return whether a speed runs away in the step, which is then not taken; where no shorter one helps the run ends."""
        setup = self.setup
        x = setup.frame.state(step.t, step.y)
        if fastest(x) <= setup.bound:
            return False
        self.refused += 1
        self.size = SHRINK * (step.t - step.t_old)
        if self.refused > REFUSALS or setup.integrator.length_s is not None:
            self.track.verdict = diverged(setup, self.track.last_t, step.t, x)
        return True

    def _accept(self, loop: ClosedLoop, whole: Step) -> bool:
        """Take the samples inside the step, then the step, up to an event or a gimbal's lock; return whether it was cut."""
        setup, track = self.setup, self.track
        free, locked = until_lock(setup, loop.gimbals, track.last_y, whole)
        step, ended = free, None
        if self.watch is not None:
            step, ended = self.watch.until(free)
        verdict = ended or (locked if step.t == free.t else None)
        first, last = np.searchsorted(setup.samples, [step.t_old, step.t], side="right")
        due = setup.samples[first:last]
        if due.size:
            for t, y in zip(due, inside(setup.integrator, step, due), strict=True):
                self._add(float(t), y)
        track.accept(step.t, step.y)
        track.verdict = verdict or loop.lost_at(step.t, step.y) or _verdict(setup, track)
        self._remember(loop, step.y)
        self._heed()
        if setup.progress is not None:
            setup.progress(step.t)
        return step.t < whole.t

    def _heed(self) -> None:
        """Tell once, after the first steps, of a loop that is so stiff that explicit steps are no method for it."""
        setup, track = self.setup, self.track
        if self.well and self.pace.due(track.steps, track.last_t, setup.stops[-1]):
            sentence = stiff_sentence(setup, self.hold, track.last_t, track.last_y)
            if sentence:
                self.pace.end()
                warnings.warn(f"{setup.called} is stiff: {sentence}", StiffLoop, stacklevel=2)

    def _remember(self, loop: ClosedLoop, y: Array) -> None:
        """Let a controller with a memory remember where the run has come to."""
        if loop.has_memory:
            self.track.memories.append(loop.memory)
            loop.update_memory(self.track.last_t, y)


def _verdict(setup: Setup, track: Track) -> Ending:
    left, allowed = setup.stops[-1] - track.last_t, setup.max_steps
    if left > 0 and track.steps >= allowed:
        return _stalled(setup, track, f"all {allowed} steps were used up at t = {track.last_t:.9g} s")
    settled = setup.integrator.explicit or track.steps >= SETTLED * allowed
    if settled and left > CRAWL * allowed * track.pace:
        return _stalled(setup, track, f"the steps shrank to {track.pace:.2g} s at t = {track.last_t:.9g} s")
    return track.verdict


def _stalled(setup: Setup, track: Track, sentence: str) -> Ending:
    advice = "look for a jump or a stiff loop there: name jumps in reference.corners_s, lower the gains, or loosen rtol"
    if track.hold is None and setup.integrator.explicit:
        advice = stiffness_advice(ClosedLoop(setup).rate, track.last_t, track.last_y, track.pace) or advice
    advice = near_lock(setup, setup.frame.state(track.last_t, track.last_y)) or advice
    return Ending(Outcome.STALLED, f"{sentence} (last good state at t = {track.last_t:.9g} s); {advice}")
