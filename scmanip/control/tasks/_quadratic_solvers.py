"""Solvers of the quadratic program: the vector nearest to another one within limits; floats alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ...errors import InvalidInput, MissingExtra, Problem, nearest
from ...spatial import Array

Nearest = Callable[[Array, Array, Array, Array], Array | None]
"""(x_0, A, lower, upper) -> x (n,) nearest to x_0 of all with lower <= A x <= upper (m,); None where none is found."""

EXACT = 1e-12  # tolerances of solvers
NEAR = 1e-7  # what is good enough of one that comes near but cannot come nearer, as where limits leave no room at all
MOST_STEPS = 60


def solver_called(name: Any) -> Nearest:
    """Return a solver by its name; raises `InvalidInput` for an unknown one, `MissingExtra` where it is not installed."""
    if name not in SOLVERS:
        words = " or ".join(map(repr, SOLVERS))
        raise InvalidInput(Problem("solver", words, repr(name), hint=nearest(str(name), SOLVERS)))
    try:
        return SOLVERS[name]()
    except ImportError:
        raise MissingExtra(f"A quadratic program by {name}", "qp") from None


def _daqp() -> Nearest:
    """A dual active-set method [Arnstrom2022]."""
    import daqp

    def nearest_within(x_0: Array, A: Array, lower: Array, upper: Array) -> Array | None:
        sense = np.zeros(len(A), dtype=np.int32)
        exact = {"primal_tol": EXACT, "dual_tol": EXACT}
        x, _, flag, _ = daqp.solve(np.eye(len(x_0)), -x_0, np.ascontiguousarray(A), upper, lower, sense, **exact)
        return np.array(x) if flag == 1 else None

    return nearest_within


def _piqp() -> Nearest:
    """A proximal interior-point method [Schwan2023]."""
    import piqp

    def nearest_within(x_0: Array, A: Array, lower: Array, upper: Array) -> Array | None:
        solver = piqp.DenseSolver()
        for name in ("eps_abs", "eps_rel", "eps_duality_gap_abs", "eps_duality_gap_rel"):
            setattr(solver.settings, name, EXACT)
        solver.settings.max_iter = MOST_STEPS
        solver.setup(np.eye(len(x_0), order="F"), -x_0, None, None, np.asfortranarray(A), lower, upper)
        solver.solve()
        info = solver.result.info
        good = max(info.primal_res, info.dual_res, info.duality_gap) < NEAR
        return np.array(solver.result.x) if good else None

    return nearest_within


SOLVERS: Mapping[str, Callable[[], Nearest]] = MappingProxyType({"daqp": _daqp, "piqp": _piqp})
