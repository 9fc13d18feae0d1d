"""The right-hand side: plant, mode, controller and reference in one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...dynamics import three_axis_gimbals
from ...guidance import Sample, recorded_form
from ...modes import GeneralizedForce, Situation
from ...spatial import Array, finite
from ...system import State
from ..events._outcome import LOST, Ending, Outcome
from ._command import blame, commanded, finite_at_start, remembered
from ._sample_and_hold import SampleAndHold
from ._setup import Setup

OVERFLOW = 1e100  # a trial state beyond this is given up, so that products of speeds stay finite


class ClosedLoop:
    """What the integrator calls; y is a vector of the run's `Frame`.

    hold : where commands come from in a sampled run
    gimbals : those that can lock
    memory : the controller's
    has_memory : whether the controller remembers anything
    trouble : why the latest evaluation gave NaN; None when it did not, so that a smaller step may still succeed
    """

    def __init__(self, setup: Setup, hold: SampleAndHold | None = None) -> None:
        self._setup, self._hold = setup, hold
        self._known = recorded_form(setup.reference) is not None
        self.gimbals = three_axis_gimbals(setup.model.system)
        self._corner = np.inf
        self.trouble: Ending | None = None
        self.memory: Any = None
        if hold is None:
            self.memory = setup.controller.start(setup.state0) if setup.carried is None else setup.carried.memory
            self._remember(setup.start_s, setup.state0)
        self.has_memory = self.memory is not None and not setup.plant.memory

    def enter(self, corner: float) -> None:
        """Look at the reference from before `corner` [s] until the next call, so that a jump there is not seen early."""
        self._corner = float(np.nextafter(corner, -np.inf))

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


def _overflow(t: float) -> str:
    return f"the state outgrew floating point at t = {t:.9g} s; lower the gains or look for a sign error"
