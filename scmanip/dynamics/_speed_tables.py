"""What generalized speeds cost and what they do, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..symbolic import Operations, latex_of
from ._model import Model
from ._model_in_speeds import ModelInSpeeds, change_speeds
from ._speeds import Speeds
from ._symbolic_model import SymbolicModel

COSTS = ("rates", "M", "inverse_dynamics", "forward_dynamics")


def compare_speeds(
    model: Model | SymbolicModel, choices: Mapping[str, Speeds], quantities: Sequence[str] = COSTS
) -> dict[str, dict[str, Operations]]:
    """Return what quantities cost in each of several choices of speeds: choice -> quantity -> operations.

    "rates" are the kinematical equations u = W s + X, "forward_dynamics" the dynamical ones, from F to sdot.
    """
    changed = {name: change_speeds(model, speeds) for name, speeds in choices.items()}
    return {name: {quantity: m.operations(quantity) for quantity in quantities} for name, m in changed.items()}


def operations_table(costs: Mapping[str, Mapping[str, Operations]]) -> str:
    """Return what `compare_speeds` gave as lines of text, one per choice and quantity."""
    rows: list[tuple[str, ...]] = [("speeds", "quantity", "x", "+", "/", "functions", "in all")]
    for choice, quantities in costs.items():
        for name, o in quantities.items():
            counts = (o.multiplications, o.additions, o.divisions, o.functions, o.total)
            rows.append((choice, name, *map(str, counts)))
    return _aligned(rows, left=2)


def partial_velocity_table(model: ModelInSpeeds, *, latex: bool = False) -> str:
    """Return the table of partial velocities as formulas, for systems of a few bodies.

    One row per body and speed: partial angular velocity, and partial velocity of the mass centre, both in unit vectors e1,
    e2, e3 of the body's own axes. A moving base comes first.
    """
    program = model.program("partial_velocities")
    names = {"q": model.model.layout.q_names, "s": model.names}
    arrays = [program.sympy(output, names).expanded() for output in ("omega_r", "v_r")]
    head = ("body", "speed", "partial angular velocity", "partial velocity of the mass centre")
    rows: list[tuple[str, ...]] = [head]
    bodies = [(i, body.name) for i, body in enumerate(model.system.bodies) if i or not model.system.fixed]
    for i, body in bodies:
        for r, speed in enumerate(model.names):
            vectors = [[_tidy(array[i, axis, r]) for axis in range(3)] for array in arrays]
            rows.append((body, speed, *(_vector(v, latex=latex) for v in vectors)))
    return _latex_table(rows) if latex else _aligned(rows, left=4)


def _tidy(expression: Any) -> Any:
    """Return an expression as a reader would write it, its numbers in decimals of 15 digits."""
    import sympy

    expression = sympy.sympify(expression)
    exact = {x: sympy.Rational(f"{float(x):.15g}") for x in expression.atoms(sympy.Float)}
    simple = sympy.trigsimp(expression.xreplace(exact))
    return simple.xreplace({x: sympy.Float(x, 15) for x in simple.atoms(sympy.Rational) if not x.is_Integer})


def _vector(entries: Sequence[Any], *, latex: bool) -> str:
    """Return a1 e1 + a2 e2 + a3 e3 without the terms that are zero."""
    import sympy

    terms = []
    for axis, entry in enumerate(entries, 1):
        if entry == 0:
            continue
        text = latex_of(entry) if latex else sympy.sstr(entry, full_prec=False)
        unit = rf"\hat{{e}}_{axis}" if latex else f"e{axis}"
        factor = {"1": "", "-1": "-"}.get(text, f"({text}) " if entry.is_Add else f"{text} ")
        terms.append(factor + unit)
    return " + ".join(terms).replace("+ -", "- ") or "0"


def _aligned(rows: Sequence[Sequence[str]], left: int) -> str:
    """Return rows in columns, the first `left` of them to the left."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell.ljust(w) if k < left else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _latex_table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    lines = [" & ".join(rf"\text{{{cell}}}" for cell in head)]
    for name, speed, *vectors in body:
        lines.append(" & ".join([*(latex_of(_symbol(cell)) for cell in (name, speed)), *vectors]))
    return "\\begin{array}{llll}\n" + " \\\\\n".join(lines) + "\n\\end{array}"


def _symbol(name: str) -> Any:
    import sympy

    return sympy.Symbol(name, real=True)
