"""A trajectory in machine code that keeps its memory from stop to stop."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ._arguments import Array
from ._ode_arguments import Task
from ._ode_block import Block
from ._ode_result import OdeStatus
from ._ode_route import NUMBER, RESUMED
from ._ode_run import Route


class MachineRun:
    """An `OdeRun`; going on costs some microseconds beside the steps."""

    def __init__(
        self, integrate: Callable[[Block], None], route: Callable[[Block, int], None], block: Block, task: Task
    ) -> None:
        self._integrate, self._route, self._block, self._stored = integrate, route, block, 0
        self._times = task.samples
        self.t, self.y, self.parameters = task.t_0, block.start, block.parameters
        self.steps = self.evaluations = 0

    def to(self, t_1: float, *, first_step: float = 0.0, max_steps: int = 100_000) -> OdeStatus:
        """Go on."""
        block = self._block
        block.aim(t_1, first_step, max_steps, self._stored)
        self._integrate(block)
        block.land()
        return self._landed()

    def rewind(self, t: float, y: Array) -> None:
        """Go back to `t`."""
        self.t, self.y[:] = t, y
        self._block.go_back(t)
        self._stored = min(self._stored, int(np.searchsorted(self._times, t, side="right")))

    def along(self, route: Route, *, max_steps: int = 100_000) -> OdeStatus:
        """Go on along a route."""
        block = self._block
        block.aim(self.t, None, max_steps, self._stored)
        target = block.address_of_parameter(route.parameter)
        arrays = (route.stops, route.rows, route.quaternions)
        stops, rows, places = (array.ctypes.data for array in arrays)
        count, size = route.rows.shape
        plan = np.array([stops, rows, size, target, route.quaternions.size, places, route.number, count, route.resumed])
        self._route(block, plan.ctypes.data)
        route.number, route.resumed = int(plan[NUMBER]), bool(plan[RESUMED])
        return self._landed()

    def _landed(self) -> OdeStatus:
        block = self._block
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
