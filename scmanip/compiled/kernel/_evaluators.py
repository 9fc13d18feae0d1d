"""The two ways to evaluate a program: machine code, and NumPy where there is no LLVM."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np

from ...symbolic import MAKING, Program
from . import _many_states, _one_state
from ._arguments import Arguments, address
from ._blocks import run_blocks
from ._cache import Cache
from ._host import Host
from ._objects import Loaded, object_code, order_code
from ._rows import Arrangement
from ._schedule import arranged

BLOCK = 4096  # cases that one thread takes at a time
SHORT = 2**28  # bytes of code, once for each case: about a millisecond


class NumpyEvaluator:
    """Runs the steps on NumPy arrays: slow, same answers. It has no code."""

    address, one_object, many_object = 0, b"", b""

    def __init__(self, program: Program) -> None:
        self._program = program

    def one_source(self) -> str:
        """Return nothing."""
        return ""

    many_source = one_source

    def one(self, arguments: Arguments) -> None:
        """Evaluate one case in place."""
        count = len(self._program.inputs)
        self._store(arguments, self._program.evaluate(*arguments.ready[:count]))

    def many(self, arguments: Arguments, threads: int) -> None:
        """Evaluate all cases in place, in one thread."""
        inputs = [
            np.broadcast_to(array, (arguments.cases, *item.shape))
            for array, item in zip(arguments.ready, self._program.inputs, strict=False)
        ]
        self._store(arguments, self._program.evaluate(*inputs))

    def each(self, arguments: Arguments) -> None:
        """Evaluate all cases in place."""
        self.many(arguments, 1)

    def are_few(self, cases: int) -> bool:
        """Return False: all are evaluated alike."""
        return False

    takes_long = are_few

    def rows_address(self, cases: int) -> int:
        """Return 0."""
        return 0

    def _store(self, arguments: Arguments, results: tuple[Any, ...]) -> None:
        for target, result in zip(arguments.ready[len(self._program.inputs) :], results, strict=True):
            target[...] = result


class MachineCode:
    """Runs the program as machine code; that for one state and that for many are made at their first use."""

    def __init__(self, program: Program, host: Host, cache: Cache | None) -> None:
        self._program, self._host, self._cache = program, host, cache
        self._many: tuple[int, Callable[..., None], Loaded] | None = None

    @cached_property
    def one_object(self) -> bytes:
        """Object code for one state."""
        return object_code(self._host, self._cache, "one", self._program.digest, self.one_source)

    @cached_property
    def _loaded(self) -> Loaded:
        with MAKING:
            return Loaded(self._host, self.one_object)

    @property
    def address(self) -> int:
        """Of the function for one state, which takes a table of array addresses."""
        return self._loaded.address(_one_state.NAME)

    @cached_property
    def _one(self) -> Callable[..., None]:
        return self._loaded.function(_one_state.NAME, ctypes.c_void_p)

    @staticmethod
    def order(program: Program, host: Host, cache: Cache | None, *, many: bool) -> None:
        """Have the code of a program made by a thread, for one state and, if asked for, for many."""
        digest, fused = program.digest, host.fused
        order_code(host, cache, "one", digest, lambda: _one_state.one_state_source(arranged(program), fused))
        if many:
            source = partial(_many_states.many_states_source, lanes=host.lanes, fused=fused)
            order_code(host, cache, f"many {host.lanes}", digest, lambda: source(arranged(program)))

    @cached_property
    def _arranged(self) -> Arrangement:
        return arranged(self._program)

    def one_source(self) -> str:
        """Return the LLVM IR for one state."""
        return _one_state.one_state_source(self._arranged, self._host.fused)

    def many_source(self) -> str:
        """Return the LLVM IR for several states per instruction."""
        return _many_states.many_states_source(self._arranged, self._host.lanes, self._host.fused)

    @cached_property
    def many_object(self) -> bytes:
        """Object code for several states per instruction."""
        return object_code(self._host, self._cache, f"many {self._host.lanes}", self._program.digest, self.many_source)

    def one(self, arguments: Arguments) -> None:
        """Evaluate one case in place."""
        self._one(_table(arguments))

    def many(self, arguments: Arguments, threads: int) -> None:
        """Evaluate all cases in place, blocks of them in several threads."""
        cases = arguments.cases
        if self.are_few(cases):
            self.each(arguments)
            return
        table, strides = _table(arguments), _strides(arguments)
        _, function = self._many_function()
        if threads == 1:
            function(table, strides, 0, cases)
            return
        run_blocks(lambda first, end: function(table, strides, first, end), _bounds(cases, self._host.lanes), threads)

    def each(self, arguments: Arguments) -> None:
        """Evaluate all cases in place, one after the other, by the code for one state."""
        self._each(_table(arguments), _strides(arguments), 0, arguments.cases)

    def rows_address(self, cases: int) -> int:
        """Return that of the function for so many states, which holds for all others that are as few, or as many."""
        return self._loaded.address(_one_state.LOOP) if self.are_few(cases) else self._many_function()[0]

    def are_few(self, cases: int) -> bool:
        """Return whether states are too few for the code for many."""
        return cases < self._host.lanes

    def takes_long(self, cases: int) -> bool:
        """Return whether states take about a millisecond or more, in which others may work."""
        return cases >= self._host.lanes and cases * len(self.many_object) > SHORT

    @cached_property
    def _each(self) -> Callable[..., None]:
        """The code for one state, once for each of some."""
        return self._loaded.function(_one_state.LOOP, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)

    def _many_function(self) -> tuple[int, Callable[..., None]]:
        """Return the code for many states: where it begins, and as a function."""
        with MAKING:
            if self._many is None:
                loaded = Loaded(self._host, self.many_object)
                types = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
                place = loaded.address(_many_states.NAME)
                self._many = place, ctypes.CFUNCTYPE(None, *types)(place), loaded
        return self._many[:2]


KernelEvaluator = MachineCode | NumpyEvaluator


def _table(arguments: Arguments) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(arguments.ready))(*map(address, arguments.ready))


def _strides(arguments: Arguments) -> ctypes.Array[ctypes.c_int64]:
    return (ctypes.c_int64 * len(arguments.strides))(*arguments.strides)


def _bounds(cases: int, lanes: int) -> list[tuple[int, int]]:
    """Return (first, end) of each block; none is shorter than the lanes."""
    starts = list(range(0, max(cases - lanes + 1, 1), BLOCK))
    return list(zip(starts, [*starts[1:], cases], strict=True))
