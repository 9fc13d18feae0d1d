"""The way from Python into machine code in some twenty nanoseconds, where this interpreter is one that it knows.

A built-in function is made around machine code that reads the fields of NumPy arrays: of one case, or of many, with the cases
in front of all arrays but those that they share. Everything that depends on the
layout of CPython's and NumPy's objects is in this file. The layout is read back from live objects and the
function is tried before it is used; where anything differs, calls go through ctypes instead.
"""

from __future__ import annotations

import ctypes
import functools
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import prod
from typing import Any

import numpy as np

from ._arguments import FLOAT64, Slot
from ._cache import Cache
from ._host import Host, host
from ._objects import Loaded, object_code

METH_FASTCALL = 0x80
MOST_ARRAYS = 64
CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400  # NumPy's flags
TYPE, DATA, RANK, LENGTHS, STRIDES, DTYPE, FLAGS = 8, 16, 24, 32, 40, 56, 64  # bytes into an array object
IMMORTAL = (3, 12)  # from then on the counts of references of None, True and False must be left alone
RECORD = 8 * 11  # bytes before what each array must be
FIRST_KNOWN, FIRST_UNKNOWN = (3, 11), (3, 15)

Function = Callable[..., Any]

# The record that the entry reads: eleven words, then for each array its flags, its rank and its lengths, of many cases each
# with its stride.
_BEGIN = f"""
define ptr @NAME(ptr %self, ptr %arguments, i64 %count) nounwind {{
start:
  %table = alloca [{MOST_ARRAYS} x ptr], align 8
STRIDES
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
"""
_EXAMINE = f"""
check:
  %k = phi i64 [ 0, %BEFORE ], [ %k.next, %accept ]
  %wanted = phi ptr [ %wanted.first, %BEFORE ], [ %wanted.next, %accept ]
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
  %axes = zext i32 %rank.wanted to i64
  %lengths.slot = getelementptr i8, ptr %array, i64 {LENGTHS}
  %lengths = load ptr, ptr %lengths.slot, align 8
  %lengths.wanted = getelementptr i8, ptr %wanted, i64 8
  %fits.1 = and i1 %is.float64, %is.usable
"""
_KEPT = f"""
  %data.slot = getelementptr i8, ptr %array, i64 {DATA}
  %data = load ptr, ptr %data.slot, align 8
  %table.slot = getelementptr ptr, ptr %table, i64 %k
  store ptr %data, ptr %table.slot, align 8
  %k.next = add i64 %k, 1
  br label %check
run:
  %kernel.slot = getelementptr i8, ptr %record, i64 24
  %kernel = load ptr, ptr %kernel.slot, align 1
  %yes.slot = getelementptr i8, ptr %record, i64 32
  %yes = load ptr, ptr %yes.slot, align 1
"""
_END = """
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
}
"""
ONE, MANY = "entry", "entry_many"
_OF_ONE = f"""
{_BEGIN.replace("NAME", ONE).replace("STRIDES", "")}
  br label %check
{_EXAMINE.replace("BEFORE", "prepare")}
  %is.rank = icmp eq i32 %rank, %rank.wanted
  %fits = and i1 %fits.1, %is.rank
  br i1 %fits, label %axis, label %refuse
axis:
  %d = phi i64 [ 0, %fields ], [ %d.next, %length ]
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
  %wanted.next = getelementptr i64, ptr %lengths.wanted, i64 %axes
{_KEPT}
  call void %kernel(ptr %table)
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
{_END}
"""
_OF_MANY = f"""
{_BEGIN.replace("NAME", MANY).replace("STRIDES", f"  %strides = alloca [{MOST_ARRAYS} x i64], align 8")}
  %last = sub i64 %count, 1
  %last.slot = getelementptr ptr, ptr %arguments, i64 %last
  %output = load ptr, ptr %last.slot, align 8
  %output.type.slot = getelementptr i8, ptr %output, i64 {TYPE}
  %output.type = load ptr, ptr %output.type.slot, align 8
  %is.output = icmp eq ptr %output.type, %array.type
  br i1 %is.output, label %measure, label %refuse
measure:
  %output.rank.slot = getelementptr i8, ptr %output, i64 {RANK}
  %output.rank = load i32, ptr %output.rank.slot, align 8
  %has.cases = icmp ne i32 %output.rank, 0
  br i1 %has.cases, label %counted, label %refuse
counted:
  %output.lengths.slot = getelementptr i8, ptr %output, i64 {LENGTHS}
  %output.lengths = load ptr, ptr %output.lengths.slot, align 8
  %cases = load i64, ptr %output.lengths, align 8
  br label %check
{_EXAMINE.replace("BEFORE", "counted")}
  %lead = sub i32 %rank, %rank.wanted
  %is.rank = icmp ule i32 %lead, 1
  %written = and i32 %flags.wanted, {WRITEABLE}
  %is.input = icmp eq i32 %written, 0
  %is.each = icmp eq i32 %lead, 1
  %may.be = or i1 %is.input, %is.each
  %fits.2 = and i1 %is.rank, %may.be
  %fits = and i1 %fits.1, %fits.2
  br i1 %fits, label %shape, label %refuse
shape:
  %its.strides.slot = getelementptr i8, ptr %array, i64 {STRIDES}
  %its.strides = load ptr, ptr %its.strides.slot, align 8
  br i1 %is.each, label %each, label %inner
each:
  %its.cases = load i64, ptr %lengths, align 8
  %step = load i64, ptr %its.strides, align 8
  %same.cases = icmp eq i64 %its.cases, %cases
  br i1 %same.cases, label %inner, label %refuse
inner:
  %stride = phi i64 [ 0, %shape ], [ %step, %each ]
  %first = zext i32 %lead to i64
  br label %axis
axis:
  %d = phi i64 [ 0, %inner ], [ %d.next, %length ]
  %all = icmp eq i64 %d, %axes
  br i1 %all, label %accept, label %length
length:
  %at = add i64 %first, %d
  %length.slot = getelementptr i64, ptr %lengths, i64 %at
  %its.length = load i64, ptr %length.slot, align 8
  %stride.slot = getelementptr i64, ptr %its.strides, i64 %at
  %its.stride = load i64, ptr %stride.slot, align 8
  %wanted.at = shl i64 %d, 1
  %length.wanted.slot = getelementptr i64, ptr %lengths.wanted, i64 %wanted.at
  %length.wanted = load i64, ptr %length.wanted.slot, align 1
  %stride.wanted.slot = getelementptr i64, ptr %length.wanted.slot, i64 1
  %stride.wanted = load i64, ptr %stride.wanted.slot, align 1
  %same = icmp eq i64 %its.length, %length.wanted
  %as.wide = icmp eq i64 %its.stride, %stride.wanted
  %is.short = icmp ule i64 %length.wanted, 1
  %in.place = or i1 %as.wide, %is.short
  %alike = and i1 %same, %in.place
  %d.next = add i64 %d, 1
  br i1 %alike, label %axis, label %refuse
accept:
  %wanted.words = shl i64 %axes, 1
  %wanted.next = getelementptr i64, ptr %lengths.wanted, i64 %wanted.words
  %step.slot = getelementptr i64, ptr %strides, i64 %k
  store i64 %stride, ptr %step.slot, align 8
{_KEPT}
  call void %kernel(ptr %table, ptr %strides, i64 0, i64 %cases)
  br label %return
return:
  %result = phi ptr [ %yes, %run ]
{_END}
"""
SOURCE = f"""
{_OF_ONE}
{_OF_MANY}
define void @copy_three(ptr %table) nounwind {{
  %from = load ptr, ptr %table, align 8
  %to.slot = getelementptr ptr, ptr %table, i64 1
  %to = load ptr, ptr %to.slot, align 8
  %values = load <3 x double>, ptr %from, align 8
  store <3 x double> %values, ptr %to, align 8
  ret void
}}
define void @copy_threes(ptr %table, ptr %strides, i64 %first, i64 %end) nounwind {{
start:
  %from = load ptr, ptr %table, align 8
  %to.slot = getelementptr ptr, ptr %table, i64 1
  %to = load ptr, ptr %to.slot, align 8
  %from.stride = load i64, ptr %strides, align 8
  %to.stride.slot = getelementptr i64, ptr %strides, i64 1
  %to.stride = load i64, ptr %to.stride.slot, align 8
  br label %next
next:
  %i = phi i64 [ %first, %start ], [ %i.next, %copy ]
  %done = icmp sge i64 %i, %end
  br i1 %done, label %over, label %copy
copy:
  %from.bytes = mul i64 %i, %from.stride
  %from.place = getelementptr i8, ptr %from, i64 %from.bytes
  %to.bytes = mul i64 %i, %to.stride
  %to.place = getelementptr i8, ptr %to, i64 %to.bytes
  %values = load <3 x double>, ptr %from.place, align 8
  store <3 x double> %values, ptr %to.place, align 8
  %i.next = add i64 %i, 1
  br label %next
over:
  ret void
}}
"""


