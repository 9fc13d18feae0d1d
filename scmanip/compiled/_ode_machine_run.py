"""A trajectory in machine code that keeps its memory from stop to stop."""

from __future__ import annotations

from collections.abc import Callable

from ._arguments import Array
from ._ode_arguments import Task
from ._ode_block import Block
from ._ode_result import OdeStatus


class MachineRun:
    """An `OdeRun`; going on costs some microseconds beside the steps."""

    def __init__(self, integrate: Callable[[Block], None], block: Block, task: Task) -> None:
        self._integrate, self._block, self._stored = integrate, block, 0
        self.t, self.y, self.parameters = task.t_0, block.start, block.parameters
        self.steps = self.evaluations = 0

    def to(self, t_1: float, *, first_step: float = 0.0, max_steps: int = 100_000) -> OdeStatus:
        """Go on."""
        block = self._block
        block.aim(t_1, first_step, max_steps, self._stored)
        self._integrate(block)
        block.land()
        steps, evaluations, status, stored = block.counted
        self.t, self._stored = block.end_t, self._stored + stored
        self.steps, self.evaluations = self.steps + steps, self.evaluations + evaluations
        return OdeStatus(status)

    @property
    def samples(self) -> Array:
        """(k, n) stored so far."""
        return self._block.samples(self._stored)

    @property
    def next_step(self) -> float:
        """Step from here on."""
        return self._block.next_step

    @property
    def alarm(self) -> Array:
        """Output alarm where an alarm has stopped the run."""
        return self._block.alarm()
