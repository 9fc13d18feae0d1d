"""An environment and a system as one straight-line program."""

from __future__ import annotations

from typing import Any

from ..dynamics import Model
from ..spatial import Array
from ..symbolic import Program, record
from ._environment import Environment


def external_program(model: Model, environment: Environment) -> Program:
    """Return the program of x (n_x,) and t () whose outputs are `force` (n_u,) and `resultant` (6,).

    force : generalized forces of the environment; resultant : [f; n] of all, the moment about the system CoM, in N
    """
    derivation, fixed = model.symbolic.derivation, model.layout.fixed

    def external(x: Array, t: Any) -> dict[str, Array]:
        e = derivation.at(x)
        wrenches = environment.wrenches(e.geometry, e.r_0, t)
        return {"force": wrenches.generalized_force(e.geometry, fixed=fixed), "resultant": wrenches.resultant(e.geometry)}

    return record({"x": (model.layout.n_x,), "t": ()}, external)
