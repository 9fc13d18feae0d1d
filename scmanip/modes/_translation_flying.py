"""Translation-flying: joints, and the system CoM by a force through it [Wilde2018] Table 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..actuators import Pusher, Turner
from ..dynamics import Model
from ..errors import InvalidInput, Problem
from ..spatial import Array, cross
from ._base_driven import BaseDriven
from ._rotation_floating import RotationFloating
from .allocation._generalized_force import GeneralizedForce
from .allocation._pushing import check_pushers, push
from .allocation._situation import Situation
from .allocation._turning import turn
from .contracts._laws import angular_momentum_balances, angular_momentum_is_constant, energy_is_work, momentum_balances
from .contracts._ledger import Ledger
from .contracts._residuals import Residuals


@dataclass(frozen=True, repr=False)
class TranslationFlying(BaseDriven):
    """Thrusters push through the system CoM: L_C is constant, P changes by the applied force; the base's attitude is free.

    A system with `[[thruster]]` must be able to push and turn every way, as its CoM moves; another one gets ideal forces.

    attitude : `RotationFloating()` to hold or turn the base by wheels meanwhile; None leaves it free

    Raises `InvalidInput` for another attitude.

    >>> TranslationFlying().commanded(system.layout)[:3], TranslationFlying(attitude=RotationFloating()).turns
    (('v_C x', 'v_C y', 'v_C z'), True)
    """

    name: ClassVar[str] = "translation_flying"
    pushed: ClassVar[bool] = True
    moves: ClassVar[bool] = True

    attitude: RotationFloating | None = None

    def __post_init__(self) -> None:
        given: object = self.attitude
        if given is not None and not isinstance(given, RotationFloating):
            raise InvalidInput(Problem("attitude", "RotationFloating() or None", repr(given)))

    @property
    def turns(self) -> bool:
        return self.attitude is not None

    @property
    def base_actuators(self) -> tuple[type[Turner] | type[Pusher], ...]:  # type: ignore[override]
        """What pushes, and what turns from inside where that is wanted."""
        return (Pusher,) if self.attitude is None else (Pusher, *self.attitude.base_actuators)

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` when the base is held, or its thrusters or wheels cannot drive it."""
        super().check(model)
        check_pushers(model, self.name, first=0)
        if self.attitude is not None:
            self.attitude.check(model)

    def equipped(self, model: Model) -> Model:
        """Return the model with ideal wheels where wheels are wanted and it has none."""
        return model if self.attitude is None else self.attitude.equipped(model)

    def driven(self, situation: Situation, base: Array, tau: Array) -> GeneralizedForce:
        """Return the force f through the system CoM, its moment about the base CoM added, and n by the wheels."""
        pushed = push(situation, tau, np.concatenate([base[:3], cross(situation.carried[1], base[:3])]))
        return pushed if self.attitude is None else turn(situation, pushed, base[3:])

    def contract(self, ledger: Ledger) -> Residuals:
        """Return the residuals `momentum_balance`, `angular_momentum` and `energy`.

        With free bodies `angular_momentum_balance`: the force goes through the CoM of what the base carries, not that of all.
        """
        turning = angular_momentum_balances if len(ledger.system.trees) > 1 else angular_momentum_is_constant
        return Residuals(momentum_balances(ledger), turning(ledger), energy_is_work(ledger))

    def __repr__(self) -> str:
        return f"TranslationFlying({'' if self.attitude is None else f'attitude={self.attitude!r}'})"
