"""C99: one function that neither allocates nor prints, a header, and a self-test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from ..spatial import Array
from ._body import CodeBody
from ._c99_sines import NAMES, RESERVED, sines
from ._examples import COUNT, Examples
from ._language import PiecedLanguage
from ._routine import Argument, Routine

COMPARISON = """\
static int wrong_in(const double *found, const double *expected, int size, double tolerance)
{
    int i, wrong = 0;
    for (i = 0; i < size; i++) {
        wrong += !(fabs(found[i] - expected[i]) <= tolerance);
    }
    return wrong;
}"""
KEYWORDS = (
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
    "asm bool true false class new delete this template typename namespace public private protected virtual operator "  # C++
    "catch try throw using friend export main errno NULL I"
)
FUNCTIONS = (
    "acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10 log1p log2 "
    "logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint lrint llrint lround "
    "llround round trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma abs gamma "
    "j0 j1 jn y0 y1 yn isnan isinf isfinite isnormal signbit fpclassify isgreater isless HUGE_VAL NAN INFINITY"
)


class C99(PiecedLanguage):
    """C99 with `math.h` alone."""

    reserved = frozenset((*f"{KEYWORDS} {FUNCTIONS}".split(), *RESERVED))
    own: ClassVar[Mapping[str, str]] = {op: f"{name}(arg_0)" for op, name in NAMES.items()}
    infinite, not_a_number = "HUGE_VAL", "NAN"

    def printer(self) -> Any:
        from sympy.printing.c import C99CodePrinter

        return C99CodePrinter()

    def entry(self, argument: Argument, place: int) -> str:
        return f"{argument.name}[{place}]" if argument.shape else argument.name

    def assignment(self, name: str, text: str) -> str:
        return f"    const double {name} = {text};"

    def handed_on(self, place: int, text: str) -> str:
        return f"    z[{place}] = {text};"

    def files(self, routine: Routine, examples: Examples) -> dict[str, str]:
        name = routine.name
        return {f"{name}.c": self._source(routine), f"{name}.h": _header(routine), f"{name}_test.c": trial(routine, examples)}

    def _source(self, routine: Routine) -> str:
        body = CodeBody.of(self, routine)
        numbers = {a.name for a in routine.outputs if not a.shape}
        ends = [f"    {'*' if place in numbers else ''}{place} = {text};" for place, text in body.results]
        parts, calls = list[str](), body.pieces[0]
        if len(body.pieces) > 1:
            parts = [line for number, lines in enumerate(body.pieces, 1) for line in _part(routine, number, lines)]
            given = ", ".join([*(a.name for a in routine.inputs), "z"])
            calls = [f"    double z[{body.memory}];", *(f"    z_part{k}({given});" for k in range(1, len(body.pieces) + 1))]
        read = routine.program.used_inputs
        idle = [a.name for a in routine.inputs if a.given not in read] + [a.name for a in routine.outputs if not a.size]
        used = {step.op for step in routine.program.steps}
        head = ["#include <math.h>", f'#include "{routine.name}.h"', "", *sines(used), *parts, _prototype(routine), "{"]
        return "\n".join([*head, *_unused(idle), *calls, *ends, "}", ""])


def _part(routine: Routine, number: int, lines: list[str]) -> list[str]:
    head = f"static void z_part{number}({', '.join([*_given(routine), 'double z[]'])})"
    return [head, "{", *_unused(a.name for a in routine.inputs), *lines, "}", ""]


def _unused(names: Iterable[str]) -> list[str]:
    """Return the statements by which a compiler does not warn of arguments that nothing reads."""
    return [f"    (void){name};" for name in names]


def _header(routine: Routine) -> str:
    guard = f"SCMANIP_{routine.name.upper()}_H"
    about = [
        *routine.comment,
        "Arrays are in row-major order. Outputs may not overlap inputs. Nothing is allocated, kept or printed.",
        f"Self-test: cc -std=c99 -O2 {routine.name}.c {routine.name}_test.c -lm",
    ]
    return "\n".join(
        [
            *["/*", *(f" * {line}".rstrip() for line in about), " */"],
            *[f"#ifndef {guard}", f"#define {guard}", "", "#ifdef __cplusplus", 'extern "C" {', "#endif", ""],
            *[f"{_prototype(routine)};", "", "#ifdef __cplusplus", "}", "#endif", "", "#endif", ""],
        ]
    )


def _prototype(routine: Routine) -> str:
    made = [f"double {_declared(a)}" if a.shape else f"double *{a.name}" for a in routine.outputs]
    return f"void {routine.name}(" + (",".join(f"\n    {text}" for text in [*_given(routine), *made]) or "void") + ")"


def _given(routine: Routine) -> list[str]:
    return [f"const double {_declared(a)}" if a.shape else f"double {a.name}" for a in routine.inputs]


def _declared(argument: Argument) -> str:
    return f"{argument.name}[{argument.size}]" if argument.size else f"*{argument.name}"


def trial(routine: Routine, examples: Examples) -> str:
    """Return a program that compares a function with recorded states."""
    return "\n".join(
        [
            *["#include <math.h>", "#include <stdio.h>", f'#include "{routine.name}.h"', "", f"#define STATES {COUNT}", ""],
            *_tables("in", examples.inputs),
            *_tables("out", examples.outputs),
            *[COMPARISON, "", "int main(void)", "{", "    int k, wrong = 0;"],
            *["    for (k = 0; k < STATES; k++) {", *_trial(routine, examples.tolerances), "    }"],
            f'    printf("{routine.name}: %d states, %d wrong numbers\\n", STATES, wrong);',
            *["    return wrong != 0;", "}", ""],
        ]
    )


def _tables(stem: str, arrays: Sequence[Array]) -> Iterator[str]:
    for number, array in enumerate(arrays, 1):
        rows = array.reshape(COUNT, -1)
        yield f"static const double {stem}{number}[STATES][{max(1, rows.shape[1])}] = {{"
        yield from (f"    {{{', '.join(map(repr, row)) or '0.0'}}}," for row in rows.tolist())
        yield "};"


def _trial(routine: Routine, tolerances: Sequence[float]) -> Iterator[str]:
    """Give the statements that compare one state."""
    numbers = range(1, len(routine.outputs) + 1)
    yield from (f"        double found{n}[{max(1, a.size)}];" for n, a in zip(numbers, routine.outputs, strict=True))
    given = [f"in{n}[k]" if a.shape else f"in{n}[k][0]" for n, a in enumerate(routine.inputs, 1)]
    yield f"        {routine.name}({', '.join([*given, *(f'found{n}' for n in numbers)])});"
    for n, a, tolerance in zip(numbers, routine.outputs, tolerances, strict=True):
        yield f"        wrong += wrong_in(found{n}, out{n}[k], {a.size}, {tolerance!r});"
