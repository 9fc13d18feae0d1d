"""Rotation-floating: joints and the base's attitude by internal actuators [Wilde2018] Table 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..actuators import Turner
from ..dynamics import Model
from ..spatial import Array
from ._base_driven import BaseDriven
from .allocation._generalized_force import GeneralizedForce
from .allocation._situation import Situation
from .allocation._turning import check_turners, turn, with_ideal_turners
from .contracts._laws import angular_momentum_is_constant, com_moves_straight, energy_is_work, momentum_is_constant
from .contracts._ledger import Ledger
from .contracts._residuals import Residuals


@dataclass(frozen=True, repr=False)
class RotationFloating(BaseDriven):
    """Wheels, or what else does it from inside, turn the base: P and L_C with what these store are constant.

    The system CoM is not driven. A system without any gets three ideal wheels. Where limits act, the torque is scaled down.

    >>> model.layout.n_w, RotationFloating().equipped(model).layout.n_w
    (0, 3)
    """

    name: ClassVar[str] = "rotation_floating"
    moves: ClassVar[bool] = False
    turns: ClassVar[bool] = True
    base_actuators = (Turner,)

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` when the base is held, or what is in it cannot turn it about every axis."""
        super().check(model)
        check_turners(model, self.name)

    def equipped(self, model: Model) -> Model:
        """Return the model with three ideal wheels where nothing turns it."""
        return with_ideal_turners(model)

    def driven(self, situation: Situation, base: Array, tau: Array) -> GeneralizedForce:
        """Return the torque n as rates of what turns the base."""
        return turn(situation, GeneralizedForce(tau, None), base[3:])

    def contract(self, ledger: Ledger) -> Residuals:
        """Return the residuals `momentum`, `angular_momentum`, `com_drift` and `energy`."""
        return Residuals(
            momentum_is_constant(ledger),
            angular_momentum_is_constant(ledger),
            com_moves_straight(ledger),
            energy_is_work(ledger),
        )
