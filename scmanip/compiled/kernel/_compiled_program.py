"""A program as a callable."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ...errors import InvalidInput, Problem
from ...symbolic import MAKING, Program, no_garbage
from ._arguments import Array, Room, Slot, many, single, slots
from ._cache import Cache
from ._entry import fast_entry, fast_rows
from ._evaluators import KernelEvaluator, MachineCode, NumpyEvaluator
from ._host import host

STANDARD = Cache()


class CompiledProgram:
    """Callable `(*inputs, *outputs)` that evaluates a program once and overwrites the outputs.

    Each argument is a float64 array of the shape that the program gives its input or output, () for a scalar. Inputs that
    are not contiguous are copied, an output may be one of the inputs; anything else raises InvalidInput.

    program : what is evaluated
    evaluator : what does it, with its code where there is LLVM
    function : the same callable without this object around it, some 30 ns faster from Python
    in_batches : whether code for one case is made only where that is asked for

    >>> from scmanip.symbolic import record
    >>> compiled = compile_program(record({"q": (2,)}, lambda q: {"x": q[0] * q[1]}), cache=None)
    >>> product = np.empty(())
    >>> compiled(np.array([2.0, 3.0]), product)
    >>> compiled, float(product)
    (CompiledProgram(input 'q', output 'x'), 6.0)
    """

    __slots__ = ("__call__", "_cache", "_entries", "_room", "_slots", "evaluator", "function", "in_batches", "program")

    __call__: Callable[..., None]
    function: Callable[..., None]

    def __init__(self, program: Program, evaluator: KernelEvaluator, cache: Cache | None, in_batches: bool = False) -> None:
        self.program, self.evaluator, self._cache, self._slots = program, evaluator, cache, slots(program)
        self._room, self._entries, self.in_batches = Room(self._slots), dict[bool, Callable[..., None]](), in_batches
        checked = functools.partial(_evaluate_once, self._slots, evaluator)
        self.function = self.__call__ = checked if in_batches else self._entry(checked, None)

    def _entry(self, checked: Callable[..., Any], bound: float | None) -> Callable[..., Any]:
        return fast_entry(self._slots, self.evaluator.address, checked, self.evaluator, self._cache, bound) or checked

    def __repr__(self) -> str:
        return f"CompiledProgram({', '.join(slot.label for slot in self._slots)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(compile_program, cache=self._cache, in_batches=self.in_batches), (self.program,)

    def within(self, bound: float) -> Callable[..., bool]:
        """Return a callable like `function` that also tells whether the result is plausible.

        It returns whether the first number of the last output lies strictly between -bound and bound; NaN does not, and an
        output without numbers does.
        """
        return self._entry(functools.partial(_evaluate_and_judge, self._slots, self.evaluator, bound), bound)

    def batch(self, *arrays: Any, threads: int = 1) -> None:
        """Evaluate many cases: arrays with the cases in front; an input without them is shared by all.

        threads : how many work at once, on blocks of cases, with the interpreter lock released
        """
        if not isinstance(threads, int) or threads < 1:
            raise InvalidInput(Problem("threads", "a whole number from 1", repr(threads)))
        _evaluate_rows(self._slots, self.evaluator, *arrays, threads=threads)

    def rows(self, cases: int, *inputs: Any) -> dict[str, Array]:
        """Return the outputs (cases, ...) of many cases by their names, in arrays of their own; inputs as of `batch`.

        The interpreter lock is kept where that takes less than about a millisecond.
        """
        outputs = self._room.made(cases)
        if self.evaluator.takes_long(cases):
            self.batch(*inputs, *outputs)
        else:
            self._of_rows(cases)(*inputs, *outputs)
        return dict(zip(self._room.names, outputs, strict=True))

    def _of_rows(self, cases: int) -> Callable[..., None]:
        """Return what evaluates so many cases."""
        few = self.evaluator.are_few(cases)
        if few not in self._entries:
            checked, address = (
                functools.partial(_evaluate_rows, self._slots, self.evaluator),
                self.evaluator.rows_address(cases),
            )
            fast = fast_rows(self._slots, address, checked, self.evaluator, self._cache) if self._room.names else None
            self._entries[few] = fast or checked
        return self._entries[few]


def compile_program(program: Program, *, cache: Cache | None = STANDARD, in_batches: bool = False) -> CompiledProgram:
    """Return a program as machine code, or evaluated by NumPy where llvmlite is missing or cannot be loaded.

    cache : keeps object code between processes; None keeps nothing
    in_batches : make that for one case only where it is asked for

    >>> from scmanip.symbolic import record
    >>> compiled = compile_program(record({"q": (2,)}, lambda q: {"twice": 2 * q}), cache=None)
    >>> twice = np.empty(2)
    >>> compiled(np.array([1.0, 3.0]), twice)
    >>> twice.tolist()
    [2.0, 6.0]
    """
    with MAKING, no_garbage():
        return CompiledProgram(program, _evaluator(program, cache), cache, in_batches)


def order_program(program: Program, *, many: bool = False, cache: Cache | None = STANDARD) -> None:
    """Have a thread make the machine code that `compile_program` will need.

    many : also that of a batch

    >>> from scmanip.symbolic import record
    >>> program = record({"q": (2,)}, lambda q: {"sum": q[0] + q[1]})
    >>> order_program(program, cache=None)  # a thread begins; what compile_program needs is soon there
    >>> total = np.empty(())
    >>> compile_program(program, cache=None)(np.array([1.0, 3.0]), total)
    >>> float(total)
    4.0
    """
    with suppress(ImportError, OSError):  # no LLVM, no code
        MachineCode.order(program, host(), cache, many=many)


def _evaluator(program: Program, cache: Cache | None) -> KernelEvaluator:
    try:
        here = host()
    except (ImportError, OSError):  # absent, or its library cannot be loaded
        return NumpyEvaluator(program)
    return MachineCode(program, here, cache)


def _evaluate_once(expected: tuple[Slot, ...], evaluator: KernelEvaluator, *arrays: Any) -> None:
    arguments = single(expected, arrays)
    evaluator.one(arguments)
    arguments.hand_over()


def _evaluate_rows(expected: tuple[Slot, ...], evaluator: KernelEvaluator, *arrays: Any, threads: int = 1) -> None:
    arguments = many(expected, arrays)
    evaluator.many(arguments, threads)
    arguments.hand_over()


def _evaluate_and_judge(expected: tuple[Slot, ...], evaluator: KernelEvaluator, bound: float, *arrays: Any) -> bool:
    _evaluate_once(expected, evaluator, *arrays)
    return first_within(arrays[-1], bound)


def first_within(array: Array, bound: float) -> bool:
    """Return whether the first number of an array, in any unit, if it has one, lies strictly between -bound and bound.

    >>> first_within(np.array([5.0, 1e9]), 10.0), first_within(np.array([np.nan]), 10.0), first_within(np.empty(0), 10.0)
    (True, False, True)
    """
    return not array.size or bool(-bound < array.item(0) < bound)
