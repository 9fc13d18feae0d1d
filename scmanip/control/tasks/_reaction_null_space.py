"""The joint rates that do not turn the base [Nenchev1999]."""

from __future__ import annotations

import numpy as np

from ...dynamics import Model
from ...errors import checked
from ...modes import Floating, Situation
from ...spatial import Array, row_space
from ...system import State
from ._task_stack import DrivenMotion


@checked
def reaction_null_space(model: Model, state: State) -> Array:
    """Return the projector (N, N) on the rates of the joints that the base carries which leave its angular velocity alone.

    On a base that nothing drives omega_0 = J qdot without momentum, J the last three rows of -H0^-1 H0m. The projector is
    1 - J+ J; of J those directions count of which the singular value is not rounding. Raises `ModeMismatch` for a held base.

    >>> Z = reaction_null_space(model, state)
    >>> qdot = Z @ [1.0, 0.0, 0.0, 0.0]
    >>> omega = -np.linalg.solve(model.H0(state), model.H0m(state) @ qdot)[3:]
    >>> Z.shape, float(np.trace(Z).round(3)), bool(abs(omega).max() < 1e-12)
    ((4, 4), 3.0, True)
    """
    Floating().check(model)
    driven = DrivenMotion.of(Situation.of(model, state), Floating()).driven
    basis = row_space(driven.jacobian(np.eye(model.layout.n_u)[model.layout.base_angular])).basis
    return np.eye(basis.shape[1]) - basis.T @ basis
