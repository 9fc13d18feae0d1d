"""MATLAB and Octave: one function in one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..spatial import Array
from ._body import CodeBody
from ._examples import COUNT, Examples
from ._language import Language
from ._routine import Argument, Routine

KEYWORDS = (
    "break case catch classdef continue else elseif end for function global if otherwise parfor persistent return spmd switch "
    "try while do until unwind_protect unwind_protect_cleanup end_try_catch endfor endfunction endif endswitch endwhile "
    "ans eps pi i j e Inf NaN inf nan true false zeros sin cos tan sqrt exp tanh abs min max atan2"
)


class Octave(Language):
    """What MATLAB and Octave both read."""

    reserved = frozenset(KEYWORDS.split())
    infinite, not_a_number = "Inf", "NaN"

    def printer(self) -> Any:
        from sympy.printing.octave import OctaveCodePrinter

        return OctaveCodePrinter()

    def entry(self, argument: Argument, place: int) -> str:
        if not argument.shape:
            return argument.name
        return f"{argument.name}({', '.join(str(k + 1) for k in np.unravel_index(place, argument.shape))})"

    def assignment(self, name: str, text: str) -> str:
        return f"  {name} = {text};"

    def choice(self, name: str, spelled: str, args: Sequence[str]) -> str:
        del spelled  # a sum of both, one times zero, which is not zero where that one is not finite
        one, other, if_true, if_false = args
        return f"  if ({one} < {other})\n    {name} = {if_true};\n  else\n    {name} = {if_false};\n  end"

    def files(self, routine: Routine, examples: Examples) -> dict[str, str]:
        body = CodeBody.of(self, routine)
        given, made = (", ".join(a.name for a in some) for some in (routine.inputs, routine.outputs))
        sizes = [f"  {a.name} = zeros({_size(a)});" for a in routine.outputs]
        ends = [f"  {place} = {text};" for place, text in body.results]
        about = [f"% {line}".rstrip() for line in routine.comment]
        text = "\n".join([f"function [{made}] = {routine.name}({given})", *about, *body.pieces[0], *sizes, *ends, "end", ""])
        return {f"{routine.name}.m": text, f"{routine.name}_test.m": trial(routine, examples)}


def _size(argument: Argument) -> str:
    return ", ".join(map(str, (*argument.shape, 1, 1)[: max(2, len(argument.shape))]))


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
