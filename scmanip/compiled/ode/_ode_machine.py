"""Integration in machine code, without Python between the steps."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from copy import copy
from typing import TypeAlias

import numpy as np

from ...symbolic import MAKING
from ..kernel._arguments import Array, address
from ..kernel._blocks import Bounds, run_blocks
from ..kernel._cache import Cache
from ..kernel._host import Host
from ..kernel._objects import Loaded, object_code, order_code
from ._ode_adaptive import ADAPTIVE, ALARM
from ._ode_arguments import FixedTask, OdeTask
from ._ode_asked import ASKED, Answer, Asking, Crossing
from ._ode_block import BlockPlan, OdeBlock
from ._ode_machine_run import MachineRun
from ._ode_module import METHODS, ROUTE, integrators_source
from ._ode_rate import NAME as RATE_FUNCTION
from ._ode_rate import OdeProgram, rate_source
from ._ode_result import OdeResult, OdeStatus
from ._ode_route import UNIT
from ._ode_run import OdeRun

RATES, INTEGRATORS = "rate {}", "integrators {}"  # kinds of code, by lanes
Functions: TypeAlias = dict[str, Callable[..., None]]
PART = 8  # of what every thread is given: blocks, so that none waits long for the last


class OdeMachineCode:
    """The integrators of one right-hand side; the code for many trajectories is made at its first use."""

    def __init__(self, ode: OdeProgram, host: Host, cache: Cache | None) -> None:
        self._ode, self._host, self._cache = ode, host, cache
        self._one, self._plan = _Ready(ode, host, cache, 1), BlockPlan(ode)
        self._many: _Ready | None = None

    def asking(self, answer: Answer) -> tuple[OdeMachineCode, Array]:
        """Return the same for one trajectory, whose right-hand side asks, and what its first parameter begins with."""
        made = copy(self)
        made._one = copy(self._one)
        asking = Asking(self._ode, self._one.rate, answer)
        made._one.functions = {name: asking.guarded(function) for name, function in self._one.holding.items()}
        made._one.rate = self._one.asked
        return made, asking.head

    @staticmethod
    def order(ode: OdeProgram, host: Host, cache: Cache | None) -> None:
        """Have a thread make the code for one trajectory."""
        order_code(host, cache, RATES.format(1), ode.digest, lambda: rate_source(ode, 1, host.fused))
        order_code(host, cache, INTEGRATORS.format(1), "", lambda: integrators_source(1, host.fused))

    def source(self) -> str:
        """Return the LLVM IR of the right-hand side for one trajectory."""
        return rate_source(self._ode, 1, self._host.fused)

    def solve(self, task: OdeTask) -> OdeResult:
        """Integrate with controlled steps."""
        block = OdeBlock(self._plan, task)
        self._adaptive(block)()
        steps, evaluations, status, stored = block.counted
        samples, alarm = block.samples(stored), block.alarm() if status == ALARM else None
        t, ended = task.samples[:stored].copy(), OdeStatus(status)
        return OdeResult(t, samples, block.end_t, block.end_y, steps, evaluations, block.next_step, ended, alarm)

    def begin(self, task: OdeTask) -> OdeRun:
        """Return the same as a run from stop to stop; its end is not looked at."""
        return MachineRun(self._adaptive, self._route, self._one.functions[UNIT], OdeBlock(self._plan, task), task)

    def _adaptive(self, block: OdeBlock) -> Callable[[], None]:
        """Return the call that integrates, made ready to be repeated."""
        ready = self._one
        arrays, strides, numbers, counts, work = block.addresses
        places = map(ctypes.c_void_p, (arrays, strides, ready.sizes, numbers, counts, work, ready.rate))
        return functools.partial(ready.functions[ADAPTIVE], *places, ctypes.c_int64(0), ctypes.c_int64(1))

    def _route(self, block: OdeBlock, plan: int, crossing: Crossing | None) -> None:
        ready = self._one
        arrays, strides, numbers, counts, work = block.addresses
        given = arrays, strides, ready.sizes, numbers, counts, work, ready.rate, 0, 1, plan
        if crossing is None:
            ready.functions[ROUTE](*given)
        else:
            crossing.guarded(ready.holding[ROUTE], *given)

    def fixed(self, task: FixedTask, results: Array, errors: Array, threads: int | None) -> None:
        """Integrate with fixed steps into `results` (cases, samples, n), in lanes; one trajectory if `threads` is None.

        errors : (cases, n) zeros, to which the estimated errors of all steps of "dop853" are added
        """
        ready = self._one if threads is None else self._lanes()
        numbers, counts = np.array([task.t_0, task.dt]), np.array([task.samples, task.every])
        (y_0, *parameters), (lead, *others) = task.arguments.ready, task.arguments.strides
        arrays = np.array([address(array) for array in (y_0, results, errors, *parameters)])
        strides = np.array([lead, results.strides[0], errors.strides[0], *others])
        call = [address(array) for array in (arrays, strides)] + [ready.sizes] + [address(a) for a in (numbers, counts)]
        function = ready.functions[task.method]

        def run(first: int, end: int) -> None:
            work = np.zeros(ready.layout.size)
            function(*call, address(work), ready.rate, first, end)

        run_blocks(run, _blocks(task.arguments.cases, ready.layout.lanes, threads or 1), threads or 1)

    def _lanes(self) -> _Ready:
        with MAKING:
            if self._many is None:
                self._many = _Ready(self._ode.without_alarm, self._host, self._cache, self._host.lanes)
        return self._many


class _Ready:
    """A right-hand side and the integrators, both in memory.

    functions : the integrators by name; holding : those of one trajectory, which keep the interpreter lock
    rate, sizes : addresses of the right-hand side and of what the integrators are told about it
    asked : address of a right-hand side that asks
    """

    def __init__(self, ode: OdeProgram, host: Host, cache: Cache | None, lanes: int) -> None:
        self.layout, self._sizes = ode.layout(lanes), np.array(ode.sizes)
        self.sizes = address(self._sizes)
        code = object_code(host, cache, RATES.format(lanes), ode.digest, lambda: rate_source(ode, lanes, host.fused))
        self._loaded = Loaded(host, code)
        self._owner, self.functions, self.holding, self.asked = _integrators(host, cache, lanes)
        self.rate = self._loaded.address(RATE_FUNCTION)


@functools.cache
def _integrators(host: Host, cache: Cache | None, lanes: int) -> tuple[Loaded, Functions, Functions, int]:
    """Return what owns the integrators, and what `_Ready` says of them; they are the same for all right-hand sides."""
    code = object_code(host, cache, INTEGRATORS.format(lanes), "", lambda: integrators_source(lanes, host.fused))
    loaded = Loaded(host, code)
    kinds = [*[ctypes.c_void_p] * 7, ctypes.c_int64, ctypes.c_int64]
    functions = {name: loaded.function(name, *kinds) for name in ([*METHODS, ADAPTIVE] if lanes == 1 else METHODS)}
    if lanes > 1:
        return loaded, functions, {}, 0
    functions[ROUTE] = loaded.function(ROUTE, *kinds, ctypes.c_void_p)
    functions[UNIT] = loaded.function(UNIT, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    holding = {name: loaded.holding(name, *kinds) for name in (*METHODS, ADAPTIVE)}
    holding[ROUTE] = loaded.holding(ROUTE, *kinds, ctypes.c_void_p)
    return loaded, functions, {**functions, **holding}, loaded.address(ASKED)


def _blocks(cases: int, lanes: int, threads: int) -> list[Bounds]:
    """Return (first, end) of each block, all lanes of all but the last block full."""
    size = lanes * max(1, cases // (lanes * threads * PART) if threads > 1 else -(-cases // lanes))
    return [(first, min(first + size, cases)) for first in range(0, cases, size)]
