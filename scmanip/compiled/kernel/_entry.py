"""The way from Python into machine code in some twenty nanoseconds, where this interpreter is one that it knows.

A built-in function is made around machine code that reads the fields of NumPy arrays. Everything that depends on the
layout of CPython's and NumPy's objects is in this file. The layout is read back from live objects and the
function is tried before it is used; where anything differs, calls go through ctypes instead.
"""

from __future__ import annotations

import ctypes
import functools
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from ._arguments import Slot
from ._cache import Cache
from ._host import Host, host
from ._objects import Loaded, object_code

METH_FASTCALL = 0x80
MOST_ARRAYS = 64
CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400  # NumPy's flags
TYPE, DATA, RANK, LENGTHS, DTYPE, FLAGS = 8, 16, 24, 32, 56, 64  # bytes into an array object
IMMORTAL = (3, 12)  # from then on the counts of references of None, True and False must be left alone
RECORD = 8 * 11  # bytes before what each array must be
FIRST_KNOWN, FIRST_UNKNOWN = (3, 11), (3, 15)

Function = Callable[..., Any]

# The record that the entry reads: eleven words, then for each array its flags, its rank and its lengths.
SOURCE = f"""
define ptr @entry(ptr %self, ptr %arguments, i64 %count) nounwind {{
start:
  %table = alloca [{MOST_ARRAYS} x ptr], align 8
  %record.slot = getelementptr i8, ptr %self, i64 ITEMS
  %record.object = load ptr, ptr %record.slot, align 8
  %record = getelementptr i8, ptr %record.object, i64 CONTENT
  %expected = load i64, ptr %record, align 1
  %enough = icmp eq i64 %count, %expected
  br i1 %enough, label %prepare, label %refuse
prepare:
  %array.type.slot = getelementptr i8, ptr %record, i64 8
  %array.type = load ptr, ptr %array.type.slot, align 1
  %dtype.slot = getelementptr i8, ptr %record, i64 16
  %dtype = load ptr, ptr %dtype.slot, align 1
  %wanted.first = getelementptr i8, ptr %record, i64 {RECORD}
  br label %check
check:
  %k = phi i64 [ 0, %prepare ], [ %k.next, %accept ]
  %wanted = phi ptr [ %wanted.first, %prepare ], [ %wanted.next, %accept ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %run, label %examine
examine:
  %argument.slot = getelementptr ptr, ptr %arguments, i64 %k
  %array = load ptr, ptr %argument.slot, align 8
  %type.slot = getelementptr i8, ptr %array, i64 {TYPE}
  %type = load ptr, ptr %type.slot, align 8
  %is.array = icmp eq ptr %type, %array.type
  br i1 %is.array, label %fields, label %refuse
fields:
  %its.dtype.slot = getelementptr i8, ptr %array, i64 {DTYPE}
  %its.dtype = load ptr, ptr %its.dtype.slot, align 8
  %is.float64 = icmp eq ptr %its.dtype, %dtype
  %flags.slot = getelementptr i8, ptr %array, i64 {FLAGS}
  %flags = load i32, ptr %flags.slot, align 4
  %flags.wanted = load i32, ptr %wanted, align 1
  %flags.both = and i32 %flags, %flags.wanted
  %is.usable = icmp eq i32 %flags.both, %flags.wanted
  %rank.slot = getelementptr i8, ptr %array, i64 {RANK}
  %rank = load i32, ptr %rank.slot, align 8
  %rank.wanted.slot = getelementptr i8, ptr %wanted, i64 4
  %rank.wanted = load i32, ptr %rank.wanted.slot, align 1
  %is.rank = icmp eq i32 %rank, %rank.wanted
  %fits.1 = and i1 %is.float64, %is.usable
  %fits = and i1 %fits.1, %is.rank
  br i1 %fits, label %shape, label %refuse
shape:
  %lengths.slot = getelementptr i8, ptr %array, i64 {LENGTHS}
  %lengths = load ptr, ptr %lengths.slot, align 8
  %axes = zext i32 %rank to i64
  %lengths.wanted = getelementptr i8, ptr %wanted, i64 8
  br label %axis
axis:
  %d = phi i64 [ 0, %shape ], [ %d.next, %length ]
  %all = icmp eq i64 %d, %axes
  br i1 %all, label %accept, label %length
length:
  %length.slot = getelementptr i64, ptr %lengths, i64 %d
  %its.length = load i64, ptr %length.slot, align 8
  %length.wanted.slot = getelementptr i64, ptr %lengths.wanted, i64 %d
  %length.wanted = load i64, ptr %length.wanted.slot, align 1
  %same = icmp eq i64 %its.length, %length.wanted
  %d.next = add i64 %d, 1
  br i1 %same, label %axis, label %refuse
accept:
  %data.slot = getelementptr i8, ptr %array, i64 {DATA}
  %data = load ptr, ptr %data.slot, align 8
  %table.slot = getelementptr ptr, ptr %table, i64 %k
  store ptr %data, ptr %table.slot, align 8
  %wanted.next = getelementptr i64, ptr %lengths.wanted, i64 %axes
  %k.next = add i64 %k, 1
  br label %check
run:
  %kernel.slot = getelementptr i8, ptr %record, i64 24
  %kernel = load ptr, ptr %kernel.slot, align 1
  call void %kernel(ptr %table)
  %yes.slot = getelementptr i8, ptr %record, i64 32
  %yes = load ptr, ptr %yes.slot, align 1
  %judged.slot = getelementptr i8, ptr %record, i64 64
  %judged = load i64, ptr %judged.slot, align 1
  %is.plain = icmp slt i64 %judged, 0
  br i1 %is.plain, label %return, label %judge
judge:
  %numbers.slot = getelementptr ptr, ptr %table, i64 %judged
  %numbers = load ptr, ptr %numbers.slot, align 8
  %number = load double, ptr %numbers, align 8
  %least.slot = getelementptr i8, ptr %record, i64 72
  %least = load double, ptr %least.slot, align 1
  %most.slot = getelementptr i8, ptr %record, i64 80
  %most = load double, ptr %most.slot, align 1
  %above = fcmp ogt double %number, %least
  %below = fcmp olt double %number, %most
  %within = and i1 %above, %below
  %no.slot = getelementptr i8, ptr %record, i64 56
  %no = load ptr, ptr %no.slot, align 1
  %judgement = select i1 %within, ptr %yes, ptr %no
  br label %return
return:
  %result = phi ptr [ %yes, %run ], [ %judgement, %judge ]
  %increment.slot = getelementptr i8, ptr %record, i64 40
  %increment = load i64, ptr %increment.slot, align 1
  %references = load i64, ptr %result, align 8
  %references.new = add i64 %references, %increment
  store i64 %references.new, ptr %result, align 8
  ret ptr %result
refuse:
  %vectorcall.slot = getelementptr i8, ptr %record, i64 48
  %vectorcall = load ptr, ptr %vectorcall.slot, align 1
  %checked.slot = getelementptr i8, ptr %self, i64 ITEM_1
  %checked = load ptr, ptr %checked.slot, align 8
  %answer = call ptr %vectorcall(ptr %checked, ptr %arguments, i64 %count, ptr null)
  ret ptr %answer
}}
define void @copy_three(ptr %table) nounwind {{
  %from = load ptr, ptr %table, align 8
  %to.slot = getelementptr ptr, ptr %table, i64 1
  %to = load ptr, ptr %to.slot, align 8
  %values = load <3 x double>, ptr %from, align 8
  store <3 x double> %values, ptr %to, align 8
  ret void
}}
"""


