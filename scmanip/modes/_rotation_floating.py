"""Rotation-floating: joints and the base's attitude by internal actuators [Wilde2018] Table 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..dynamics import Model
from ..spatial import Array
from ._base_driven import BaseDriven
from ._generalized_force import GeneralizedForce
from ._laws import angular_momentum_is_constant, com_moves_straight, energy_is_work, momentum_is_constant
from ._ledger import Ledger
from ._residuals import Residuals
from ._situation import Situation
from ._wheel_allocation import check_wheels, with_ideal_wheels
from ._wheel_limits import turn


@dataclass(frozen=True, repr=False)
class RotationFloating(BaseDriven):
    """Reaction wheels turn the base: P is constant and so is L_C with the wheels' momentum; the system CoM is not driven.

    A system without `[[wheel]]` gets three ideal ones. Where limits of wheels act, the torque is scaled down.
    """

    name: ClassVar[str] = "rotation_floating"
    moves: ClassVar[bool] = False
    turns: ClassVar[bool] = True

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` when the base is held, or the wheels cannot turn it about every axis."""
        super().check(model)
        check_wheels(model, self.name)

    def equipped(self, model: Model) -> Model:
        """Return the model with three ideal wheels where it has none."""
        return with_ideal_wheels(model)

    def driven(self, situation: Situation, base: Array, tau: Array) -> GeneralizedForce:
        """Return the torque n as accelerations of the wheels."""
        return turn(situation, GeneralizedForce(tau, None), base[3:])

    def contract(self, ledger: Ledger) -> Residuals:
        """Return the residuals `momentum`, `angular_momentum`, `com_drift` and `energy`."""
        return Residuals(
            momentum_is_constant(ledger),
            angular_momentum_is_constant(ledger),
            com_moves_straight(ledger),
            energy_is_work(ledger),
        )
