"""Fixed base: the arm on a test stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..dynamics import Model
from ..errors import ModeMismatch
from ._joints_only import JointsOnly
from .contracts._laws import energy_is_work, root_momentum_is_constant
from .contracts._ledger import Ledger
from .contracts._residuals import Residuals


@dataclass(frozen=True, repr=False)
class FixedBase(JointsOnly):
    """Joint actuators only, the base held by the ground: momentum may change, energy is still work.

    By definition the equations of an arm on the ground.

    >>> held = scmanip.compile_model(scmanip.load_system("model:stanford_arm"))
    >>> FixedBase().check(held)
    >>> FixedBase().check(model)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.ModeMismatch: mode 'fixed_base' needs a base that is held, and the base of system
     'planar-four-link' is free; choose 'floating', or hold it with [base] fixed = true
    """

    name: ClassVar[str] = "fixed_base"

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` when the base is free."""
        if not model.layout.fixed:
            raise ModeMismatch(
                f"mode 'fixed_base' needs a base that is held, and the base of system '{model.system.name}' is free; "
                "choose 'floating', or hold it with [base] fixed = true"
            )

    def contract(self, ledger: Ledger) -> Residuals:
        """Return the residual `energy`, and `root_joint_momentum` where nothing drives the `RootJoint`."""
        return Residuals(energy_is_work(ledger), *root_momentum_is_constant(ledger))
