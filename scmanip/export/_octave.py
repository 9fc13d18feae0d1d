"""MATLAB and Octave: one function in one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._body import Body
from ._examples import Examples
from ._language import Language
from ._octave_trial import trial
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
        body = Body.of(self, routine)
        given, made = (", ".join(a.name for a in some) for some in (routine.inputs, routine.outputs))
        sizes = [f"  {a.name} = zeros({_size(a)});" for a in routine.outputs]
        ends = [f"  {place} = {text};" for place, text in body.results]
        about = [f"% {line}".rstrip() for line in routine.comment]
        text = "\n".join([f"function [{made}] = {routine.name}({given})", *about, *body.pieces[0], *sizes, *ends, "end", ""])
        return {f"{routine.name}.m": text, f"{routine.name}_test.m": trial(routine, examples)}


def _size(argument: Argument) -> str:
    return ", ".join(map(str, (*argument.shape, 1, 1)[: max(2, len(argument.shape))]))
