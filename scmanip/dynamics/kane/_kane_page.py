"""The method of [Stoneking2008] for one tree, in letters: path tables, Omega, V, beta, rho and Gamma."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...system import Joint
from ._kane_blocks import partial_angular_velocities, partial_velocities
from ._path_tables import PathTables


def kane_page(tables: PathTables) -> str:
    """Return path tables, Omega and V block by block, every beta and rho as a sum, and Gamma of every joint, as text."""
    Omega, V = partial_angular_velocities(tables), partial_velocities(tables)
    levers = "\n".join(lever.written_out for lever in V.levers)
    return "\n\n".join([str(tables), f"Omega\n{Omega.text}", f"V\n{V.text}", levers, *_partials(tables)]) + "\n"


def twist_letters(joint: Joint) -> Any:
    """Return [Lambda; Gamma] (6, dof) of a joint as a SymPy matrix, in c1, s1, ... for the cosines and sines of its angles."""
    import sympy

    q = sympy.symbols(f"q1:{joint.n_q + 1}", real=True)
    short = {
        getattr(sympy, name)(angle): sympy.Symbol(f"{name[0]}{k}") for k, angle in enumerate(q, 1) for name in ("cos", "sin")
    }
    twists = joint.twists(np.array(q, dtype=object)).T
    return sympy.Matrix(twists).applyfunc(lambda entry: _whole(sympy.expand(entry)).subs(short))


def _partials(tables: PathTables) -> list[str]:
    result = []
    for j, joint in enumerate(tables.joints):
        for letter, found, columns in (("Gamma", joint.turns, slice(3, 6)), ("Lambda", joint.slides, slice(0, 3))):
            if found:
                rows = [f"  [{', '.join(map(_entry, row))}]" for row in twist_letters(joint)[columns, :].tolist()]
                result.append("\n".join([f"{letter}_{j + 1}, of {joint.name}", *rows]))
    return result


def _entry(entry: Any) -> str:
    return f"{float(entry):.9g}" if getattr(entry, "is_number", True) else str(entry).replace("*", " ")


def _whole(expression: Any) -> Any:
    """Return a SymPy expression whose whole coefficients are integers."""
    import sympy

    return expression.xreplace({c: sympy.Integer(int(c)) for c in expression.atoms(sympy.Float) if float(c).is_integer()})
