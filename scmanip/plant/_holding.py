"""Constraints that hold while a plant moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..dynamics import Constrained, ConstrainedMotion, Stack
from ..modes import Situation
from ..spatial import Array, Selection
from ..system import State

ANEW = 100.0  # a conditioning of the dependent speeds from there on has a run choose them anew
BROKEN = 1e-6  # of its size, by which a row that follows from others may miss


class Reaction(NamedTuple):
    """Accelerations `udot` (n_u,) under constraints, and the generalized `force` (n_u,) by which these act.

    alarms : (2,) above zero where speeds have to be chosen anew, and where a row is broken; none of floats
    """

    udot: Array
    force: Array
    alarms: Array


@dataclass(frozen=True, eq=False)
class Holding:
    """Constraints from the moment on at which they began to hold.

    chosen : rows and speeds that were selected then
    kept : (n_kept,) what they keep, one behind the other; an input of programs
    """

    stack: Stack
    chosen: Selection
    kept: Array = field(metadata={"input": "kept"})

    @classmethod
    def of(cls, constrained: Constrained, state: State, before: Holding | None) -> Holding:
        """Return how constraints hold from a state on; those that held before keep what they kept."""
        stack, kept = constrained.stack, np.array(constrained.kept(state))
        for name, at in stack.kept_of.items():
            if before is not None and name in before.stack.kept_of:
                kept[at] = before.kept[before.stack.kept_of[name]]
        return cls(stack, constrained.chosen_at(state, kept=kept), kept)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the constraints."""
        return tuple(one.name for one in self.stack.constraints)

    def reaction(self, now: Situation, derivation: Any, F: Array, t: Any, kept: Array) -> Reaction:
        """Return how a system moves under generalized forces F (n_u,) at t [s], over any scalar."""
        motion = ConstrainedMotion(derivation, self.stack, now.x, kept, t, now.numbers, self.chosen)
        udot = motion.accelerations(F)
        return Reaction(udot, motion.needed(udot) - F, motion.watch(udot) - np.array([ANEW, BROKEN]))


class Change(NamedTuple):
    """What comes of other constraints at one instant.

    plant : under them; state : after it; impulses (k,) of each by name; energy_lost : [J]
    """

    plant: Any
    state: State
    impulses: Mapping[str, Array]
    energy_lost: float
