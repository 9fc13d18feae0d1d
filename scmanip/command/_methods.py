"""The methods of other papers than [Wilde2018] in `scmanip derive`, each in its own letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..dynamics import PathTables, derive, exported, kane_page, kane_program, recursive_kane_page, recursive_kane_program
from ..errors import InvalidInput, Problem, refuse
from ..symbolic import AngleSums, Program
from ..system import System, load_system
from ._derive import exact_printer
from ._screen import Screen, printable


class Shown(NamedTuple):
    """One method: a page of letters, and its program, with its axes and outputs in words."""

    page: Callable[[System], str]
    program: Callable[[System], Program]
    axes: str
    outputs: Mapping[str, str]


METHODS = {
    "kane-tree": Shown(
        lambda system: kane_page(PathTables.of(system)),
        kane_program,
        "speeds [omega_1 in axes of the base; sigma; v_1 in N]",
        {
            "Omega": "partial angular velocities, three rows per body in its axes",
            "V": "partial velocities, three rows per body in N",
            "alpha_r": "remainder angular accelerations, a row per body in its axes [rad/s^2]",
            "a_r": "remainder accelerations, a row per body in N [m/s^2]",
            "COEF": "of COEF udot = RHS",
            "RHS": "of COEF udot = RHS",
        },
    ),
    "recursive-kane": Shown(
        recursive_kane_page,
        recursive_kane_program,
        "in base axes with the base not turned",
        {
            "tau": "forces of joints [N m], of what slides [N]",
            "wrench": "force [N] and moment [N m] on the base about its CoM, where it is held about its frame's origin",
        },
    ),
}


def show_method(
    screen: Screen, file: str, method: str, names: Sequence[str], form: str, *, beside: Mapping[str, object]
) -> None:
    """Show a method in letters, or what its quantities cost or are; raises `UnknownName`.

    names : of its outputs; form : "counts", "sympy", "latex" or "formulas"; beside : options that only another method takes
    """
    _refuse_beside(method, beside)
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


def export_method(
    screen: Screen,
    file: str,
    method: str,
    names: Sequence[str],
    language: str,
    folder: str,
    *,
    name: str | None,
    beside: Mapping[str, object],
) -> None:
    """Write one function of some outputs of a method into a folder and list its files; raises `UnknownName`, `InvalidInput`."""
    _refuse_beside(method, beside)
    system, shown = load_system(file), METHODS[method]
    program, derivation = shown.program(system).only(*names), derive(system).derivation
    written = exported(derivation, program, language, names, name=name, axes=shown.axes, outputs=shown.outputs)
    written.save(folder)
    for path in written.files:
        screen.say(f"{folder}/{path}")


def _refuse_beside(method: str, options: Mapping[str, object]) -> None:
    refuse([Problem(option, f"nothing beside --method {method}", str(said)) for option, said in options.items() if said])


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
