"""The right-hand side: plant, mode, controller and reference in one."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...dynamics import three_axis_gimbals
from ...guidance import Sample, numbers_at, recorded_form
from ...modes import GeneralizedForce, Situation
from ...spatial import Array, finite
from ...system import State
from ..equations._coded_rate import REFERENCE, CodedRate
from ..equations._held import HELD
from ..equations._pair import LawAndReference
from ..equations._recorded_loop import LoopParts
from ..events._outcome import LOST, Ending, Outcome
from ..integrators._integrator import Rate
from ..integrators._stiffness import fastest_motion, is_smooth, stiffness_told
from ._command import blame, commanded, finite_at_start, remembered
from ._sample_and_hold import SampleAndHold
from ._setup import Setup

OVERFLOW = 1e100  # a trial state beyond this is given up, so that products of speeds stay finite


class ClosedLoop:
    """What the integrator calls; y is a vector of the run's `RunCoordinates`.

    hold : where commands come from in a sampled run
    gimbals : those that can lock
    memory : the controller's
    has_memory : whether the controller remembers anything
    trouble : why the latest evaluation gave NaN; None when it did not, so that a smaller step may still succeed
    """

    def __init__(self, setup: Setup, hold: SampleAndHold | SteadyCommand | None = None) -> None:
        self._setup, self._hold = setup, hold
        self._known = recorded_form(setup.reference) is not None
        self.gimbals = three_axis_gimbals(setup.model.system)
        self._corner = np.inf
        self._coded = None if setup.integrator.explicit else self._code()
        self.trouble: Ending | None = None
        self.memory: Any = None
        if hold is None:
            self.memory = setup.controller.start(setup.state0) if setup.carried is None else setup.carried.memory
            self._remember(setup.start_s, setup.state0)
        self.has_memory = self.memory is not None and not setup.plant.memory

    def enter(self, corner: float) -> None:
        """Look at the reference from before `corner` [s] until the next call, so that a jump there is not seen early."""
        self._corner = float(np.nextafter(corner, -np.inf))
        if self._coded is not None:
            self._coded.enter(self._numbers_to(corner))

    @property
    def stepped(self) -> Rate:
        """What integrators call: `rate`; for implicit steps, if it is recorded, the same as machine code with derivatives."""
        return self.rate if self._coded is None else self._coded

    def lost_at(self, t: float, y: Array) -> Ending | None:
        """Return why the accepted `y` has no motion, where machine code came to accelerations that make M worth a look."""
        if self._coded is None or not self._coded.suspect:
            return None
        self.rate(t, y)
        return self.trouble

    def _code(self) -> CodedRate | None:
        """Return the rate in machine code; None where a part of the run has no equations, or they change as thrusters push."""
        setup = self._setup
        pair = LawAndReference.recorded(setup.plant, setup.controller, recorded_form(setup.reference))
        if pair is None or pair.asks or setup.plant.burns or not setup.frame.coordinates.is_formula:
            return None
        return CodedRate(LoopParts(setup.frame, pair.form, pair.law), setup.state0.q, setup.bound, self.rate)

    def _numbers_to(self, corner: float) -> dict[str, Array]:
        """Return what is constant in the stretch that ends at `corner` [s]: what is held, or the reference's numbers."""
        setup = self._setup
        if self._hold is not None:
            size = setup.plant.mode.command_size(setup.model.layout)
            return {HELD: np.concatenate([np.zeros(size - len(self._hold.held)), self._hold.held])}
        if self._coded is None or not self._coded.follows:
            return {}
        start = max((stop for stop in setup.stops if stop < corner), default=setup.start_s)
        return {REFERENCE: numbers_at(setup.reference, (start + corner) / 2)}

    def rate(self, t: float, y: Array) -> Array:
        """Return the time derivative of `y`; NaN, with the reason in `trouble`, where there is none."""
        if not np.all(np.abs(y) < OVERFLOW):  # NaN too; often the echo of an earlier stage, whose trouble is the reason
            return np.full_like(y, np.nan) if self.trouble else self._lost(y, Outcome.NOT_FINITE, _overflow(t))
        state = self._setup.frame.state(t, y)
        command, _ = self._command(t, state)
        plant, frame, now = self._setup.plant, self._setup.frame, Situation.of(self._setup.model, state)
        force = plant.force(now, command)
        if not force.is_finite:
            N = self._setup.model.layout.N
            return self._lost(y, Outcome.NOT_FINITE, blame(self._reference(t), t, command, N))
        try:
            motion = plant.motion(now, force, t, frame.books(y), remembered=self.remembered(t, state))
        except LOST as singular:
            return self._lost(y, Outcome.SINGULAR, f"at t = {t:.9g} s: {singular}")
        self.trouble = None
        return frame.rate(t, y, state.x, motion)

    def command(self, t: float, state: State) -> Array:
        """Return the command; the memory stays as it is. NaN where the state is not finite."""
        known = math.isfinite(sum(state.x.tolist())) or finite(state.x)  # in a hurry
        return self._command(t, state)[0] if known else np.full(self._setup.model.layout.N, np.nan)

    def force(self, t: float, state: State) -> GeneralizedForce:
        """Return what the actuators apply, as `command`."""
        return self._setup.plant.force(Situation.of(self._setup.model, state), self.command(t, state))

    def update_memory(self, t: float, y: Array) -> None:
        """Let the controller remember the accepted state `y`."""
        self._remember(t, self._setup.frame.state(t, y))

    def _remember(self, t: float, state: State) -> None:
        command, self.memory = self._command(t, state)
        finite_at_start(t, command)

    def _command(self, t: float, state: State) -> tuple[Array, Any]:
        if self._hold is not None:
            return self._hold.held, None
        plant = self._setup.plant
        memory = state.x[plant.x_law] if plant.memory else self.memory
        return commanded(self._setup, t, state, self._reference(t), memory, known=self._known)

    def remembered(self, t: float, state: State) -> Array | None:
        """Return how that changes which the law remembers as part of the state."""
        plant = self._setup.plant
        return remembered(self._setup, t, state, self._reference(t)) if plant.memory else None

    def _reference(self, t: float) -> Sample | None:
        return None if self._setup.reference is None else self._setup.reference.at(min(t, self._corner))

    def _lost(self, y: Array, outcome: Outcome, advice: str) -> Array:
        self.trouble = Ending(outcome, advice)
        return np.full_like(y, np.nan)


class SteadyCommand(NamedTuple):
    """A command that is held."""

    held: Array


def stiff_sentence(setup: Setup, hold: SampleAndHold | None, t: float, y: Array) -> str:
    """Return what to tell of a loop about y (n,) at `t` [s] that explicit steps get on with too slowly; nothing of others.

    hold : of a law that looks at samples, between which the plant is alone
    """
    loop, frame = ClosedLoop(setup, hold), setup.frame
    fastest = fastest_motion(loop.rate, t, y, frame.places.size)
    if fastest is None or not is_smooth(loop.rate, t, y, frame.places.size, fastest):
        return ""
    held = fastest
    if hold is None:
        alone = ClosedLoop(setup, SteadyCommand(loop.command(t, frame.state(t, y))))
        held = fastest_motion(alone.rate, t, y, frame.places.size) or fastest
    names = [each.name for each in setup.model.system.coordinates]
    moved = fastest._replace(vector=fastest.vector[frame.places.q])
    return stiffness_told(moved, held, names, setup.stops[-1] - t, type(setup.integrator).__name__)


def _overflow(t: float) -> str:
    return f"the state outgrew floating point at t = {t:.9g} s; lower the gains or look for a sign error"
