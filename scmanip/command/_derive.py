"""The command `scmanip derive`: the programs behind a model's quantities, counted or shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..dynamics import QUANTITIES, AskedQuantity, SymbolicModel, SymbolicQuantity, both_tasks, by_form, compile_model, derive
from ..errors import InvalidInput, Problem
from ..spatial import RotationForm
from ..symbolic import Operations, ZForm
from ..system import System, load_system
from ._outermost import outermost_frame
from ._screen import Screen, printable

HEADINGS = ("multiplications", "additions", "divisions", "functions", " total")
NAMES = 25  # columns at least
OPEN = "What symbols alone decide is part of the first count, and can be done once for many states (`hoisted`)."
LEGEND = (
    "A subtraction is an addition, a negation is free. Of several forms the first, with the fewest operations, is what runs:",
    "recursion in link axes; composite bodies and elimination of the base; articulated bodies; differentiation of the program",
    "of H; sums over links [Wilde2018]. In base axes, base not turned.",
)


def show_counts(screen: Screen, file: str, names: Sequence[str], kinematics: RotationForm, symbols: Sequence[str]) -> None:
    """Show what the quantities of a system file cost, all of them without `names`; raises `UnknownName`."""
    symbolic = _symbolic(file, kinematics, symbols)
    chosen = _named(symbolic, names) or list(all_quantities(symbolic))
    tasks = any(AskedQuantity.of(quantity.name).name in ("inverse_dynamics", "forward_dynamics") for quantity in chosen)
    rows = list(_rows(symbolic, chosen, together=bool(names), tasks=tasks))
    width = max(NAMES, *(len(label) for label, operations in rows if operations is not None))
    screen.say(_title(symbolic.system, kinematics), "bold")
    screen.say(" ".join([" " * width, *HEADINGS]), "bold")
    for label, operations in rows:
        screen.say(_row(label, operations, width))
    for line in [*LEGEND, *[OPEN] * bool(symbols)]:
        screen.note(line)


def show_sympy(screen: Screen, file: str, names: Sequence[str], kinematics: RotationForm, symbols: Sequence[str]) -> None:
    """Show the Z's of quantities and their arrays in these Z's, as SymPy reads them."""
    exact = exact_printer()
    for name, form in _forms(screen, file, names, kinematics, symbols):
        for symbol, expression in form.z:
            screen.say(f"{symbol} = {exact(expression)}")
        for line in f"{printable(name)} = {exact(form.matrix)}".splitlines():
            screen.say(line)


def show_latex(screen: Screen, file: str, names: Sequence[str], kinematics: RotationForm, symbols: Sequence[str]) -> None:
    """Show the Z's of quantities and their arrays in LaTeX."""
    for _, form in _forms(screen, file, names, kinematics, symbols):
        for line in form.latex().splitlines():
            screen.say(line)


def show_formulas(screen: Screen, file: str, names: Sequence[str], kinematics: RotationForm, symbols: Sequence[str]) -> None:
    """Show quantities as a person writes them, in one set of parts and coefficients; raises `InvalidInput` for long ones."""
    _some(names)
    symbolic = _symbolic(file, kinematics, symbols)
    _named(symbolic, names)
    form = symbolic.closed_form(*names)
    screen.note(f"{', '.join(names)}, {_title(symbolic.system, kinematics)}, base axes")
    for line in str(form).splitlines():
        screen.say(printable(line))


def all_quantities(symbolic: SymbolicModel) -> Iterator[SymbolicQuantity]:
    """Give every quantity of a system, those of a frame for the outermost one."""
    system = symbolic.system
    frame = outermost_frame(system)
    for name, quantity in QUANTITIES.items():
        missing = name == "coriolis_matrix" and system.layout.quaternions  # Christoffel symbols need coordinates
        if not missing and not (system.fixed and "wrench" in quantity.inputs):
            yield symbolic.quantity(f"{name}:{frame}" if quantity.framed else name)


def _symbolic(file: str, kinematics: RotationForm, symbols: Sequence[str]) -> SymbolicModel:
    """Return the equations of a system file; raises `SingularInertia` for a system that can never move."""
    symbolic = derive(load_system(file), kinematics=kinematics, symbols=symbols)
    compile_model(symbolic)
    return symbolic


def _some(names: Sequence[str]) -> None:
    if not names:
        raise InvalidInput(Problem("--quantity", "a quantity to show", "none", hint="without --format all are counted"))


def _named(symbolic: SymbolicModel, names: Sequence[str]) -> list[SymbolicQuantity]:
    """Return quantities by their names once all of them are recorded, so that a wrong name leaves nothing half shown."""
    chosen = [symbolic.quantity(name) for name in names]
    return [quantity for quantity in chosen if quantity.program]


def _rows(
    symbolic: SymbolicModel, chosen: Sequence[SymbolicQuantity], *, together: bool, tasks: bool
) -> Iterator[tuple[str, Operations | None]]:
    """Give label and counts of every row; a quantity with two forms has a row for its name alone."""
    for quantity in chosen:
        operations, choice = quantity.operations, quantity.choice
        others = [count.form for count in choice.counts if count.form is not choice.form]
        if not operations.total:
            yield quantity.name, operations
        elif not others:
            label = f"{quantity.name}, {choice.form.word}"
            yield from (
                [(label, operations)] if len(label) <= NAMES else [(quantity.name, None), (f"  {choice.form.word}", operations)]
            )
        else:
            yield from ((quantity.name, None), (f"  {choice.form.word}", operations))
            yield from ((f"  {form.word}", by_form(symbolic, quantity.name, form).operations) for form in others)
        if symbolic.symbols:
            yield "  by the symbols alone", quantity.hoisted[0].operations
    if together and len(chosen) > 1:
        yield "together, one program", symbolic.program(*(quantity.name for quantity in chosen)).operations
    if tasks:
        yield from ((label, program.operations) for label, program in both_tasks(symbolic).items())


def _row(label: str, operations: Operations | None, width: int) -> str:
    if operations is None:
        return label
    o = operations
    counts = (o.multiplications, o.additions, o.divisions, o.functions, o.total)
    cells = (str(count).rjust(len(heading)) for count, heading in zip(counts, HEADINGS, strict=True))
    return " ".join([label.ljust(width), *cells])


def _title(system: System, kinematics: RotationForm) -> str:
    base = "fixed base" if system.fixed else "floating base"
    return f"system {system.name}: {base}, {system.freedom_words}, rotations by {kinematics!r}"


def _forms(
    screen: Screen, file: str, names: Sequence[str], kinematics: RotationForm, symbols: Sequence[str]
) -> Iterator[tuple[str, ZForm]]:
    """Give name and Kane-Levinson form of every output of quantities; raises `InvalidInput` when none is named."""
    _some(names)
    symbolic = _symbolic(file, kinematics, symbols)
    for quantity in _named(symbolic, names):
        screen.note(f"{quantity.name}, {_title(symbolic.system, kinematics)}, base axes: {quantity.operations}")
        for output in quantity.program.outputs:
            yield output.name, quantity.sympy(output.name)


def exact_printer() -> Any:
    """Return a function that writes SymPy expressions with numbers in full, 0.1 and not 0.100000000000000."""
    from sympy.printing.str import StrPrinter

    class Exact(StrPrinter):  # type: ignore[misc]
        def _print_Float(self, number: Any) -> str:
            return repr(float(number))

    return Exact().doprint
