"""Integration in machine code, without Python between the steps."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np

from ._arguments import Array
from ._blocks import Bounds, run_blocks
from ._cache import Cache
from ._host import Host
from ._loaded import Loaded
from ._objects import object_code
from ._ode_arguments import FixedTask, Task
from ._ode_layout import Layout
from ._ode_module import ADAPTIVE, ode_source
from ._ode_rate import OdeProgram
from ._ode_result import Ran

PART = 8  # of what every thread is given: blocks, so that none waits long for the last
LINE = 64  # bytes of a cache line, where the workspace begins


class OdeMachineCode:
    """The integrators of one right-hand side; the code for many trajectories is made at its first use."""

    def __init__(self, ode: OdeProgram, host: Host, cache: Cache | None) -> None:
        self._host, self._cache = host, cache
        self._one, self._many = Layout(ode, 1), Layout(ode.without_alarm, host.lanes)
        self._making = threading.Lock()
        self._loaded_one = self._made(self._one)
        self._loaded_many: Loaded | None = None

    def source(self, lanes: int) -> str:
        """Return the LLVM IR for one trajectory, or for the lanes of this processor."""
        return ode_source(self._one if lanes == 1 else self._many, self._host.fused)

    def _made(self, layout: Layout) -> Loaded:
        kind = f"ode {layout.lanes}"
        code = object_code(self._host, self._cache, kind, layout.ode.digest, lambda: ode_source(layout, self._host.fused))
        return Loaded(self._host, code)

    def solve(self, task: Task) -> Ran:
        """Integrate with controlled steps."""
        layout, n = self._one, self._one.ode.n
        atol = np.ones(layout.padded)
        atol[:n] = task.atol
        samples, last = np.empty((task.samples.size, n)), np.empty(n)
        numbers = np.array([task.t_0, task.t_1, task.rtol, task.first_step, task.max_step])
        counts = np.array([task.max_steps, task.samples.size, 0, 0, 0, 0])
        work = _workspace(layout)
        arrays = [*task.arguments.ready, atol, task.samples, samples, last]
        function = self._loaded_one.function(ADAPTIVE, *[ctypes.c_void_p] * 5)
        function(_addresses(arrays), (ctypes.c_int64 * len(arrays))(), *map(_address, (numbers, counts, work)))
        steps, evaluations, status, stored = map(int, counts[2:])
        alarms = work[layout.alarms : layout.alarms + layout.ode.alarms].reshape(layout.ode.alarm_shape)
        t, _, _, next_step, _ = map(float, numbers)
        return Ran(samples[:stored], t, last, steps, evaluations, next_step, status, alarms.copy())

    def fixed(self, task: FixedTask, results: Array, threads: int | None) -> None:
        """Integrate with fixed steps into `results` (cases, samples, n), in lanes; one trajectory if `threads` is None."""
        layout, loaded = (self._one, self._loaded_one) if threads is None else (self._many, self._lanes())
        arguments = task.arguments
        numbers, counts = np.array([task.t_0, task.dt]), np.array([task.samples, task.every])
        table = _addresses([*arguments.ready, results])
        strides = (ctypes.c_int64 * len(table))(*arguments.strides, results.strides[0])
        function = loaded.function(task.method, *[ctypes.c_void_p] * 5, ctypes.c_int64, ctypes.c_int64)

        def run(first: int, end: int) -> None:
            work = _workspace(layout)
            function(table, strides, _address(numbers), _address(counts), _address(work), first, end)

        run_blocks(run, _blocks(arguments.cases, layout.lanes, threads or 1), threads or 1)

    def _lanes(self) -> Loaded:
        with self._making:
            if self._loaded_many is None:
                self._loaded_many = self._made(self._many)
        return self._loaded_many


def _workspace(layout: Layout) -> Array:
    space = np.zeros(layout.size + LINE // 8)
    return space[-space.ctypes.data % LINE // 8 :]


def _address(array: Any) -> int:
    return int(array.ctypes.data)


def _addresses(arrays: list[Array]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(arrays))(*map(_address, arrays))


def _blocks(cases: int, lanes: int, threads: int) -> list[Bounds]:
    """Return (first, end) of each block, all lanes of all but the last block full."""
    size = lanes * max(1, cases // (lanes * threads * PART))
    return [(first, min(first + size, cases)) for first in range(0, cases, size)]
