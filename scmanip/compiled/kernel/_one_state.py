"""The module that evaluates one state: every input is loaded before any output is stored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from ...symbolic import Program
from ._body import KernelBody
from ._code import Value
from ._flow import Flow
from ._pieces import Pieces
from ._rows import Arrangement
from ._vectors import Vectors
from ._writer import COLD_METADATA, Writer, declarations

NAME = "one"
LOOP = "each"


def one_state_source(arranged: Arrangement, fused: bool) -> str:
    """Return LLVM IR with `one(arrays)` and, for a few cases in a row, `each(arrays, strides, first, end)`.

    `arrays` points to the addresses of the inputs, then of the outputs; `strides` to the bytes from case to case.
    """
    writer, program = Writer(lanes=1, fused=fused), arranged.program
    inputs, stores = _loads(writer, program), _stores(program)
    pieces: list[str] = []
    if arranged.in_pieces:
        _addresses(writer, program)
        pieces = _in_pieces(writer, arranged, inputs, stores)
    else:
        body = KernelBody.of(writer, program, inputs)
        body.write()
        _addresses(writer, program)
        for store in stores:
            store.write(writer, body)
    return "\n".join(
        [
            f"define void @{NAME}(ptr %arrays) nounwind {{",
            "entry:",
            *writer.lines,
            "  ret void",
            "}",
            *pieces,
            *_loop(len(program.inputs) + len(program.outputs)),
            *declarations(writer.used),
            COLD_METADATA,
            "",
        ]
    )


def _in_pieces(writer: Writer, arranged: Arrangement, inputs: list[str], stores: list[_Store]) -> list[str]:
    """Append the calls of all pieces and of the functions that fill rows, and return the lines of these."""
    vectors = Vectors(arranged)
    others = [store for store in stores if store.values[0] not in arranged.sums]
    pieces = Pieces(arranged.program, others, arranged.start, arranged.sums, vectors.slots, vectors.values)
    lines: list[str] = []

    def add(name: str, body: Writer) -> None:
        writer.line(f"call void @{name}(ptr %memory, ptr %arrays)")
        writer.used |= body.used
        lines.extend((f"define internal void @{name}(ptr noalias %memory, ptr %arrays) nounwind {{", "entry:", *body.lines))
        lines.extend(("  ret void", "}"))

    for number, body in enumerate(vectors.turns(writer.fused, pieces.room)):
        add(f"turns{number}", body)
    lines += pieces.write(writer, inputs, "ptr %arrays", lambda piece: _addresses(piece, arranged.program))
    opening = partial(_addresses, program=arranged.program)
    for number, body in enumerate(vectors.rows(writer.fused, opening, pieces.places, pieces.room)):
        add(f"rows{number}", body)
    return lines


def _address(writer: Writer, array: int) -> str:
    slot = writer.value(f"getelementptr ptr, ptr %arrays, i64 {array}")
    return writer.value(f"load ptr, ptr {slot}, align 8")


def _loads(writer: Writer, program: Program) -> list[str]:
    used = {argument for step in program.steps for argument in step.args}.union(*(o.values for o in program.outputs))
    names: list[str] = []
    for number, item in enumerate(program.inputs):
        address = _address(writer, number)
        for entry in range(item.size):
            if len(names) not in used:
                names.append("")
                continue
            place = writer.value(f"getelementptr double, ptr {address}, i64 {entry}")
            names.append(writer.value(f"load double, ptr {place}, align 8"))
    return names


def _addresses(writer: Writer, program: Program) -> None:
    """Append the addresses of the outputs."""
    for number in range(len(program.outputs)):
        slot = writer.value(f"getelementptr ptr, ptr %arrays, i64 {len(program.inputs) + number}")
        writer.line(f"%output{number} = load ptr, ptr {slot}, align 8")


@dataclass(frozen=True)
class _Store:
    """An entry of an output."""

    output: int
    entry: int
    values: tuple[int]

    def write(self, writer: Writer, body: KernelBody) -> None:
        name = body.name(self.values[0])
        place = writer.value(f"getelementptr double, ptr %output{self.output}, i64 {self.entry}")
        writer.line(f"store double {name}, ptr {place}, align 8")


def _stores(program: Program) -> list[_Store]:
    outputs = enumerate(program.outputs)
    return [_Store(number, entry, (value,)) for number, output in outputs for entry, value in enumerate(output.values)]


def _loop(arrays: int) -> list[str]:
    """Return a function that calls the kernel for the cases `first` to `end`."""
    code = Flow(lanes=1, fused=False)
    table = code.value(f"alloca [{max(arrays, 1)} x ptr], align 8")
    with code.loop(Value(code, "%end", "i64"), Value(code, "%first", "i64")) as case:
        for array in range(arrays):
            stride = code.load("i64", "%strides", array)
            place = code.place("i8", code.load("ptr", "%arrays", array).name, stride * case)
            code.store(Value(code, place, "ptr"), table, array)
        code.line(f"call void @{NAME}(ptr {table})")
    return code.function(LOOP, "ptr %arrays, ptr %strides, i64 %first, i64 %end")
