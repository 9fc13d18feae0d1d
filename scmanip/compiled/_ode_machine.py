"""Integration in machine code, without Python between the steps."""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ._arguments import Array
from ._blocks import Bounds, run_blocks
from ._cache import Cache
from ._host import Host
from ._loaded import Loaded
from ._objects import object_code
from ._ode_arguments import FixedTask, Task
from ._ode_module import ADAPTIVE, METHODS, integrators_source
from ._ode_rate import NAME as RATE_FUNCTION
from ._ode_rate import OdeProgram, rate_source
from ._ode_result import Ran

PART = 8  # of what every thread is given: blocks, so that none waits long for the last
LINE = 64  # bytes of a cache line, where the workspace begins


class OdeMachineCode:
    """The integrators of one right-hand side; the code for many trajectories is made at its first use."""

    def __init__(self, ode: OdeProgram, host: Host, cache: Cache | None) -> None:
        self._ode, self._host, self._cache = ode, host, cache
        self._making = threading.Lock()
        self._one = _Ready(ode, host, cache, 1)
        self._many: _Ready | None = None

    def source(self) -> str:
        """Return the LLVM IR of the right-hand side for one trajectory."""
        return rate_source(self._ode, 1, self._host.fused)

    def solve(self, task: Task) -> Ran:
        """Integrate with controlled steps."""
        ready, n = self._one, self._ode.n
        atol = np.ones(ready.layout.padded)
        atol[:n] = task.atol
        samples, last = np.empty((task.samples.size, n)), np.empty(n)
        numbers = np.array([task.t_0, task.t_1, task.rtol, task.first_step, task.max_step])
        counts = np.array([task.max_steps, task.samples.size, 0, 0, 0, 0])
        y_0, *parameters = task.arguments.ready
        call = ready.call([y_0, last, atol, task.samples, samples, *parameters], None, numbers, counts)
        work = ready.workspace()
        ready.functions[ADAPTIVE](*call, _address(work), ready.rate, 0, 1)
        steps, evaluations, status, stored = map(int, counts[2:])
        alarm = work[ready.layout.alarm_places()].reshape(self._ode.alarm_shape).copy()
        t, next_step = float(numbers[0]), float(numbers[3])
        return Ran(samples[:stored], t, last, steps, evaluations, next_step, status, alarm)

    def fixed(self, task: FixedTask, results: Array, threads: int | None) -> None:
        """Integrate with fixed steps into `results` (cases, samples, n), in lanes; one trajectory if `threads` is None."""
        ready = self._one if threads is None else self._lanes()
        numbers, counts = np.array([task.t_0, task.dt]), np.array([task.samples, task.every])
        y_0, *parameters = task.arguments.ready
        lead, *strides = task.arguments.strides
        call = ready.call([y_0, results, *parameters], [lead, results.strides[0], *strides], numbers, counts)
        function = ready.functions[task.method]

        def run(first: int, end: int) -> None:
            work = ready.workspace()
            function(*call, _address(work), ready.rate, first, end)

        run_blocks(run, _blocks(task.arguments.cases, ready.layout.lanes, threads or 1), threads or 1)

    def _lanes(self) -> _Ready:
        with self._making:
            if self._many is None:
                self._many = _Ready(self._ode.without_alarm, self._host, self._cache, self._host.lanes)
        return self._many


class _Ready:
    """A right-hand side and the integrators, both in memory.

    functions : the integrators by name
    rate : address of the right-hand side
    """

    def __init__(self, ode: OdeProgram, host: Host, cache: Cache | None, lanes: int) -> None:
        self.layout, self._sizes = ode.layout(lanes), np.array(ode.sizes)
        code = object_code(host, cache, f"rate {lanes}", ode.digest, lambda: rate_source(ode, lanes, host.fused))
        self._loaded = Loaded(host, code)
        self._owner, self.functions = _integrators(host, cache, lanes)
        self.rate = self._loaded.address(RATE_FUNCTION)

    def call(self, arrays: list[Array], strides: list[int] | None, numbers: Array, counts: Any) -> tuple[Any, ...]:
        """Return the first arguments of an integrator; the arrays must be kept until it returns."""
        table = (ctypes.c_void_p * len(arrays))(*map(_address, arrays))
        lengths = (ctypes.c_int64 * len(arrays))(*(strides or ()))
        return table, lengths, *map(_address, (self._sizes, numbers, counts))

    def workspace(self) -> Array:
        """Return new memory that begins with a cache line."""
        space = np.zeros(self.layout.size + LINE // 8)
        return space[-_address(space) % LINE // 8 :]


@functools.cache
def _integrators(host: Host, cache: Cache | None, lanes: int) -> tuple[Loaded, dict[str, Callable[..., None]]]:
    """Return the integrators by name and what owns them; they are the same for all right-hand sides."""
    code = object_code(host, cache, f"integrators {lanes}", "", lambda: integrators_source(lanes, host.fused))
    loaded = Loaded(host, code)
    names = [*METHODS, ADAPTIVE] if lanes == 1 else METHODS
    functions = {name: loaded.function(name, *[ctypes.c_void_p] * 7, ctypes.c_int64, ctypes.c_int64) for name in names}
    return loaded, functions


def _address(array: Any) -> int:
    return int(array.ctypes.data)


def _blocks(cases: int, lanes: int, threads: int) -> list[Bounds]:
    """Return (first, end) of each block, all lanes of all but the last block full."""
    size = lanes * max(1, cases // (lanes * threads * PART))
    return [(first, min(first + size, cases)) for first in range(0, cases, size)]
