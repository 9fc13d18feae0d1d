"""Floating: only the joints are driven, the base reacts freely [Wilde2018] Table 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..dynamics import Model
from ..errors import ModeMismatch
from ._joints_only import JointsOnly
from .contracts._laws import angular_momentum_is_constant, com_moves_straight, energy_is_work, momentum_is_constant
from .contracts._ledger import Ledger
from .contracts._residuals import Residuals


@dataclass(frozen=True, repr=False)
class Floating(JointsOnly):
    """Joint actuators only: P and L_C are constant, the system CoM moves on a straight line, energy is work.

    >>> Floating().commanded(system.layout), Floating().reacting(system.layout)[-3:]
    (('joint1', 'joint2', 'joint3', 'joint4'), ('omega_0 x', 'omega_0 y', 'omega_0 z'))
    >>> list(Floating().contract(history))
    ['momentum', 'angular_momentum', 'com_drift', 'energy']
    """

    name: ClassVar[str] = "floating"

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` when the base is held."""
        if model.layout.fixed:
            raise ModeMismatch(
                f"mode 'floating' needs a base that is free to move, and system '{model.system.name}' holds its base "
                "([base] fixed = true); choose 'fixed_base', or free the base"
            )

    def contract(self, ledger: Ledger) -> Residuals:
        """Return the residuals `momentum`, `angular_momentum`, `com_drift` and `energy`."""
        return Residuals(
            momentum_is_constant(ledger),
            angular_momentum_is_constant(ledger),
            com_moves_straight(ledger),
            energy_is_work(ledger),
        )
