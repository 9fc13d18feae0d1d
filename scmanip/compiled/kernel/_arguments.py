"""The arrays of a call: what they must be, and what is done with those that are not."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, repeat
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidInput, Problem, refuse
from ...symbolic import Program

Array = NDArray[np.float64]
FLOAT64 = np.dtype(np.float64)


@dataclass(frozen=True)
class Slot:
    """One array of the call.

    name : for people; never part of generated code
    shape : of one case
    output : it is written

    >>> Slot("tau", (4,), output=False).label
    "input 'tau'"
    """

    name: str
    shape: tuple[int, ...]
    output: bool

    @property
    def label(self) -> str:
        """The words an error uses."""
        return f"{'output' if self.output else 'input'} '{self.name}'"


def slots(program: Program) -> tuple[Slot, ...]:
    """Return the arrays of a program in the order of the call."""
    inputs = (Slot(item.name, item.shape, False) for item in program.inputs)
    outputs = (Slot(item.name, item.shape, True) for item in program.outputs)
    return (*inputs, *outputs)


class Arguments(NamedTuple):
    """Arrays that machine code can work on.

    ready : C-contiguous and aligned within each case
    strides : bytes from case to case, 0 where all cases share the array
    results : (array of the caller, array to copy into it afterwards)
    cases : how many; 1 for a single call
    """

    ready: tuple[Array, ...]
    strides: tuple[int, ...]
    results: tuple[tuple[Array, Array], ...] = ()
    cases: int = 1

    def hand_over(self) -> None:
        """Copy results to outputs that could not be written directly."""
        for target, result in self.results:
            target[...] = result


def single(expected: Sequence[Slot], arrays: Sequence[Any]) -> Arguments:
    """Return the arguments of one evaluation; raises `InvalidInput` for arrays that are none of float64 in the shapes of slots.

    >>> arguments = single([Slot("q", (2,), output=False)], [np.array([1.0, 2.0])])
    >>> single([Slot("q", (2,), output=False)], [np.zeros(3)])
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: input 'q': expected float64 ... found float64 array of shape (3,)
    """
    _count(expected, arrays)
    if not all(map(_is_plain_input, expected, arrays)):
        refuse(_problem(slot, array, ()) for slot, array in zip(expected, arrays, strict=True))
    ready = tuple(array if array.flags.carray else np.require(array, FLOAT64, ["C", "A"]) for array in arrays)
    return Arguments(ready, (0,) * len(ready), _results(expected, arrays, ready))


def many(expected: Sequence[Slot], arrays: Sequence[Any]) -> Arguments:
    """Return the arguments of a batch: outputs, and inputs that are not shared, have the cases in front."""
    _count(expected, arrays)
    cases = _cases(expected, arrays)
    return _as_they_are(expected, arrays, cases) or _made_ready(expected, arrays, cases)


class Room:
    """Where the outputs of a batch lie that are new arrays: in one, side by side.

    names : of the outputs
    """

    def __init__(self, expected: Sequence[Slot]) -> None:
        outputs = [slot for slot in expected if slot.output]
        self.names = tuple(slot.name for slot in outputs)
        ends = list(accumulate((prod(slot.shape) for slot in outputs), initial=0))
        self._size, self._places = ends[-1], [(a, b, slot.shape) for (a, b), slot in zip(pairwise(ends), outputs, strict=True)]

    def made(self, cases: int) -> list[Array]:
        """Return the outputs of so many cases."""
        whole = np.empty(cases * self._size)
        return [whole[cases * a : cases * b].reshape(cases, *shape) for a, b, shape in self._places]


def _as_they_are(expected: Sequence[Slot], arrays: Sequence[Any], cases: int) -> Arguments | None:
    """Return arrays with which nothing has to be done, as most are; None for others."""
    strides = _strides(expected, arrays, cases)
    if strides is None:
        return None
    outputs = [array for slot, array in zip(expected, arrays, strict=True) if slot.output]
    overlap = any([_overlaps(array, outputs) for slot, array in zip(expected, arrays, strict=True) if not slot.output])
    return None if overlap else Arguments(tuple(arrays), tuple(strides), (), cases)


def _strides(expected: Sequence[Slot], arrays: Sequence[Any], cases: int) -> list[int] | None:
    found = list(map(_stride, expected, arrays, repeat(cases)))
    return None if None in found else cast(list[int], found)


def _stride(slot: Slot, array: Any, cases: int) -> int | None:
    """Return the bytes from case to case of an array that can be used as it is, 0 where it is shared; None of others."""
    if type(array) is not np.ndarray or array.dtype is not FLOAT64:
        return None
    shared = array.shape == slot.shape and not slot.output
    fits, written = shared or array.shape == (cases, *slot.shape), not slot.output or array.flags.writeable
    if not (fits and written and _rows_usable(array, shared)):
        return None
    return 0 if shared else array.strides[0]


def _made_ready(expected: Sequence[Slot], arrays: Sequence[Any], cases: int) -> Arguments:
    """Return arrays as machine code takes them; raises `InvalidInput` for those that do not fit."""
    leads = [
        () if not slot.output and np.ndim(a) == len(slot.shape) else (cases,) for slot, a in zip(expected, arrays, strict=True)
    ]
    if not all(map(_is_plain, expected, arrays, leads)):
        refuse(map(_problem, expected, arrays, leads))
    outputs = [array for slot, array in zip(expected, arrays, strict=True) if slot.output]
    ready = [
        array if _rows_usable(array, not lead) and (slot.output or not _overlaps(array, outputs)) else _copied(array)
        for slot, array, lead in zip(expected, arrays, leads, strict=True)
    ]
    strides = tuple([array.strides[0] if lead else 0 for array, lead in zip(ready, leads, strict=True)])
    return Arguments(tuple(ready), strides, _results(expected, arrays, ready), cases)


def _overlaps(array: Array, outputs: Sequence[Array]) -> bool:
    return any([np.may_share_memory(array, output) for output in outputs])


def address(array: Any) -> int:
    """Return where the numbers of an array begin."""
    if array.flags.carray and array.size:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # in a tenth of the time of the other way
    return int(array.__array_interface__["data"][0])


def _copied(array: Array) -> Array:
    return np.array(array, FLOAT64, order="C")


def _results(expected: Sequence[Slot], arrays: Sequence[Array], ready: Sequence[Array]) -> tuple[tuple[Array, Array], ...]:
    return tuple((a, b) for slot, a, b in zip(expected, arrays, ready, strict=True) if slot.output and a is not b)


def _rows_usable(array: Array, shared: bool) -> bool:
    """Return whether each case is contiguous and aligned, whatever lies between the cases."""
    flags = array.flags
    if flags.c_contiguous and flags.aligned:
        return True
    row = array if shared else array[:1]
    return bool(array.flags.aligned and row.flags.c_contiguous)


def _cases(expected: Sequence[Slot], arrays: Sequence[Any]) -> int:
    """Return the number of cases that the first array with cases has."""
    for slot, array in zip(reversed(expected), reversed(arrays), strict=True):
        if isinstance(array, np.ndarray) and array.ndim == len(slot.shape) + 1:
            return int(array.shape[0])
    return 1


def _count(expected: Sequence[Slot], arrays: Sequence[Any]) -> None:
    if len(arrays) != len(expected):
        names = ", ".join(slot.label for slot in expected)
        raise InvalidInput(Problem("arguments", f"{len(expected)} arrays ({names})", f"{len(arrays)}"))


def _is_plain_input(slot: Slot, array: Any) -> bool:
    """Whether an array is what most are, which is quicker to see than what is wrong with others."""
    return type(array) is np.ndarray and array.dtype is FLOAT64 and array.shape == slot.shape and not slot.output


def _is_plain(slot: Slot, array: Any, lead: tuple[int, ...]) -> bool:
    """Whether an array is what most are, with the cases in front."""
    plain = type(array) is np.ndarray and array.dtype is FLOAT64 and array.shape == (*lead, *slot.shape)
    return plain and (not slot.output or bool(array.flags.writeable))


def _problem(slot: Slot, array: Any, lead: tuple[int, ...]) -> Problem | None:
    """Return what is wrong with an array that should have the shape (*lead, *slot.shape)."""
    shape = (*lead, *slot.shape)
    if not isinstance(array, np.ndarray) or np.ma.isMaskedArray(array):
        return Problem(slot.label, f"float64 array of shape {shape}", type(array).__name__)
    if array.dtype != FLOAT64 or array.shape != shape:
        return Problem(slot.label, f"float64 array of shape {shape}", f"{array.dtype} array of shape {array.shape}")
    if slot.output and not array.flags.writeable:
        return Problem(slot.label, f"writeable float64 array of shape {shape}", "a read-only array")
    return None
