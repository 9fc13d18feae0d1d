"""Flying: joints and the whole base, by thrusters [Wilde2018] Table 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..actuators import Pusher
from ..dynamics import Model
from ..spatial import Array
from ._base_driven import BaseDriven
from ._reduction import CentroidalDynamics
from .allocation._generalized_force import GeneralizedForce
from .allocation._pushing import check_pushers, push
from .allocation._situation import Situation
from .contracts._laws import angular_momentum_balances, energy_is_work, momentum_balances
from .contracts._ledger import Ledger
from .contracts._residuals import Residuals


@dataclass(frozen=True, repr=False)
class Flying(BaseDriven):
    """Thrusters push and turn the base: P and L_C change by the applied wrench, nothing reacts freely.

    A system with `[[thruster]]` gets of a wrench what these give, of which the history tells; another one gets it all.

    >>> Flying().commanded(system.layout)[:3], Flying().reacting(system.layout)
    (('v_C x', 'v_C y', 'v_C z'), ())
    """

    name: ClassVar[str] = "flying"
    pushed: ClassVar[bool] = True
    moves: ClassVar[bool] = True
    turns: ClassVar[bool] = True
    places_base: ClassVar[bool] = True
    base_actuators = (Pusher,)

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` when the base is held, or thrusters sit elsewhere."""
        super().check(model)
        check_pushers(model, self.name, first=None)

    def driven(self, situation: Situation, base: Array, tau: Array) -> GeneralizedForce:
        """Return the wrench as one from outside."""
        return push(situation, tau, base)

    def command_for(self, dynamics: CentroidalDynamics, forces: Array) -> Array:
        """Return the command (6 + N,) of forces (n_u,) on s, both [N, N m], its torque about the base CoM."""
        return np.concatenate(dynamics.wrench_and_tau(forces))

    def contract(self, ledger: Ledger) -> Residuals:
        """Return the residuals `momentum_balance`, `angular_momentum_balance` and `energy`."""
        return Residuals(momentum_balances(ledger), angular_momentum_balances(ledger), energy_is_work(ledger))
