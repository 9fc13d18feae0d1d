"""Python with NumPy alone: one function, of one state or of many."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ..spatial import Array
from ._body import CodeBody
from ._examples import COUNT, Examples
from ._language import Language
from ._routine import Argument, Routine


class Python(Language):
    """A module that imports NumPy."""

    reserved = frozenset([*keyword.kwlist, *keyword.softkwlist, "numpy", "cases", "abs", "float"])
    own: ClassVar[Mapping[str, str]] = {  # SymPy's are lists, reduced or selected from
        "min": "numpy.minimum(arg_0, arg_1)",
        "max": "numpy.maximum(arg_0, arg_1)",
        "select": "numpy.where(arg_0 < arg_1, arg_2, arg_3)",
    }
    infinite, not_a_number = "numpy.inf", "numpy.nan"

    def printer(self) -> Any:
        from sympy.printing.numpy import NumPyPrinter

        return NumPyPrinter()

    def entry(self, argument: Argument, place: int) -> str:
        return f"{argument.name}[{', '.join(['...', *map(str, np.unravel_index(place, argument.shape))])}]"

    def assignment(self, name: str, text: str) -> str:
        return f"    {name} = {text}"

    def files(self, routine: Routine, examples: Examples) -> dict[str, str]:
        made = CodeBody.of(self, routine)
        shapes = [f"{a.name}.shape[:{-len(a.shape)}]" if a.shape else f"{a.name}.shape" for a in routine.inputs]
        body = [
            *(f"    {a.name} = numpy.asarray({a.name}, dtype=float)" for a in routine.inputs),
            f"    cases = numpy.broadcast_shapes({', '.join(shapes)})",
            *made.pieces[0],
            *(f"    {a.name} = numpy.empty((*cases, {_sizes(a)}))" for a in routine.outputs),
            *(f"    {place} = {text}" for place, text in made.results),
            f"    return {', '.join(a.name for a in routine.outputs) or 'None'}",
        ]
        about = [*routine.comment, "Every input may have axes of cases in front, which the outputs then have too."]
        quoted = ['    """', *(f"    {line}".rstrip() for line in about), '    """']
        head = ["import numpy", "", "", f"def {routine.name}({', '.join(a.name for a in routine.inputs)}):"]
        return {
            f"{routine.name}.py": "\n".join([*head, *quoted, *body, ""]),
            f"{routine.name}_test.py": trial(routine, examples),
        }


def _sizes(argument: Argument) -> str:
    return "".join(f"{size}, " for size in argument.shape).strip()


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