class _MethodDefinition(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


@dataclass(frozen=True)
class _Entry:
    """The entry of this process, of one case or of many: it serves every program, which differ in their records alone."""

    loaded: Loaded
    definition: _MethodDefinition

    def function(self, record: bytes, checked: Function, owner: object) -> Function:
        """Return the built-in function; it keeps `checked`, `owner` and this entry alive."""
        make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
            _symbol("PyCFunction_NewEx")
        )
        return make(ctypes.addressof(self.definition), (record, checked, owner, self), None)


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
    entries = _entries(expected, kernel, cache)
    return None if entries is None else entries[ONE].function(_record(expected, kernel, bound), checked, owner)


def fast_rows(expected: Sequence[Slot], kernel: int, checked: Function, owner: object, cache: Cache | None) -> Function | None:
    """Return the same of many cases: arrays with the cases in front, or without them where all share an input.

    The last array is an output, and outputs overlap with nothing. It keeps the interpreter lock.

    kernel : address of a function that takes tables of array addresses and of bytes from case to case, the first case and one
        beyond the last, or 0
    """
    entries = _entries(expected, kernel, cache)
    return None if entries is None else entries[MANY].function(_record_of_many(expected, kernel), checked, owner)


def _entries(expected: Sequence[Slot], kernel: int, cache: Cache | None) -> Mapping[str, _Entry] | None:
    return _tried_entries(cache) if kernel and len(expected) <= MOST_ARRAYS else None


