"""The memory of one integration with controlled steps, in one piece: to look up many addresses takes longer than many steps."""

from __future__ import annotations

import ctypes
from itertools import accumulate
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernel._arguments import Array
from ._ode_adaptive import COUNTS, NUMBERS
from ._ode_arguments import OdeTask
from ._ode_layout import ARRAYS, SHAPE_PARTS, WIDTH
from ._ode_rate import OdeProgram

LINE = 64  # bytes of a cache line
FRESH_COUNTS, COUNTED, PLACES = Struct(f"=2q{8 * (COUNTS - 2)}x"), Struct(f"={COUNTS - 2}q"), Struct("=4q")
NOTHING = ctypes.c_char * 0  # an empty array has an address too


def address_of(array: NDArray[Any]) -> int:
    """Return where a contiguous array that may be written lies, in half the time that NumPy takes."""
    return ctypes.addressof(NOTHING.from_buffer(array.data))


class BlockPlan:
    """Where everything lies in the memory of one call of `adaptive`; times and samples come last.

    The state at the end takes the place of y_0, so that the next call starts there.
    """

    def __init__(self, ode: OdeProgram) -> None:
        self.n, self.layout, self.alarm_shape = ode.n, ode.layout(1), ode.alarm_shape
        sizes = [item.size for item in ode.parameters]
        parts = (self.layout.size, NUMBERS, COUNTS, ARRAYS + len(sizes), ARRAYS + len(sizes), self.n)
        starts = list(accumulate((*parts, self.layout.padded, *sizes), initial=0))
        self.numbers, self.counts, self.strides, self.table, self.y_0, self.atol = starts[1:7]
        self.parameters, self.times = starts[7:-1], starts[-1]
        self.door = [8 * place for place in (self.table, self.strides, self.numbers, self.counts, 0)]
        self.counts_at, self.counted_at, self.places_at = (
            8 * place for place in (self.counts, self.counts + 2, self.table + ARRAYS - 4)
        )
        self.spare = np.ones(self.layout.padded - self.n)
        self.arrays = [8 * place for place in (self.y_0, self.y_0, self.atol, self.times, self.times, 0, 0, *self.parameters)]
        self.head = Struct(f"={NUMBERS}d2q{8 * (self.table - self.counts - 2)}x{len(self.arrays)}q")


class OdeBlock:
    """That memory, filled.

    addresses : of arrays, strides, numbers, counts and workspace
    numbers : those of the integrators, of which the first is the time where it has come to
    """

    def __init__(self, plan: BlockPlan, task: OdeTask) -> None:
        self._plan, self._task = plan, task
        self._wanted, n = task.samples.size, plan.n
        space = np.zeros(plan.times + self._wanted * (1 + n) + LINE // 8)
        address = address_of(space)
        skip = -address % LINE
        self._doubles, start = space[skip // 8 :], address + skip
        self._bytes: Any = self._doubles.data
        self.numbers: Any = self._doubles[plan.numbers : plan.counts].data
        self._fill(start)
        self.addresses = tuple([start + place for place in plan.door])

    def _fill(self, start: int) -> None:
        plan, task, wanted = self._plan, self._task, self._task.samples.size
        numbers = task.t_0, task.t_1, task.rtol, task.first_step, task.max_step, task.even
        places = [start + place for place in plan.arrays]
        places[ARRAYS - 3] += 8 * wanted
        places[ARRAYS - 2 : ARRAYS] = 0, 0
        plan.head.pack_into(self._doubles.data, 8 * plan.numbers, *numbers, task.max_steps, wanted, *places)
        self._times = start + 8 * plan.times
        y_0, *parameters = [array if array.ndim == 1 else array.ravel() for array in task.arguments.ready]
        given = (y_0, task.atol, plan.spare, *parameters, task.samples)
        np.concatenate(given, out=self._doubles[plan.y_0 : plan.times + wanted])

    @property
    def parameters(self) -> tuple[Array, ...]:
        """The parameters, to be read and written."""
        arrays = self._task.arguments.ready[1:]
        places = zip(self._plan.parameters, arrays, strict=True)
        return tuple(self._doubles[place : place + array.size].reshape(array.shape) for place, array in places)

    def address_of_parameter(self, number: int) -> int:
        """Return where a parameter lies."""
        return self._times + 8 * (int(self._plan.parameters[number]) - self._plan.times)

    @property
    def start(self) -> Array:
        """y (n,) at the start, to be read and written."""
        return self._doubles[self._plan.y_0 : self._plan.atol]

    @property
    def start_address(self) -> int:
        """Where that y is."""
        return self._times + 8 * (self._plan.y_0 - self._plan.times)

    def aim(self, t_1: float, first_step: float | None, max_steps: int, stored: int, ends: int, shapes: int) -> None:
        """Make ready to go on to `t_1` from where the last call ended, with so many samples stored.

        first_step : as in `OdeRun.to`; None keeps what the last call suggested
        ends : address of `max_steps` numbers, to be the times at which steps end
        shapes : address of so many rows of `shape`, to be those of the steps; 0 for none
        """
        plan, numbers, wanted = self._plan, self.numbers, self._wanted
        numbers[1] = t_1
        if first_step is not None:
            numbers[3] = first_step
        FRESH_COUNTS.pack_into(self._bytes, plan.counts_at, max_steps, wanted - stored)
        places = self._times + 8 * stored, self._times + 8 * (wanted + plan.n * stored), ends, shapes
        PLACES.pack_into(self._bytes, plan.places_at, *places)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of what is kept of a step: rows of y, parts, and entries of y in a row."""
        return self._plan.layout.padded // WIDTH, SHAPE_PARTS, WIDTH

    def go_back(self, t: float) -> None:
        """Let the next call start at `t`."""
        self.numbers[0] = t

    @property
    def counted(self) -> tuple[int, int, int, int]:
        """Steps, evaluations, status, samples stored."""
        counts: tuple[int, int, int, int] = COUNTED.unpack_from(self._bytes, self._plan.counted_at)
        return counts

    @property
    def end_t(self) -> float:
        """Time at the end."""
        return float(self.numbers[0])

    @property
    def next_step(self) -> float:
        """Step from there on."""
        return float(self.numbers[3])

    @property
    def end_y(self) -> Array:
        """y (n,) at the end."""
        return self.start.copy()

    def samples(self, stored: int) -> Array:
        """Return the samples (stored, n)."""
        first, n = self._plan.times + self._task.samples.size, self._plan.n
        return self._doubles[first : first + stored * n].reshape(stored, n).copy()

    def alarm(self) -> Array:
        """Return the output alarm in the last state that was accepted, if an alarm ended the integration."""
        return self._doubles[self._plan.layout.alarm_places()].reshape(self._plan.alarm_shape).copy()
