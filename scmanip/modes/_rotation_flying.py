"""Rotation-flying: joints, and the base's attitude by thruster couples [Wilde2018] Table 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..actuators import Pusher
from ..dynamics import Model
from ..spatial import Array
from ._base_driven import BaseDriven
from .allocation._generalized_force import GeneralizedForce
from .allocation._pushing import check_pushers, push
from .allocation._situation import Situation
from .contracts._laws import angular_momentum_balances, com_moves_straight, energy_is_work, momentum_is_constant
from .contracts._ledger import Ledger
from .contracts._residuals import Residuals


@dataclass(frozen=True, repr=False)
class RotationFlying(BaseDriven):
    """Thruster couples turn the base without pushing it: P is constant, L_C changes by the applied torque.

    A system with `[[thruster]]` must be able to turn every way without a net force; another one gets ideal couples.

    >>> RotationFlying().commanded(system.layout)[:3]
    ('omega_0 x', 'omega_0 y', 'omega_0 z')
    """

    name: ClassVar[str] = "rotation_flying"
    pushed: ClassVar[bool] = True
    moves: ClassVar[bool] = False
    turns: ClassVar[bool] = True
    base_actuators = (Pusher,)

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` when the base is held, or the thrusters do not give every couple."""
        super().check(model)
        check_pushers(model, self.name, first=3)

    def driven(self, situation: Situation, base: Array, tau: Array) -> GeneralizedForce:
        """Return the torque n as a couple from outside."""
        return push(situation, tau, base)

    def contract(self, ledger: Ledger) -> Residuals:
        """Return the residuals `momentum`, `angular_momentum_balance`, `com_drift` and `energy`."""
        return Residuals(
            momentum_is_constant(ledger),
            angular_momentum_balances(ledger),
            com_moves_straight(ledger),
            energy_is_work(ledger),
        )
