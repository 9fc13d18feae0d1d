"""Floating: only the joints are driven, the base reacts freely [Wilde2018] Table 1."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..dynamics import Model
from ..errors import ModeMismatch
from ..spatial import Array
from ..system import State
from ._generalized_force import GeneralizedForce
from ._joints_only import JointsOnly
from ._laws import angular_momentum_is_constant, com_moves_straight, energy_is_work, momentum_is_constant
from ._ledger import Ledger
from ._residuals import Residuals


class Floating(JointsOnly):
    """Joint actuators only: P and L_C are constant, the system CoM moves on a straight line, energy is work."""

    name: ClassVar[str] = "floating"

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` when the base is held."""
        if model.layout.fixed:
            raise ModeMismatch(
                f"mode 'floating' needs a base that is free to move, and system '{model.system.name}' holds its base "
                "([base] fixed = true); choose 'fixed_base', or free the base"
            )

    def base_wrench(self, model: Model, state: State, force: GeneralizedForce) -> Array:
        """Return (6,) zeros: nothing pushes the base but the arm."""
        del model, state, force
        return np.zeros(6)

    def contract(self, ledger: Ledger) -> Residuals:
        """Return the residuals `momentum`, `angular_momentum`, `com_drift` and `energy`."""
        return Residuals(
            momentum_is_constant(ledger),
            angular_momentum_is_constant(ledger),
            com_moves_straight(ledger),
            energy_is_work(ledger),
        )