class _MethodDefinition(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


@dataclass(frozen=True)
class _Entry:
    """The one entry of this process: it serves every program, which differ in their records alone."""

    loaded: Loaded
    definition: _MethodDefinition

    def function(
        self, expected: Sequence[Slot], kernel: int, checked: Function, owner: object, bound: float | None = None
    ) -> Function:
        """Return the built-in function; it keeps `checked`, `owner` and this entry alive."""
        make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
            _symbol("PyCFunction_NewEx")
        )
        return make(ctypes.addressof(self.definition), (_record(expected, kernel, bound), checked, owner, self), None)


def fast_entry(
    expected: Sequence[Slot],
    kernel: int,
    checked: Function,
    owner: object,
    cache: Cache | None,
    bound: float | None = None,
) -> Function | None:
    """Return a built-in function that runs `kernel` on arrays as expected and hands all other calls to `checked`.

    expected : the arrays of a call
    kernel : address of a function that takes a table of array addresses, or 0
    checked : called with the same arguments when they are not exactly as expected
    owner : kept alive as long as the function, for it owns the kernel
    cache : where the entry's own object code is kept
    bound : for a function that returns whether the first number of the last array lies strictly within +-bound

    Returns None where this interpreter is not one whose objects are known.
    """
    if not kernel or len(expected) > MOST_ARRAYS:
        return None
    entry = _tried_entry(cache)
    return None if entry is None else entry.function(expected, kernel, checked, owner, bound)


