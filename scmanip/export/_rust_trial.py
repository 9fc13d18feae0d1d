"""The self-test of exported Rust."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..spatial import Array
from ._examples import COUNT, Examples
from ._routine import Routine


def trial(routine: Routine, examples: Examples) -> str:
    """Return a program that compares a function with recorded states."""
    name = routine.name
    return "\n".join(
        [
            *[f'#[path = "{name}.rs"]', "mod exported;", ""],
            *_tables("IN", examples.inputs),
            *_tables("OUT", examples.outputs),
            *["", COMPARISON, "", "fn main() {", "    let mut wrong = 0;", f"    for k in 0..{COUNT} {{"],
            *_calls(routine, examples.tolerances),
            *["    }", f'    println!("{name}: {COUNT} states, {{}} wrong numbers", wrong);'],
            *["    std::process::exit((wrong != 0) as i32);", "}", ""],
        ]
    )


COMPARISON = """\
#[allow(dead_code)]
fn wrong_in(found: &[f64], expected: &[f64], tolerance: f64) -> usize {
    let within = |(f, e): (&f64, &f64)| (f - e).abs() <= tolerance;
    found.iter().zip(expected).filter(|&pair| !within(pair)).count()
}"""


def _tables(stem: str, arrays: Sequence[Array]) -> Iterator[str]:
    for number, array in enumerate(arrays, 1):
        rows = array.reshape(COUNT, -1)
        yield f"const {stem}{number}: [[f64; {rows.shape[1]}]; {COUNT}] = ["
        yield from (f"    [{', '.join(map(repr, row))}]," for row in rows.tolist())
        yield "];"


def _calls(routine: Routine, tolerances: Sequence[float]) -> Iterator[str]:
    """Give the statements that compare one state."""
    outputs = list(enumerate(routine.outputs, 1))
    yield from (f"        let mut found{n} = [0.0_f64; {a.size}];" for n, a in outputs)
    given = [f"&IN{n}[k]" if a.shape else f"IN{n}[k][0]" for n, a in enumerate(routine.inputs, 1)]
    made = [f"&mut found{n}" if a.shape else f"&mut found{n}[0]" for n, a in outputs]
    yield f"        exported::{routine.name}({', '.join([*given, *made])});"
    for (n, _), tolerance in zip(outputs, tolerances, strict=True):
        yield f"        wrong += wrong_in(&found{n}, &OUT{n}[k], {tolerance!r});"
