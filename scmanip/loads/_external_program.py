"""An environment and a system as one straight-line program."""

from __future__ import annotations

from typing import Any

from ..dynamics import Model
from ..spatial import Array
from ..symbolic import Program, record
from ._bodies import Bodies
from ._load import Load


def external_program(model: Model, environment: Load) -> Program:
    """Return the program of x (n_x,) and t () whose outputs are `force` (n_u,) and `resultant` (6,).

    force : generalized forces of the environment; resultant : [f; n] of all, the moment about the system CoM, in N
    """

    def external(x: Array, t: Any) -> dict[str, Array]:
        force, resultant = external_forces(model, environment, x, t)
        return {"force": force, "resultant": resultant}

    return record({"x": (model.layout.n_x,), "t": ()}, external)


def external_forces(model: Model, environment: Load, x: Array, t: Any, inertia: Array | None = None) -> tuple[Array, Array]:
    """Return `force` (n_u,) and `resultant` (6,) as above, over any scalar; inertia : (n_b, 10) instead of the model's own."""
    orbit = environment.origin_orbit
    of_orbit = None if orbit is None else (orbit.position(t), orbit.velocity(t))
    bodies = Bodies(model.system, model.symbolic.derivation.at(x, inertia), of_orbit)
    wrenches = environment.wrenches(bodies, t)
    return wrenches.generalized_force(bodies.geometry, fixed=model.layout.fixed), wrenches.resultant(bodies.geometry)
