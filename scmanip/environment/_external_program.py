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

    def external(x: Array, t: Any) -> dict[str, Array]:
        force, resultant = external_forces(model, environment, x, t)
        return {"force": force, "resultant": resultant}

    return record({"x": (model.layout.n_x,), "t": ()}, external)


def external_forces(
    model: Model, environment: Environment, x: Array, t: Any, inertia: Array | None = None
) -> tuple[Array, Array]:
    """Return `force` (n_u,) and `resultant` (6,) as above, over any scalar; inertia : (n_b, 10) instead of the model's own."""
    e = model.symbolic.derivation.at(x, inertia)
    wrenches = environment.wrenches(e.geometry, e.r_0, t)
    return wrenches.generalized_force(e.geometry, fixed=model.layout.fixed), wrenches.resultant(e.geometry)
