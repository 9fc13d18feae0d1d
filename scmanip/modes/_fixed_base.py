"""Fixed base: the arm on a test stand."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..dynamics import Model
from ..errors import ModeMismatch
from ..spatial import Array
from ..system import Layout, State
from ._generalized_force import GeneralizedForce
from ._laws import energy_is_work
from ._ledger import Ledger
from ._manoeuvre_mode import ManoeuvreMode
from ._residuals import Residuals


class FixedBase(ManoeuvreMode):
    """Joint actuators only, the base held by the ground: momentum may change, energy is still work."""

    name: ClassVar[str] = "fixed_base"
    commands_base: ClassVar[bool] = False

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` when the base is free."""
        if not model.layout.fixed:
            raise ModeMismatch(
                f"FixedBase needs a base that is held, and the base of system '{model.system.name}' is free; "
                "use Floating(), or hold it with [base] fixed = true"
            )

    def actuated(self, layout: Layout) -> NDArray[np.intp]:
        """Return the places (N,) of qdot in u."""
        return np.arange(layout.n_u)[layout.joints]

    def generalized_force(self, model: Model, state: State, command: Array) -> GeneralizedForce:
        """Return the command (N,) as joint forces, and no wrench."""
        del model, state
        return GeneralizedForce(command, None)

    def base_wrench(self, model: Model, state: State, force: GeneralizedForce) -> Array:
        """Return what the ground applies to the base at its frame origin (6,) [f; n], in N."""
        return model.inverse_dynamics(state, model.forward_dynamics(state, force.tau)).wrench

    def contract(self, ledger: Ledger) -> Residuals:
        """Return the residual `energy`."""
        return Residuals(energy_is_work(ledger))