@functools.cache
def _tried_entry(cache: Cache | None) -> _Entry | None:
    if not (_interpreter_known() and _layout_as_known()):
        return None
    entry = _made_entry(host(), cache)
    return entry if _works(entry) else None


def _made_entry(here: Host, cache: Cache | None) -> _Entry:
    items = tuple.__basicsize__
    source = SOURCE.replace("ITEMS", str(items)).replace("ITEM_1", str(items + 8)).replace("CONTENT", str(_content()))
    code = object_code(here, cache, "entry", sha256(source.encode()).hexdigest(), lambda: source)
    loaded = Loaded(here, code)
    return _Entry(loaded, _MethodDefinition(b"evaluate", loaded.address("entry"), METH_FASTCALL, None))


def _content() -> int:
    """Return where the content of a bytes object begins."""
    return bytes.__basicsize__ - 1


def _record(expected: Sequence[Slot], kernel: int, bound: float | None) -> bytes:
    increment = 0 if sys.version_info >= IMMORTAL else 1
    yes, no = (None, None) if bound is None else (True, False)
    judges = bound is not None and 0 not in expected[-1].shape  # an array without numbers is within any bound
    words = (
        len(expected),
        id(np.ndarray),
        id(np.dtype(np.float64)),
        kernel,
        id(yes),
        increment,
        _symbol("PyObject_Vectorcall"),
        id(no),
        len(expected) - 1 if judges else -1,
    )
    record = struct.pack("=9q2d", *words, -(bound or 0.0), bound or 0.0)
    for slot in expected:
        flags = CONTIGUOUS | ALIGNED | (WRITEABLE if slot.output else 0)
        record += struct.pack(f"=ii{len(slot.shape)}q", flags, len(slot.shape), *slot.shape)
    return record


def _symbol(name: str) -> int:
    address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    return address or 0


def _interpreter_known() -> bool:
    """Return whether this is CPython with a global lock and plain object headers, of a version that was examined."""
    known = sys.implementation.name == "cpython" and FIRST_KNOWN <= sys.version_info < FIRST_UNKNOWN
    return known and object.__basicsize__ == 16 and struct.calcsize("P") == 8


def _layout_as_known() -> bool:
    """Return whether live objects have their fields where the entry reads them."""
    array = np.zeros((2, 5))
    pair, text = (array, None), b"layout"

    def word(base: int, offset: int) -> int:
        return ctypes.c_int64.from_address(base + offset).value

    def half(base: int, offset: int) -> int:
        return ctypes.c_int32.from_address(base + offset).value

    place = id(array)
    fields = np.ndarray.__basicsize__ >= FLAGS + 4 and (
        word(place, TYPE) == id(np.ndarray)
        and word(place, DATA) == array.ctypes.data
        and half(place, RANK) == array.ndim
        and word(place, DTYPE) == id(np.dtype(np.float64))
        and half(place, FLAGS) == array.flags.num
    )
    lengths = fields and [word(word(place, LENGTHS), 8 * axis) for axis in range(2)] == [2, 5]
    items = [word(id(pair), tuple.__basicsize__ + 8 * k) for k in range(2)] == [id(array), id(None)]
    return bool(lengths and items and ctypes.string_at(id(text) + _content(), len(text)) == text)


def _works(entry: _Entry) -> bool:
    """Return whether the entry runs good calls, and only those, and judges what they give."""
    expected, kernel = (Slot("from", (3,), False), Slot("to", (3,), True)), entry.loaded.address("copy_three")
    copy, judged = (entry.function(expected, kernel, lambda *arrays: len(arrays), entry, bound) for bound in (None, 1.0))
    good, result, frozen = np.array([0.5, 2.0, 3.0]), np.zeros(3), np.zeros(3)
    frozen.flags.writeable = False
    answers = [copy(good, result), judged(good, result)]
    bad = [(good,), (good, frozen), (np.zeros(4), result), (np.arange(3), result), (np.zeros(6)[::2], result), (None, result)]
    handed_over = [function(*arrays) for function in (copy, judged) for arrays in bad]
    ran = answers == [None, True] and handed_over == 2 * [len(arrays) for arrays in bad] and result.tolist() == good.tolist()
    firsts = (-0.5, 1.0, -1.0, 1e300, -1e300, np.inf, -np.inf, np.nan)
    return ran and [judged(np.array([first, 0.0, 0.0]), result) for first in firsts] == [True] + 7 * [False]
