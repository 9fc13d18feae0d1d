"""Right-hand sides that ask Python for numbers before every evaluation, without leaving the integration."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator
from functools import partial
from struct import Struct
from typing import Any, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..kernel._arguments import Array
from ._ode_layout import AREAS, WIDTH
from ._ode_rate import OdeProgram

ASKED = "asked"
SLOTS = 5  # in front of the first parameter: t, the place of y, whether there was an answer, whom to ask, the rates
Answer: TypeAlias = Callable[[float, Array], Array]
_QUESTION = Struct("=dq")
_ANSWERED = 2
_WORD = 8  # bytes
_SOURCE = f"""\
define void @{ASKED}(double %t, ptr %y, ptr %parameters, ptr %ydot, ptr %alarm) nounwind {{
entry:
  store double %t, ptr %parameters, align 8
  %place = getelementptr i64, ptr %parameters, i64 1
  store ptr %y, ptr %place, align 8
  %answered = getelementptr i64, ptr %parameters, i64 {_ANSWERED}
  store i64 0, ptr %answered, align 8
  %whom = getelementptr i64, ptr %parameters, i64 3
  %callback = load ptr, ptr %whom, align 8
  call void %callback(ptr %parameters)
  %known = load i64, ptr %answered, align 8
  %well = icmp eq i64 %known, 1
  br i1 %well, label %on, label %lost
on:
  %rates = getelementptr i64, ptr %parameters, i64 4
  %rate = load ptr, ptr %rates, align 8
  call void %rate(double %t, ptr %y, ptr %parameters, ptr %ydot, ptr %alarm)
  ret void
lost:
  store double 0x7FF8000000000000, ptr %ydot, align 8
  ret void
}}"""


def asked_source() -> list[str]:
    """Return a right-hand side that asks, and then calls another one; rates are NaN where there is no answer."""
    return _SOURCE.splitlines()


class Crossing:
    """A way from machine code to Python: `work` is given an address.

    address : of what machine code calls
    """

    def __init__(self, work: Callable[[int], None]) -> None:
        self._raised: BaseException | None = None
        answers = self._answers(work)
        next(answers)
        self._callback = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(answers.send)
        self.address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def guarded(self, function: Callable[..., None], *arguments: Any) -> None:
        """Call machine code, and raise what the work raised."""
        self._raised = None
        function(*arguments)
        if self._raised is not None:
            raise self._raised

    def _answers(self, work: Callable[[int], None]) -> Generator[None, int, None]:
        """Work, again and again.

        A generator, because an interrupt that comes while machine code runs is raised where Python begins: inside the `try`.
        """
        while True:
            try:
                while True:
                    place = yield
                    if self._raised is None:
                        work(place)
            except GeneratorExit:
                return
            except BaseException as error:  # kept until machine code has come back
                self._raised = error


class Asking:
    """Whom the right-hand side asks.

    head : (SLOTS,) what the first parameter begins with
    """

    def __init__(self, ode: OdeProgram, rate: int, answer: Answer) -> None:
        self._crossing = Crossing(_work(ode.n, ode.parameters[0].size, answer))
        self.head = np.zeros(SLOTS)
        self.head.view(np.int64)[3:] = self._crossing.address, rate

    def guarded(self, function: Callable[..., None]) -> Callable[..., None]:
        """Return an integrator that raises what whoever was asked raised."""
        return partial(self._crossing.guarded, function)


def _work(n: int, size: int, answer: Answer) -> Callable[[int], None]:
    """Return what answers where parameters (size,) with a question lie."""
    last, memory, words, values = 0, _memory(0, 0), _memory(0, 0), np.empty(0)
    known = _Rows(n)

    def work(place: int) -> None:
        nonlocal last, memory, words, values, known
        if place != last:
            memory, known = _memory(place, size), _Rows(n)
            words, values, last = memory.cast("q"), np.frombuffer(memory)[SLOTS:], place
        t, where = _QUESTION.unpack_from(memory)
        values[:] = answer(t, known[where].flatten()[:n])
        words[_ANSWERED] = 1

    return work


class _Rows(dict[int, Array]):
    """y (n,) by its places in the memory of an integration, as rows (k, WIDTH) of which the last may be longer than y."""

    def __init__(self, n: int) -> None:
        self._count = -(-n // WIDTH)

    def __missing__(self, where: int) -> Array:
        row = WIDTH * AREAS
        memory = np.frombuffer(_memory(where, (self._count - 1) * row + WIDTH))
        self[where] = as_strided(memory, (self._count, WIDTH), (_WORD * row, _WORD))
        return self[where]


def _memory(where: int, words: int) -> memoryview:
    return memoryview((ctypes.c_char * (_WORD * words)).from_address(where)).cast("B")


class AskingInPython:
    """The same where integrators are Python: the parameter takes the answer."""

    head = np.zeros(SLOTS)

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def told(self, t: float, y: Array, parameters: Any) -> tuple[Array, ...]:
        """Return the parameters with an answer for y (n,) at `t` in the first one."""
        asked, *others = parameters
        return np.concatenate([asked[:SLOTS], self._answer(float(t), np.array(y))]), *others
