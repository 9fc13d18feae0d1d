"""Other ways to the same quantities, to be counted beside the ones that run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...spatial import Array, Cholesky
from ...symbolic import Program, record
from ._forms import Form
from ._symbolic_model import SymbolicModel


def by_sums(symbolic: SymbolicModel, name: str) -> Program:
    """Return the program of a quantity by the paper's sums over links, in base axes, with only the inputs that it uses.

    >>> by_sums(derive(system), "H0m").outputs[0].shape
    (6, 4)
    """
    return by_form(symbolic, name, Form.SUMS)


def by_form(symbolic: SymbolicModel, name: str, form: Form) -> Program:
    """Return the program of a quantity in one of the forms of its `choice`, in base axes, with the inputs that it uses.

    >>> symbolic = derive(system)
    >>> by_form(symbolic, "H", Form.SUMS).operations.total > symbolic.H.operations.total
    True
    """
    return symbolic.derivation.open_program([name], lambda _: form)


def both_tasks(symbolic: SymbolicModel) -> dict[str, Program]:
    """Return inverse and forward dynamics from one set of equations, M udot + bias = forces, and each as its own program.

    One set serves both tasks; a program for each has fewer operations, as section 3 of [Kane1983] expects.

    >>> programs = both_tasks(derive(system))
    >>> one_set, alone = programs["  inverse dynamics by it"], programs["inverse dynamics alone"]
    >>> alone.operations.total < one_set.operations.total
    True
    """
    inverse = "inverse_dynamics.tau" if symbolic.system.fixed else "inverse_dynamics"
    whole = symbolic.program("M", inverse)
    shapes, n_u = _shapes(whole), symbolic.system.layout.n_u
    state = {key: shape for key, shape in shapes.items() if key != "udot"}

    def equations(given: Mapping[str, Array]) -> tuple[Array, Array]:
        M, *forces = whole.evaluate(*(given[key] if key in state else np.zeros(shape) for key, shape in shapes.items()))
        return M, np.concatenate(forces)

    def from_set(**given: Array) -> dict[str, Array]:
        return dict(zip(("M", "bias"), equations(given), strict=True))

    def inverse_from_set(udot: Array, **given: Array) -> dict[str, Array]:
        M, bias = equations(given)
        return {"forces": M @ udot + bias}

    def forward_from_set(tau: Array, **given: Array) -> dict[str, Array]:
        M, bias = equations(given)
        return {"udot": Cholesky.of(M).solve(np.concatenate([np.zeros(n_u - len(tau)), tau]) - bias)}

    return {
        "M and bias, one set": record(state, from_set),
        "  inverse dynamics by it": record({"udot": (n_u,), **state}, inverse_from_set),
        "  forward dynamics by it": record({"tau": (symbolic.system.layout.N,), **state}, forward_from_set),
        "inverse dynamics alone": symbolic.quantity(inverse).program,
        "forward dynamics alone": symbolic.quantity("forward_dynamics").program,
    }


def _shapes(program: Program) -> dict[str, tuple[int, ...]]:
    return {i.name: i.shape for i in program.inputs}
