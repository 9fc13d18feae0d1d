"""Gamma and Lambda of a joint in letters."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...system import Joint


def twist_letters(joint: Joint) -> Any:
    """Return [Lambda; Gamma] (6, dof) of a joint as a SymPy matrix, in c1, s1, ... for the cosines and sines of its angles.

    >>> twist_letters(scmanip.Joint("wrist", "gimbal", sequence="zx")).T.tolist()
    [[0, 0, 0, 0, s2, c2], [0, 0, 0, 1, 0, 0]]
    """
    import sympy

    q = sympy.symbols(f"q1:{joint.n_q + 1}", real=True)
    short = {
        getattr(sympy, name)(angle): sympy.Symbol(f"{name[0]}{k}") for k, angle in enumerate(q, 1) for name in ("cos", "sin")
    }
    twists = joint.twists(np.array(q, dtype=object)).T
    return sympy.Matrix(twists).applyfunc(lambda entry: _whole(sympy.expand(entry)).subs(short))


def _whole(expression: Any) -> Any:
    """Return a SymPy expression whose whole coefficients are integers."""
    import sympy

    return expression.xreplace({c: sympy.Integer(int(c)) for c in expression.atoms(sympy.Float) if float(c).is_integer()})
