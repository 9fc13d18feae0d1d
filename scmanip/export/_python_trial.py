"""The self-test of exported Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..spatial import Array
from ._examples import COUNT, Examples
from ._routine import Routine


def trial(routine: Routine, examples: Examples) -> str:
    """Return a script that compares a function with recorded states, all at once."""
    name, count = routine.name, len(routine.outputs)
    given = ", ".join(f"in{n}" for n in range(1, len(routine.inputs) + 1))
    found = f"function({given})"
    return "\n".join(
        [
            *["import sys", "", "import numpy", "", f"from {name} import {name} as function", ""],
            *_tables("in", examples.inputs),
            *_tables("out", examples.outputs),
            *["", f"found = {found if count > 1 else f'({found},)' if count else '()'}", "wrong = 0"],
            *(
                f"wrong += numpy.count_nonzero(~(abs(found[{n}] - out{n + 1}) <= {tolerance!r}))"
                for n, tolerance in enumerate(examples.tolerances)
            ),
            f'print("{name}: {COUNT} states, %d wrong numbers" % wrong)',
            *["sys.exit(1 if wrong else 0)", ""],
        ]
    )


def _tables(stem: str, arrays: Sequence[Array]) -> Iterator[str]:
    for number, array in enumerate(arrays, 1):
        yield f"{stem}{number} = numpy.array(["
        yield from (f"    [{', '.join(map(repr, row))}]," for row in array.reshape(COUNT, -1).tolist())
        yield f"]).reshape({array.shape})"
