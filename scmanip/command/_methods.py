"""The methods of other papers than [Wilde2018] in `scmanip derive`, each in its own letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..dynamics import PathTables, kane_page, kane_program, recursive_kane_page, recursive_kane_program
from ..errors import InvalidInput, Problem, refuse
from ..symbolic import AngleSums, Program
from ..system import System, load_system
from ._derive import exact_printer
from ._screen import Screen, printable


class Shown(NamedTuple):
    """One method: a page of letters, and its program."""

    page: Callable[[System], str]
    program: Callable[[System], Program]


METHODS = {
    "kane-tree": Shown(lambda system: kane_page(PathTables.of(system)), kane_program),
    "recursive-kane": Shown(recursive_kane_page, recursive_kane_program),
}


def show_method(
    screen: Screen, file: str, method: str, names: Sequence[str], form: str, *, beside: Mapping[str, object]
) -> None:
    """Show a method in letters, or what its quantities cost or are; raises `UnknownName`.

    names : of its outputs; form : "counts", "sympy", "latex" or "formulas"; beside : options that only another method takes
    """
    refuse([Problem(option, f"nothing beside --method {method}", str(said)) for option, said in beside.items() if said])
    system, shown = load_system(file), METHODS[method]
    if not names and form == "counts":
        for line in shown.page(system).splitlines():
            screen.say(line)
        return
    if not names:
        hint = "the method's letters are shown without --format"
        raise InvalidInput(Problem("--quantity", "a quantity to show", "none", hint=hint))
    program = shown.program(system).only(*names)
    for output in program.outputs:
        _show(screen, program, output.name, form)


def _show(screen: Screen, program: Program, name: str, form: str) -> None:
    """Show one output of a program."""
    (screen.say if form == "counts" else screen.note)(f"{name}: {program.operations_of(name)}")
    if form == "latex":
        for line in program.latex(name).splitlines():
            screen.say(line)
    if form == "formulas":
        for line in str(program.sympy(name).expanded(simplify=AngleSums())).splitlines():
            screen.say(printable(line))
    if form == "sympy":
        exact, found = exact_printer(), program.sympy(name)
        for symbol, expression in found.z:
            screen.say(f"{symbol} = {exact(expression)}")
        for line in f"{name} = {exact(found.matrix)}".splitlines():
            screen.say(line)
