"""The self-test of exported MATLAB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..spatial import Array
from ._examples import COUNT, Examples
from ._routine import Argument, Routine


def trial(routine: Routine, examples: Examples) -> str:
    """Return a function that compares a function with recorded states, and ends in an error where numbers are wrong."""
    name, found = routine.name, [f"found{n}" for n in range(1, len(routine.outputs) + 1)]
    given = [_shaped(a, f"in{n}(k, :)") for n, a in enumerate(routine.inputs, 1)]
    return "\n".join(
        [
            *[f"function {name}_test()", f"% Compares {name} with recorded states."],
            *_tables("in", examples.inputs),
            *_tables("out", examples.outputs),
            *["  wrong = 0;", f"  for k = 1:{COUNT}"],
            f"    [{', '.join(found)}] = {name}({', '.join(given)});",
            *(
                f"    wrong = wrong + sum(~(abs({_row(a, f)} - out{n}(k, :)) <= {tolerance!r}));"
                for n, (a, f, tolerance) in enumerate(zip(routine.outputs, found, examples.tolerances, strict=True), 1)
                if a.size
            ),
            *["  end", f"  fprintf('{name}: {COUNT} states, %d wrong numbers\\n', wrong);"],
            *["  if wrong > 0", f"    error('{name} is wrong');", "  end", "end", ""],
        ]
    )


def _tables(stem: str, arrays: Sequence[Array]) -> Iterator[str]:
    for number, array in enumerate(arrays, 1):
        rows = array.reshape(COUNT, -1)
        if not rows.shape[1]:
            yield f"  {stem}{number} = zeros({COUNT}, 0);"
            continue
        yield f"  {stem}{number} = ["
        yield from (f"    {' '.join(map(repr, row))};" for row in rows.tolist())
        yield "  ];"


def _shaped(argument: Argument, row: str) -> str:
    """Return a row in row-major order as an array of the shape of an argument."""
    if len(argument.shape) < 2:
        return row
    sizes = ", ".join(map(str, reversed(argument.shape)))
    return f"permute(reshape({row}, {sizes}), [{_turned(argument)}])"


def _row(argument: Argument, name: str) -> str:
    """Return an array as a row in row-major order."""
    return f"reshape({name if len(argument.shape) < 2 else f'permute({name}, [{_turned(argument)}])'}, 1, [])"


def _turned(argument: Argument) -> str:
    return ", ".join(str(k) for k in range(len(argument.shape), 0, -1))
