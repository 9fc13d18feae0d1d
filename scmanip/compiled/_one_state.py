"""The module that evaluates one state: every input is loaded before any output is stored."""

from __future__ import annotations

from ..symbolic import Program
from ._body import KernelBody
from ._writer import COLD_METADATA, Writer, declarations

NAME = "one"
LOOP = "each"


def one_state_source(program: Program, fused: bool) -> str:
    """Return LLVM IR with `one(arrays)` and, for a few cases in a row, `each(arrays, strides, first, end)`.

    `arrays` points to the addresses of the inputs, then of the outputs; `strides` to the bytes from case to case.
    """
    writer = Writer(lanes=1, fused=fused)
    body = KernelBody(writer, program, _loads(writer, program))
    body.write()
    _stores(writer, program, body)
    return "\n".join(
        [
            f"define void @{NAME}(ptr %arrays) nounwind {{",
            "entry:",
            *writer.lines,
            "  ret void",
            "}",
            *_loop(len(program.inputs) + len(program.outputs)),
            *declarations(writer.used),
            COLD_METADATA,
            "",
        ]
    )


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


def _stores(writer: Writer, program: Program, body: KernelBody) -> None:
    values = [[body.name(number) for number in output.values] for output in program.outputs]
    addresses = [_address(writer, len(program.inputs) + number) for number in range(len(program.outputs))]
    for address, names in zip(addresses, values, strict=True):
        for entry, name in enumerate(names):
            place = writer.value(f"getelementptr double, ptr {address}, i64 {entry}")
            writer.line(f"store double {name}, ptr {place}, align 8")


def _loop(arrays: int) -> list[str]:
    """Return a function that calls the kernel for the cases `first` to `end`."""
    lines = [
        f"define void @{LOOP}(ptr %arrays, ptr %strides, i64 %first, i64 %end) nounwind {{",
        "entry:",
        f"  %table = alloca [{max(arrays, 1)} x ptr], align 8",
        "  br label %test",
        "test:",
        "  %case = phi i64 [ %first, %entry ], [ %next, %run ]",
        "  %more = icmp slt i64 %case, %end",
        "  br i1 %more, label %run, label %done",
        "run:",
    ]
    for array in range(arrays):
        lines += [
            f"  %a{array} = getelementptr ptr, ptr %arrays, i64 {array}",
            f"  %b{array} = load ptr, ptr %a{array}, align 8",
            f"  %c{array} = getelementptr i64, ptr %strides, i64 {array}",
            f"  %d{array} = load i64, ptr %c{array}, align 8",
            f"  %e{array} = mul i64 %d{array}, %case",
            f"  %f{array} = getelementptr i8, ptr %b{array}, i64 %e{array}",
            f"  %g{array} = getelementptr ptr, ptr %table, i64 {array}",
            f"  store ptr %f{array}, ptr %g{array}, align 8",
        ]
    return [
        *lines,
        f"  call void @{NAME}(ptr %table)",
        "  %next = add i64 %case, 1",
        "  br label %test",
        "done:",
        "  ret void",
        "}",
    ]
