"""The self-test of exported C."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..spatial import Array
from ._examples import COUNT, Examples
from ._routine import Routine


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


COMPARISON = """\
static int wrong_in(const double *found, const double *expected, int size, double tolerance)
{
    int i, wrong = 0;
    for (i = 0; i < size; i++) {
        wrong += !(fabs(found[i] - expected[i]) <= tolerance);
    }
    return wrong;
}"""


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
