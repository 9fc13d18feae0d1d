"""Constrained motion at one state of numbers, for which nothing is compiled but what the model has without constraints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...spatial import Array
from ...system import State
from ..constraints._constrained_motion import ConstrainedMotion

if TYPE_CHECKING:
    from ._model import Model


@dataclass(frozen=True, eq=False)
class MotionOfNumbers(ConstrainedMotion):
    """The same of floats: rows from the formulas, M and what accelerations need from the programs of the model.

    state : whose packed form is x

    >>> from scmanip.constraints import Lock
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], constraints=[Lock("brake", joint="joint1")])
    >>> own = compile_model(arm, implementation=Reference())
    >>> braked, derivation = own.constrained("brake"), own.symbolic.derivation
    >>> braked.choose(state)
    >>> given = derivation, braked.stack, state.hardware, braked.kept(state), 0.0, {}, braked.chosen[0], own, state
    >>> MotionOfNumbers(*given).rows.A[0, 6:].tolist()
    [1.0, 0.0, 0.0, 0.0]
    """

    model: Model
    state: State

    @cached_property
    def M(self) -> Array:
        return self.model.M(self.state)

    def needed(self, udot: Array) -> Array:
        needed = self.model.inverse_dynamics(self.state, udot)
        return needed.tau if self.model.layout.fixed else np.concatenate([needed.wrench, needed.tau])
