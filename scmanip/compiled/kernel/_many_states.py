"""The module that evaluates many states, several per instruction: rows of cases are turned into lanes and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...symbolic import Program
from ._body import KernelBody
from ._pieces import Pieces
from ._rows import Arrangement
from ._writer import COLD_METADATA, Writer, declarations

NAME = "many"


def many_states_source(arranged: Arrangement, lanes: int, fused: bool) -> str:
    """Return LLVM IR with `many(arrays, strides, first, end)`, for at least `lanes` cases.

    `arrays` points to the addresses of the inputs, then of the outputs; `strides` to the bytes from case to case, 0 for
    an input that all cases share. The last cases are evaluated together with some before them, which come out the same.
    """
    writer, program = Writer(lanes, fused), arranged.program
    count = len(program.inputs) + len(program.outputs)
    _begin(writer, count)
    inputs, stores = _loads(writer, program), _stores(program, lanes)
    pieces: list[str] = []
    if arranged.in_pieces:
        parameters = "ptr %arrays, ptr %strides, i64 %case"
        pieces = Pieces(program, stores, arranged.start, arranged.sums).write(
            writer, inputs, parameters, lambda piece: _rows(piece, program)
        )
    else:
        _write_whole(writer, KernelBody.of(writer, program, inputs), stores)
    _end(writer)
    header = f"define void @{NAME}(ptr %arrays, ptr %strides, i64 %first, i64 %end) nounwind {{"
    return "\n".join([header, "entry:", *writer.lines, "}", *pieces, *declarations(writer.used), COLD_METADATA, ""])


def _write_whole(writer: Writer, body: KernelBody, stores: list[_Store]) -> None:
    """Append the steps, and every store as soon as its values exist."""
    pending: dict[int, list[_Store]] = {}
    for store in stores:
        pending.setdefault(max(store.values), []).append(store)

    def store_finished(number: int) -> None:
        for store in pending.pop(number, []):
            store.write(writer, body)

    body.write(store_finished)
    for number in list(pending):
        store_finished(number)


def _begin(writer: Writer, count: int) -> None:
    for array in range(count):
        _array(writer, array)
    writer.line(f"%last = sub i64 %end, {writer.lanes}")
    writer.line("br label %cases")
    writer.start("cases")
    writer.line("%reached = phi i64 [ %first, %entry ], [ %following, %rest ]")
    writer.line("%whole = icmp slt i64 %reached, %last")
    writer.line("%case = select i1 %whole, i64 %reached, i64 %last")
    for array in range(count):
        _row_of_every_lane(writer, array)


def _array(writer: Writer, array: int) -> None:
    for kind, table, type_ in (("array", "%arrays", "ptr"), ("stride", "%strides", "i64")):
        slot = writer.value(f"getelementptr {type_}, ptr {table}, i64 {array}")
        writer.line(f"%{kind}{array} = load {type_}, ptr {slot}, align 8")


def _row_of_every_lane(writer: Writer, array: int) -> None:
    offset = writer.value(f"mul i64 %case, %stride{array}")
    writer.line(f"%row{array}_0 = getelementptr i8, ptr %array{array}, i64 {offset}")
    for lane in range(1, writer.lanes):
        writer.line(f"%row{array}_{lane} = getelementptr i8, ptr %row{array}_{lane - 1}, i64 %stride{array}")


def _rows(writer: Writer, program: Program) -> None:
    """Append where the outputs of the cases are."""
    for number in range(len(program.outputs)):
        _array(writer, len(program.inputs) + number)
        _row_of_every_lane(writer, len(program.inputs) + number)


def _end(writer: Writer) -> None:
    writer.line("br label %rest")
    writer.start("rest")
    writer.line(f"%following = add i64 %case, {writer.lanes}")
    writer.line("%more = icmp slt i64 %following, %end")
    writer.line("br i1 %more, label %cases, label %done")
    writer.start("done")
    writer.line("ret void")


def _groups(entries: int, lanes: int) -> Iterator[tuple[int, int]]:
    """Yield (first entry, number of entries), each number a power of two up to `lanes`."""
    first, width = 0, lanes
    while first < entries:
        while width > entries - first:
            width //= 2
        yield first, width
        first += width


def _loads(writer: Writer, program: Program) -> list[str]:
    names: list[str] = []
    for array, item in enumerate(program.inputs):
        for first, width in _groups(item.size, writer.lanes):
            rows = [_row(writer, array, lane, first) for lane in range(writer.lanes)]
            if width == 1:
                names.append(_gathered(writer, rows))
                continue
            type_ = f"<{width} x double>"
            parts = [writer.value(f"load {type_}, ptr {row}, align 8") for row in rows]
            columns = [_concatenated(writer, parts[k::width], width) for k in range(width)]
            names += _transposed(writer, columns)
    return names


def _row(writer: Writer, array: int, lane: int, entry: int) -> str:
    return writer.value(f"getelementptr double, ptr %row{array}_{lane}, i64 {entry}")


def _gathered(writer: Writer, places: list[str]) -> str:
    result = "poison"
    for lane, place in enumerate(places):
        scalar = writer.value(f"load double, ptr {place}, align 8")
        result = writer.value(f"insertelement {writer.type} {result}, double {scalar}, i64 {lane}")
    return result


def _mask(indices: list[int]) -> str:
    return f"<{len(indices)} x i32> <{', '.join(f'i32 {index}' for index in indices)}>"


def _concatenated(writer: Writer, parts: list[str], width: int) -> str:
    """Append the join of short vectors of one width, in order."""
    while len(parts) > 1:
        type_, mask = f"<{width} x double>", _mask(list(range(2 * width)))
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [writer.value(f"shufflevector {type_} {a}, {type_} {b}, {mask}") for a, b in pairs]
        width *= 2
    return parts[0]


def _transposed(writer: Writer, vectors: list[str]) -> list[str]:
    """Append the transposition of every square block of n lanes in n vectors; done twice it changes nothing."""
    vectors, lanes, type_ = list(vectors), writer.lanes, writer.type
    distance = len(vectors) // 2
    while distance:
        low = _mask([lane if not lane & distance else lane - distance + lanes for lane in range(lanes)])
        high = _mask([lane + distance if not lane & distance else lane + lanes for lane in range(lanes)])
        for k in (k for k in range(len(vectors)) if not k & distance):
            pair = f"{type_} {vectors[k]}, {type_} {vectors[k + distance]}"
            vectors[k], vectors[k + distance] = (writer.value(f"shufflevector {pair}, {mask}") for mask in (low, high))
        distance //= 2
    return vectors


@dataclass(frozen=True)
class _Store:
    """Neighbouring entries of an output that are stored together."""

    array: int
    first: int
    values: tuple[int, ...]

    def write(self, writer: Writer, body: KernelBody) -> None:
        width = len(self.values)
        names = [body.name(number) for number in self.values]
        vectors = _transposed(writer, names)
        for lane in range(writer.lanes):
            part = self._part(writer, vectors[lane % width], lane // width * width)
            type_ = "double" if width == 1 else f"<{width} x double>"
            writer.line(f"store {type_} {part}, ptr {_row(writer, self.array, lane, self.first)}, align 8")

    def _part(self, writer: Writer, vector: str, first: int) -> str:
        width = len(self.values)
        if width == 1:
            return writer.value(f"extractelement {writer.type} {vector}, i64 {first}")
        if width == writer.lanes:
            return vector
        mask = _mask(list(range(first, first + width)))
        return writer.value(f"shufflevector {writer.type} {vector}, {writer.type} poison, {mask}")


def _stores(program: Program, lanes: int) -> list[_Store]:
    """Return the stores of all outputs."""
    return [
        _Store(len(program.inputs) + number, first, output.values[first : first + width])
        for number, output in enumerate(program.outputs)
        for first, width in _groups(len(output.values), lanes)
    ]
