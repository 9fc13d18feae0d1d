"""Python with NumPy alone: one function, of one state or of many."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ._body import Body
from ._examples import Examples
from ._language import Language
from ._python_trial import trial
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
        made = Body.of(self, routine)
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
