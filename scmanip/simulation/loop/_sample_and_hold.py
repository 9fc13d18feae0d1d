"""Commands of a sampled law, each held until the next sample."""

from __future__ import annotations

import numpy as np

from ...control import Sampled
from ...plant import finite
from ...spatial import Array
from ...system import State
from ..events._outcome import Ending, Outcome
from ._carried import Carried
from ._command import blame, commanded, finite_at_start
from ._setup import Setup

CLOSE = 1e-9  # of a period: output times that are times of sampling but for rounding


class SampleAndHold:
    """The memory of a sampled run.

    held : the latest command
    """

    def __init__(self, setup: Setup, law: Sampled) -> None:
        self._setup, self._law = setup, law
        before = setup.carried or Carried(law.start(setup.state0))
        self._memory, self._times, self._commands = before.memory, [*before.times], [*before.commands]
        self.held = before.commands[-1] if before.commands else np.empty(0)

    @property
    def carried(self) -> Carried:
        """What the law takes along."""
        return Carried(self._memory, tuple(self._times), tuple(self._commands))

    def sample(self, t: float, state: State) -> Ending | None:
        """Ask the law if `t` is the time to do so; return why the run must end where it has no answer."""
        if not self._law.is_sample(t):
            return None
        reference = None if self._setup.reference is None else self._setup.reference.at(t)
        self.held, self._memory = commanded(self._setup, t, state, reference, self._memory)
        self._times.append(t)
        self._commands.append(self.held)
        if finite(self.held):
            return None
        finite_at_start(t, self.held)
        return Ending(Outcome.NOT_FINITE, blame(reference, t, self.held, self._setup.model.layout.N))

    def commands(self, times: Array) -> list[Array]:
        """Return the commands that led to each of the times (k,) [s]."""
        before = np.searchsorted(self._times, self.led_to(times)) - 1
        return [self._commands[max(k, 0)] for k in before.tolist()]

    def led_to(self, times: Array) -> Array:
        """Return times (k,) [s] a little before: what is sampled at them is known only after."""
        return times - CLOSE / self._law.rate_Hz
