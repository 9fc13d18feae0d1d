"""Rust: one function of fixed arrays, of the standard library alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from ..spatial import Array
from ._body import CodeBody
from ._examples import COUNT, Examples
from ._language import PiecedLanguage
from ._routine import Argument, Routine

COMPARISON = """\
#[allow(dead_code)]
fn wrong_in(found: &[f64], expected: &[f64], tolerance: f64) -> usize {
    let within = |(f, e): (&f64, &f64)| (f - e).abs() <= tolerance;
    found.iter().zip(expected).filter(|&pair| !within(pair)).count()
}"""
KEYWORDS = (
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub "
    "ref return self Self static struct super trait true type union unsafe use where while abstract become box do final macro "
    "override priv try typeof unsized virtual yield f64 gen main"
)

ALLOWED = "#[allow(non_snake_case, unused_variables, unused_parens, clippy::all)]"


class Rust(PiecedLanguage):
    """A module with one public function."""

    reserved = frozenset(KEYWORDS.split())
    own: ClassVar[Mapping[str, str]] = {
        "div": "arg_0/arg_1",  # SymPy's is a product with a reciprocal, which rounds twice
        "min": "arg_0.min(arg_1)",  # SymPy's are those of whole numbers
        "max": "arg_0.max(arg_1)",
    }
    infinite, not_a_number = "f64::INFINITY", "f64::NAN"

    def printer(self) -> Any:
        from sympy.printing.rust import RustCodePrinter

        return RustCodePrinter()

    def finite(self, value: float) -> str:
        return f"{super().finite(value)}_f64"

    def entry(self, argument: Argument, place: int) -> str:
        return f"{argument.name}[{place}]" if argument.shape else argument.name

    def assignment(self, name: str, text: str) -> str:
        return f"    let {name} = {text};"

    def handed_on(self, place: int, text: str) -> str:
        return f"    z[{place}] = {text};"

    def files(self, routine: Routine, examples: Examples) -> dict[str, str]:
        body = CodeBody.of(self, routine)
        parts, calls = (_parts(routine, body), _calls(routine, body)) if len(body.pieces) > 1 else ([], body.pieces[0])
        numbers = {a.name for a in routine.outputs if not a.shape}
        ends = [f"    {'*' if place in numbers else ''}{place} = {text};" for place, text in body.results]
        made = [f"{a.name}: &mut [f64; {a.size}]" if a.shape else f"{a.name}: &mut f64" for a in routine.outputs]
        signature = f"pub fn {routine.name}(" + ",".join(f"\n    {text}" for text in [*_given(routine), *made]) + ") {"
        about = [f"// {line}".rstrip() for line in [*routine.comment, "Arrays are in row-major order."]]
        return {
            f"{routine.name}.rs": "\n".join([*about, "", *parts, ALLOWED, signature, *calls, *ends, "}", ""]),
            f"{routine.name}_test.rs": trial(routine, examples),
        }


def _given(routine: Routine) -> list[str]:
    return [f"{a.name}: &[f64; {a.size}]" if a.shape else f"{a.name}: f64" for a in routine.inputs]


def _parts(routine: Routine, body: CodeBody) -> list[str]:
    given = ", ".join([*_given(routine), f"z: &mut [f64; {body.memory}]"])
    parts = list[str]()
    for number, lines in enumerate(body.pieces, 1):
        parts += [ALLOWED, f"fn z_part{number}({given}) {{", *lines, "}", ""]
    return parts


def _calls(routine: Routine, body: CodeBody) -> list[str]:
    given = ", ".join([*(a.name for a in routine.inputs), "&mut z"])
    return [
        f"    let mut z = [0.0_f64; {body.memory}];",
        *(f"    z_part{number}({given});" for number in range(1, len(body.pieces) + 1)),
    ]


def trial(routine: Routine, examples: Examples) -> str:
    """Return a program that compares a function with recorded states."""
    name = routine.name
    return "\n".join(
        [
            *[f'#[path = "{name}.rs"]', "mod exported;", ""],
            *_tables("IN", examples.inputs),
            *_tables("OUT", examples.outputs),
            *["", COMPARISON, "", "fn main() {", "    let mut wrong = 0;", f"    for k in 0..{COUNT} {{"],
            *_trial(routine, examples.tolerances),
            *["    }", f'    println!("{name}: {COUNT} states, {{}} wrong numbers", wrong);'],
            *["    std::process::exit((wrong != 0) as i32);", "}", ""],
        ]
    )


def _tables(stem: str, arrays: Sequence[Array]) -> Iterator[str]:
    for number, array in enumerate(arrays, 1):
        rows = array.reshape(COUNT, -1)
        yield f"const {stem}{number}: [[f64; {rows.shape[1]}]; {COUNT}] = ["
        yield from (f"    [{', '.join(map(repr, row))}]," for row in rows.tolist())
        yield "];"


def _trial(routine: Routine, tolerances: Sequence[float]) -> Iterator[str]:
    """Give the statements that compare one state."""
    outputs = list(enumerate(routine.outputs, 1))
    yield from (f"        let mut found{n} = [0.0_f64; {a.size}];" for n, a in outputs)
    given = [f"&IN{n}[k]" if a.shape else f"IN{n}[k][0]" for n, a in enumerate(routine.inputs, 1)]
    made = [f"&mut found{n}" if a.shape else f"&mut found{n}[0]" for n, a in outputs]
    yield f"        exported::{routine.name}({', '.join([*given, *made])});"
    for (n, _), tolerance in zip(outputs, tolerances, strict=True):
        yield f"        wrong += wrong_in(&found{n}, &OUT{n}[k], {tolerance!r});"
