"""Constraints that hold while a plant moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..constraints import Constraint
from ..dynamics import Constrained, ConstrainedMotion, Model, Selection
from ..modes import Situation
from ..spatial import Array, maximum
from ..system import State

ANEW = 100.0  # a conditioning of the dependent speeds from there on has a run choose them anew
BROKEN = 1e-6  # of its size, by which a row that follows from others may miss


class Reaction(NamedTuple):
    """Accelerations udot (n_u,) under constraints, the generalized `force` (n_u,) with which these act, and alarms (2,),
    which are positive where speeds have to be chosen anew or a row is broken.
    """

    udot: Array
    force: Array
    alarms: Array


@dataclass(frozen=True, eq=False)
class Holding:
    """Constraints with the speeds that depend on others by them, and what they keep.

    chosen : rows and dependent speeds; kept : (n_kept,), one behind the other, an input of programs
    """

    constraints: tuple[Constraint, ...]
    chosen: Selection
    kept: Array = field(metadata={"input": "kept"})

    def reaction(self, model: Model, now: Situation, F: Array, t: Any, kept: Array) -> Reaction:
        """Return how a system moves under generalized forces F (n_u,), over any scalar."""
        motion = ConstrainedMotion(model.symbolic.derivation, self.constraints, now.x, kept, t, now.numbers, self.chosen)
        udot = motion.accelerations(F)
        return Reaction(udot, motion.needed(udot) - F, motion.watch(udot) - [ANEW, BROKEN])