@functools.cache
def _tried_entries(cache: Cache | None) -> Mapping[str, _Entry] | None:
    if not (_interpreter_known() and _layout_as_known()):
        return None
    entries = _made_entries(host(), cache)
    return entries if _works(entries[ONE]) and _works_on_many(entries[MANY]) else None


def _made_entries(here: Host, cache: Cache | None) -> Mapping[str, _Entry]:
    items = tuple.__basicsize__
    source = SOURCE.replace("ITEMS", str(items)).replace("ITEM_1", str(items + 8)).replace("CONTENT", str(_content()))
    code = object_code(here, cache, "entry", sha256(source.encode()).hexdigest(), lambda: source)
    loaded = Loaded(here, code)
    definitions = {name: _MethodDefinition(b"evaluate", loaded.address(name), METH_FASTCALL, None) for name in (ONE, MANY)}
    return {name: _Entry(loaded, definition) for name, definition in definitions.items()}


def _content() -> int:
    """Return where the content of a bytes object begins."""
    return bytes.__basicsize__ - 1


def _record(expected: Sequence[Slot], kernel: int, bound: float | None) -> bytes:
    yes, no = (None, None) if bound is None else (True, False)
    judges = bound is not None and 0 not in expected[-1].shape  # an array without numbers is within any bound
    record = _words(expected, kernel, yes, no, len(expected) - 1 if judges else -1, bound or 0.0)
    for slot in expected:
        flags = CONTIGUOUS | ALIGNED | (WRITEABLE if slot.output else 0)
        record += struct.pack(f"=ii{len(slot.shape)}q", flags, len(slot.shape), *slot.shape)
    return record


