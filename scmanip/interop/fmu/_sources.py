"""The C of a unit: its programs and numbers, and around them what is the same for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.resources import files
from itertools import accumulate

import numpy as np

from ...compiled import DOP853
from ...export import code
from ...simulation import LoopPrograms
from ...spatial import Array
from ...symbolic import Program

SAME = ("loop.h", "loop.c", "instance.h")
COMPILED = ("loop.c", "unit.c")


def sources(loop: LoopPrograms, version: int, step_s: float) -> tuple[dict[str, str], list[str], str]:
    """Return all files by name, the names of those that are compiled, and the token that goes with the unit's description.

    step_s : longest step of the integrator
    """
    made = {name: (files(__package__) / "sources" / name).read_text("utf-8") for name in (*SAME, f"fmi{version}.c")}
    programs = {"rate": loop.rate, "shown": loop.shown, **({} if loop.law is None else {"law": loop.law})}
    for name, program in programs.items():
        written = code(program, "c", name=f"unit_{name}_program").files
        made |= {file: text for file, text in written.items() if not file.endswith("_test.c")}
    made |= {"dop853.h": _method(), "unit.c": _unit(loop, programs)}
    head = _head(loop, step_s)
    token = sha256("".join(text for _, text in sorted({**made, "unit.h": head}.items())).encode()).hexdigest()
    made["unit.h"] = head.replace("#define TOKEN", f'#define TOKEN "{token}"')
    return made, [f"fmi{version}.c", *COMPILED, *(f"unit_{name}_program.c" for name in programs)], token


def _head(loop: LoopPrograms, step_s: float) -> str:
    counts = {
        "Y": loop.y_0.size,
        "COMMAND": _size(loop.rate, "command"),
        "INPUTS": _size(loop.rate, "command") if loop.commanded else 0,
        "MEMORY": loop.memory.size,
        "PARAMETERS": sum(np.size(array) for array in loop.numbers.values()),
        "OUTPUTS": sum(len(output.values) for output in loop.shown.outputs),
        "ALARMS": len(loop.rate.output("alarm").values),
        "STRETCHES": len(loop.corners_s),
        "REFERENCE": loop.rows.shape[1],
        "QUATERNIONS": len(loop.quaternions),
    }
    given = "double t, const double y[]"
    others = "const double reference[], const double parameters[]"
    lines = [
        "/* Sizes, numbers and programs of this unit. */",
        "#ifndef SCMANIP_UNIT_H",
        "#define SCMANIP_UNIT_H",
        "",
        "#define TOKEN",
        "#define SIZE_OF(count) ((count) > 0 ? (count) : 1) /* C has no arrays without entries */",
        *(f"#define COUNT_{name} {count}" for name, count in counts.items()),
        f"#define RATE_HZ {float(loop.rate_Hz)!r} /* of the law's samples; 0: it looks always */",
        f"#define STEP_S {float(step_s)!r} /* longest step */",
        "",
        "extern const double unit_y[SIZE_OF(COUNT_Y)];",
        "extern const double unit_memory[SIZE_OF(COUNT_MEMORY)];",
        "extern const double unit_parameters[SIZE_OF(COUNT_PARAMETERS)];",
        "extern const double unit_corners[COUNT_STRETCHES]; /* where stretches of the reference begin */",
        "extern const double unit_rows[COUNT_STRETCHES][SIZE_OF(COUNT_REFERENCE)];",
        "extern const int unit_quaternions[SIZE_OF(COUNT_QUATERNIONS)]; /* where they begin in y */",
        "",
        f"void unit_rate({given}, const double command[], {others}, double ydot[], double alarm[]);",
        f"void unit_shown({given}, const double command[], {others}, double outputs[]);",
        f"void unit_law({given}, const double reference[], const double memory[], const double parameters[],",
        "              double command[], double next_memory[]);",
        "",
        "#endif",
    ]
    return "\n".join([*lines, ""])


def _unit(loop: LoopPrograms, programs: dict[str, Program]) -> str:
    places = dict(zip(loop.numbers, accumulate((np.size(array) for array in loop.numbers.values()), initial=0), strict=False))
    parameters = np.concatenate([np.zeros(0), *(np.ravel(array) for array in loop.numbers.values())])
    lines = ['#include "unit.h"', "", *(f'#include "unit_{name}_program.h"' for name in programs), ""]
    lines += [
        *_table("unit_y[SIZE_OF(COUNT_Y)]", loop.y_0),
        *_table("unit_memory[SIZE_OF(COUNT_MEMORY)]", loop.memory),
        *_table("unit_parameters[SIZE_OF(COUNT_PARAMETERS)]", parameters),
        *_table("unit_corners[COUNT_STRETCHES]", loop.corners_s),
        *_rows("unit_rows[COUNT_STRETCHES][SIZE_OF(COUNT_REFERENCE)]", loop.rows),
        f"const int unit_quaternions[SIZE_OF(COUNT_QUATERNIONS)] = {{{', '.join(map(str, loop.quaternions)) or '0'}}};",
    ]
    given, others = "double t, const double y[]", "const double reference[], const double parameters[]"
    held = f"{given}, const double command[], {others}"
    lines += _glue("rate", f"{held}, double ydot[], double alarm[]", programs, places)
    lines += _glue("shown", f"{held}, double outputs[]", programs, places)
    remembered = f"{given}, const double reference[], const double memory[], const double parameters[]"
    lines += _glue("law", f"{remembered}, double command[], double next_memory[]", programs, places)
    return "\n".join([*lines, ""])


def _glue(name: str, arguments: str, programs: dict[str, Program], places: dict[str, int]) -> Iterator[str]:
    """Give the function that calls a program with its own arguments."""
    yield from ("", f"void unit_{name}({arguments})", "{")
    names = [word.split()[-1].removesuffix("[]") for word in arguments.split(",")]
    program = programs.get(name)
    told = [] if program is None else [_argument(item.name, item.shape, places) for item in program.inputs]
    if program is not None and name == "shown":
        sizes = accumulate((len(output.values) for output in program.outputs), initial=0)
        told += [f"outputs + {at}" for at, _ in zip(sizes, program.outputs, strict=False)]
    elif program is not None:
        told += [output.name for output in program.outputs]
    used = {word.split()[0].split("[")[0] for word in told}
    yield from (f"    (void){word};" for word in names if word not in used)
    if program is not None:
        yield f"    unit_{name}_program({', '.join(told)});"
    yield "}"


def _argument(name: str, shape: tuple[int, ...], places: dict[str, int]) -> str:
    if name not in places:
        return name
    return f"parameters + {places[name]}" if shape else f"parameters[{places[name]}]"


def _method() -> str:
    stages = [[*row, *[0.0] * (len(DOP853.nodes) - len(row))] for row in DOP853.stages]
    lines = [
        "/* Dormand and Prince's method of order 8 [Hairer1993]. */",
        f"#define STAGES {len(DOP853.nodes)}",
        *_table("dop853_nodes[STAGES]", DOP853.nodes, "static "),
        *_rows("dop853_stages[STAGES][STAGES]", stages, "static "),
        *_table("dop853_weights[STAGES]", DOP853.weights, "static "),
    ]
    return "\n".join([*lines, ""])


def _table(declared: str, numbers: Array | Iterable[float], static: str = "") -> Iterator[str]:
    yield f"{static}const double {declared} = {{{_listed(numbers)}}};"


def _rows(declared: str, rows: Array | Iterable[Iterable[float]], static: str = "") -> Iterator[str]:
    yield f"{static}const double {declared} = {{"
    yield from (f"    {{{_listed(row)}}}," for row in rows)
    yield "};"


def _listed(numbers: Array | Iterable[float]) -> str:
    return ", ".join(repr(float(number)) for number in numbers) or "0.0"


def _size(program: Program, name: str) -> int:
    return next((item.size for item in program.inputs if item.name == name), 0)
