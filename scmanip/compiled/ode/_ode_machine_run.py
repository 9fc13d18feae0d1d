"""A trajectory in machine code that keeps its memory from stop to stop."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import isnan
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from ..kernel._arguments import Array
from ._ode_arguments import OdeTask
from ._ode_asked import Crossing
from ._ode_block import OdeBlock, address_of
from ._ode_result import OdeStatus
from ._ode_route import ANSWERED, NUMBER, RESUMED, WORDS
from ._ode_run import OdeRun, Route

STATUSES = tuple(OdeStatus)
NO_SHAPES = np.empty(0)
PLAN = Struct(f"={WORDS - 1}qd")


class MachineRun(OdeRun):
    """An `OdeRun`; going on costs some microseconds beside the steps."""

    def __init__(
        self,
        integrator: Callable[[OdeBlock], Callable[[], None]],
        route: Callable[[OdeBlock, int, Crossing | None], None],
        unit: Callable[[int, int, int], None],
        block: OdeBlock,
        task: OdeTask,
    ) -> None:
        self._integrator, self._route, self._unit, self._block, self._stored = integrator, route, unit, block, 0
        self._times, self._room, self._shapes, self._noted = task.samples, np.empty(0), NO_SHAPES, 0
        self._room_address = address_of(self._room)
        self.t, self.y = task.t_0, block.start
        self.steps = self.evaluations = 0

    @cached_property
    def _integrate(self) -> Callable[[], None]:
        return self._integrator(self._block)

    @cached_property
    def parameters(self) -> tuple[Array, ...]:  # type: ignore[override]  # read from the block
        return self._block.parameters

    def to(self, t_1: float, *, first_step: float = 0.0, max_steps: int = 100_000) -> OdeStatus:
        """Go on."""
        block = self._block
        block.aim(t_1, first_step, max_steps, self._stored, self._room_for(max_steps), 0)
        self._shapes = NO_SHAPES
        try:
            self._integrate()
        finally:  # whoever is asked may raise
            status = self._landed()
        return status

    def unit(self, quaternions: NDArray[np.int64]) -> None:
        """Give them norm 1."""
        self._unit(self._block.start_address, address_of(quaternions), len(quaternions))

    def rewind(self, t: float, y: Array) -> None:
        """Go back to `t`."""
        self.t, self.y[:] = t, y
        self._block.go_back(t)
        self._stored = min(self._stored, int(np.searchsorted(self._times, t, side="right")))

    def along(self, route: Route, *, max_steps: int = 100_000, shaped: bool = False) -> OdeStatus:
        """Go on along a route."""
        block = self._block
        self._shapes = np.empty((max_steps * shaped, *block.shape))
        first = route.first if isnan(route.first_step) else None
        shapes = address_of(self._shapes) if shaped else 0
        block.aim(self.t, first, max_steps, self._stored, self._room_for(max_steps), shapes)
        target = block.address_of_parameter(route.parameter)
        stops, rows, places = map(address_of, (route.stops, route.rows, route.quaternions))
        count, size = route.rows.shape
        words = stops, rows, size, target, len(route.quaternions), places, route.number, count, route.resumed
        plan = np.empty(WORDS, np.int64)
        crossing = None if route.ask is None else self._asking(route.ask, plan.data)
        asked = (0 if crossing is None else crossing.address), 1
        PLAN.pack_into(plan.data, 0, *words, *asked, route.first_step)
        try:
            self._route(block, address_of(plan), crossing)
        finally:
            route.number, route.resumed = int(plan[NUMBER]), bool(plan[RESUMED])
            status = self._landed()
        return status

    def _asking(self, ask: Callable[[float, Array], bool], plan: memoryview) -> Crossing:
        """Return the way from the start of a stretch to whom is asked there, and of the answer into the plan."""
        numbers, y = self._block.numbers, self.y

        def asked(place: int) -> None:
            plan[ANSWERED] = ask(numbers[0], y)

        return Crossing(asked)

    def _landed(self) -> OdeStatus:
        block = self._block
        steps, evaluations, status, stored = block.counted
        self.t, self._stored, self._noted = block.end_t, self._stored + stored, steps
        self.steps, self.evaluations = self.steps + steps, self.evaluations + evaluations
        return STATUSES[status]

    def _room_for(self, steps: int) -> int:
        """Return the address of room for the ends of so many steps."""
        if steps > self._room.size:
            self._room = np.empty(steps)
            self._room_address = address_of(self._room)
        return self._room_address

    @property
    def ends(self) -> list[float]:  # type: ignore[override]  # read from the room
        ends: list[float] = self._room[: self._noted].tolist()
        return ends

    @property
    def shapes(self) -> Array:  # type: ignore[override]  # read from the room
        return self._shapes[: self._noted].copy()

    @property
    def samples(self) -> Array:  # type: ignore[override]  # read from the block
        return self._block.samples(self._stored)

    @property
    def next_step(self) -> float:  # type: ignore[override]  # read from the block
        return self._block.next_step

    @property
    def alarm(self) -> Array:  # type: ignore[override]  # read from the block
        return self._block.alarm()