def _record_of_many(expected: Sequence[Slot], kernel: int) -> bytes:
    record = _words(expected, kernel, None, None, -1, 0.0)
    for slot in expected:
        flags = ALIGNED | (WRITEABLE if slot.output else 0)
        strides = [FLOAT64.itemsize * prod(slot.shape[axis + 1 :]) for axis in range(len(slot.shape))]
        axes = [word for pair in zip(slot.shape, strides, strict=True) for word in pair]
        record += struct.pack(f"=ii{len(axes)}q", flags, len(slot.shape), *axes)
    return record


def _words(expected: Sequence[Slot], kernel: int, yes: object, no: object, judged: int, bound: float) -> bytes:
    increment, vectorcall = 0 if sys.version_info >= IMMORTAL else 1, _symbol("PyObject_Vectorcall")
    words = len(expected), id(np.ndarray), id(FLOAT64), kernel, id(yes), increment, vectorcall, id(no), judged
    return struct.pack("=9q2d", *words, -bound, bound)


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
    lengths = lengths and [word(word(place, STRIDES), 8 * axis) for axis in range(2)] == [40, 8]
    items = [word(id(pair), tuple.__basicsize__ + 8 * k) for k in range(2)] == [id(array), id(None)]
    return bool(lengths and items and ctypes.string_at(id(text) + _content(), len(text)) == text)


def _works(entry: _Entry) -> bool:
    """Return whether the entry runs good calls, and only those, and judges what they give."""
    expected, kernel = (Slot("from", (3,), False), Slot("to", (3,), True)), entry.loaded.address("copy_three")
    records = (_record(expected, kernel, bound) for bound in (None, 1.0))
    copy, judged = (entry.function(record, lambda *arrays: len(arrays), entry) for record in records)
    good, result, frozen = np.array([0.5, 2.0, 3.0]), np.zeros(3), np.zeros(3)
    frozen.flags.writeable = False
    answers = [copy(good, result), judged(good, result)]
    bad = [(good,), (good, frozen), (np.zeros(4), result), (np.arange(3), result), (np.zeros(6)[::2], result), (None, result)]
    handed_over = [function(*arrays) for function in (copy, judged) for arrays in bad]
    ran = answers == [None, True] and handed_over == 2 * [len(arrays) for arrays in bad] and result.tolist() == good.tolist()
    firsts = (-0.5, 1.0, -1.0, 1e300, -1e300, np.inf, -np.inf, np.nan)
    return ran and [judged(np.array([first, 0.0, 0.0]), result) for first in firsts] == [True] + 7 * [False]


def _works_on_many(entry: _Entry) -> bool:
    """Return whether the entry of many cases runs good calls, and only those."""
    expected, kernel = (Slot("from", (3,), False), Slot("to", (3,), True)), entry.loaded.address("copy_threes")
    copy = entry.function(_record_of_many(expected, kernel), lambda *arrays: len(arrays), entry)
    wide, results, frozen = np.arange(28.0).reshape(4, 7), np.zeros((4, 3)), np.zeros((4, 3))
    frozen.flags.writeable = False
    good = [np.ascontiguousarray(wide[:, :3]), wide[:, 2:5], wide[0, :3]]
    ran = [copy(array, results) is None and bool((results == array).all()) for array in good]
    bad: list[tuple[Any, ...]] = [
        (good[0],),
        (good[0], frozen),
        (good[0][:3], results),
        (wide[:, ::3], results),
        (wide[:, :4], results),
    ]
    bad += [
        (wide.astype(int)[:, :3], results),
        (good[2], results[0]),
        (wide[0, ::3], results),
        (None, results),
        (good[0], None),
    ]
    bad += [(good[0], results[np.newaxis]), (good[0], np.array(0.0)), (good[0][np.newaxis], results)]
    results[:] = -1.0
    return all(ran) and [copy(*arrays) for arrays in bad] == list(map(len, bad)) and bool((results == -1.0).all())
