"""What generalized speeds cost and what they do, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...symbolic import Operations, latex_of
from ..kane._text import aligned
from ..model._model import Model
from ..programs._symbolic_model import SymbolicModel
from ._model_in_speeds import ModelInSpeeds, change_speeds
from ._speeds import JointRates, Speeds

COSTS = ("rates", "M", "inverse_dynamics", "forward_dynamics")


def compare_speeds(
    model: Model | SymbolicModel, choices: Mapping[str, Speeds], quantities: Sequence[str] = COSTS
) -> dict[str, dict[str, Operations]]:
    """Return what quantities cost in each of several choices of speeds: choice -> quantity -> operations.

    "rates" are the kinematical equations u = W s + X, "forward_dynamics" the dynamical ones, from F to sdot.

    >>> costs = compare_speeds(model, {"rates": JointRates()}, ["rates"])
    >>> print(costs["rates"]["rates"])
    0 multiplications, 0 additions, 0 divisions, 0 functions
    """
    changed = {name: change_speeds(model, speeds) for name, speeds in choices.items()}
    return {name: {quantity: m.operations(quantity) for quantity in quantities} for name, m in changed.items()}


def operations_table(costs: Mapping[str, Mapping[str, Operations]]) -> str:
    """Return what `compare_speeds` gave as lines of text, one per choice and quantity.

    >>> print(operations_table(compare_speeds(model, {"rates": JointRates()}, ["rates"])))
    speeds  quantity  x  +  /  functions  in all
    rates   rates     0  0  0          0       0
    """
    rows: list[tuple[str, ...]] = [("speeds", "quantity", "x", "+", "/", "functions", "in all")]
    for choice, quantities in costs.items():
        for name, o in quantities.items():
            counts = (o.multiplications, o.additions, o.divisions, o.functions, o.total)
            rows.append((choice, name, *map(str, counts)))
    return aligned(rows, left=2)


def partial_velocity_table(model: ModelInSpeeds, *, latex: bool = False) -> str:
    """Return the table of partial velocities as formulas, for systems of a few bodies.

    One row per body and speed: partial angular velocity, and partial velocity of the mass centre, both in unit vectors e1,
    e2, e3 of the body's own axes. A moving base comes first. The numbers of one state: `ModelInSpeeds.partial_velocities`.

    >>> base = scmanip.Body("base", 0.0, [0, 0, 0])
    >>> rod = scmanip.Body("rod", 3.0, [0.0, 1.0, 1.0], [0.5, 0, 0], "base", scmanip.Joint("pin", "revolute"))
    >>> pendulum = derive(scmanip.System("pendulum", base, [rod], fixed=True))
    >>> print(partial_velocity_table(change_speeds(pendulum, JointRates())))
    body  speed  partial angular velocity  partial velocity of the mass centre
    rod   pin    e3                        0.5 e2
    """
    arrays = _formulas(model, "partial_velocities", ("omega_r", "v_r"))
    head = ("body", "speed", "partial angular velocity", "partial velocity of the mass centre")
    rows: list[tuple[str, ...]] = [head]
    for i, body in _moving(model):
        for r, speed in enumerate(model.names):
            vectors = [[_tidy(array[i, axis, r]) for axis in range(3)] for array in arrays]
            rows.append((body, speed, *(_vector(v, latex=latex) for v in vectors)))
    return _latex_table(rows) if latex else aligned(rows, left=4)


def generalized_force_table(model: ModelInSpeeds, *, latex: bool = False) -> str:
    """Return F_r and F_r* of every body, and their sums, as formulas in q, s, sdot and the forces; for a few bodies.

    A prime is a time derivative; f_ stands before the name of the speed in u on which a joint force or an entry of the base
    wrench does work. The numbers of one state: `ModelInSpeeds.generalized_forces`.

    >>> base = scmanip.Body("base", 0.0, [0, 0, 0])
    >>> rod = scmanip.Body("rod", 3.0, [0.0, 1.0, 1.0], [0.5, 0, 0], "base", scmanip.Joint("pin", "revolute"))
    >>> pendulum = derive(scmanip.System("pendulum", base, [rod], fixed=True))
    >>> print(generalized_force_table(change_speeds(pendulum, JointRates())))
    body  speed  F_r    F_r*
    rod   pin    f_pin  -1.75*pin''
    all   pin    f_pin  -1.75*pin''
    """
    arrays = _formulas(model, "generalized_forces", ("active", "inertia"))
    rows: list[tuple[str, ...]] = [("body", "speed", "F_r", "F_r*")]
    moving = _moving(model)
    for r, speed in enumerate(model.names):
        parts = [[array[i, r] for array in arrays] for i, _ in moving]
        sums = [sum(column) for column in zip(*parts, strict=True)]
        for body, entries in zip([*(name for _, name in moving), "all"], [*parts, sums], strict=True):
            rows.append((body, speed, *(_scalar(_tidy(x), latex=latex) for x in entries)))
    return _latex_table(rows) if latex else aligned(rows, left=4)


def _moving(model: ModelInSpeeds) -> list[tuple[int, str]]:
    """Return number and name of every body that can move."""
    return [(i, body.name) for i, body in enumerate(model.system.bodies) if i or not model.system.fixed]


def _formulas(model: ModelInSpeeds, quantity: str, outputs: Sequence[str]) -> list[Any]:
    """Return outputs of a quantity's program written out, in the names of the system and of the speeds.

    Where names of a file would then mean two things, entries are numbered instead: q_1, s_1, sdot_1, f_1.
    """
    program, q = model.program(quantity), model.system.layout.q_names
    s = [f"{name}'" if name in q else name for name in model.names]
    f = [f"f_{name}" for name in JointRates().names(model.system)]
    names = {"q": list(q), "s": s, "sdot": [f"{name}'" for name in s], "f": f}
    every = [name for group in names.values() for name in group]
    return [program.sympy(output, names if len(set(every)) == len(every) else {}).expanded() for output in outputs]


def _scalar(expression: Any, *, latex: bool) -> str:
    import sympy

    return latex_of(expression) if latex else str(sympy.sstr(expression, full_prec=False))


def _tidy(expression: Any) -> Any:
    """Return an expression as a reader would write it, its numbers in decimals of 15 digits."""
    import sympy

    expression = sympy.sympify(expression)
    exact = {x: sympy.Rational(f"{float(x):.15g}") for x in expression.atoms(sympy.Float)}
    simple = sympy.trigsimp(expression.xreplace(exact))
    return simple.xreplace({x: sympy.Float(x, 15) for x in simple.atoms(sympy.Rational) if not x.is_Integer})


def _vector(entries: Sequence[Any], *, latex: bool) -> str:
    """Return a1 e1 + a2 e2 + a3 e3 without the terms that are zero."""
    terms = []
    for axis, entry in enumerate(entries, 1):
        if entry == 0:
            continue
        text = _scalar(entry, latex=latex)
        unit = rf"\hat{{e}}_{axis}" if latex else f"e{axis}"
        factor = {"1": "", "-1": "-"}.get(text, f"({text}) " if entry.is_Add else f"{text} ")
        terms.append(factor + unit)
    return " + ".join(terms).replace("+ -", "- ") or "0"


def _latex_table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    lines = [" & ".join(cell.replace("*", "^*") if "_" in cell else rf"\text{{{cell}}}" for cell in head)]
    for name, speed, *vectors in body:
        lines.append(" & ".join([*(latex_of(_symbol(cell)) for cell in (name, speed)), *vectors]))
    return "\\begin{array}{llll}\n" + " \\\\\n".join(lines) + "\n\\end{array}"


def _symbol(name: str) -> Any:
    import sympy

    return sympy.Symbol(name, real=True)
