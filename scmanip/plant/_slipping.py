"""Constraints that slip while a plant moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..dynamics import BodySight, ConstrainedMotion, Stack
from ..spatial import Array, Selection, transpose

NOTHING = Selection((), (), ())


@dataclass(frozen=True, eq=False)
class Slipping:
    """Rows of constraints that drag on with all they can give.

    In SI throughout, and vectors in N: packed states x (n_x,) as `State.x`, forces and moments [N, N m], times [s].

    numbers : (n_kept + k,) in SI, what they keep, one behind the other, and the multipliers of their rows; an input of programs

    >>> plant.slipping, plant.slips  # of constraints with friction, once what they give is at its most
    (None, ())
    """

    stack: Stack
    numbers: Array = field(metadata={"input": "slipping"})

    @property
    def multipliers(self) -> dict[str, float]:
        """Those of the rows [N or N m], by what these are called."""
        return dict(zip(self.stack.called, self.numbers[self.stack.n_kept :].tolist(), strict=True))

    def force(self, derivation: Any, x: Array, t: Any, numbers: Mapping[str, Array], own: Array) -> Array:
        """Return the generalized force (n_u,) at a packed state and t [s], over any scalar; own : `numbers`."""
        n = self.stack.n_kept
        return transpose(self._motion(derivation, x, t, numbers, own).rows.A) @ own[n:]

    def wrenches(self, sight: BodySight, t: Any, own: Array) -> dict[str, Array]:
        """Return what each does to the bodies (n_b, 6) [f; n] in N [N, N m], about the points of `sight`."""
        return sight.wrenches(self.stack, own[: self.stack.n_kept], t, own[self.stack.n_kept :])

    def rates(self, derivation: Any, x: Array, t: float) -> dict[str, float]:
        """Return how fast each slips [m/s or rad/s] at a packed state of floats, by what it is called."""
        motion = self._motion(derivation, x, t, {}, self.numbers)
        return dict(zip(self.stack.called, (motion.rows.A @ motion.u + motion.rows.speed).tolist(), strict=True))

    def _motion(self, derivation: Any, x: Array, t: Any, numbers: Mapping[str, Array], own: Array) -> ConstrainedMotion:
        return ConstrainedMotion(derivation, self.stack, x, own[: self.stack.n_kept], t, numbers, NOTHING)
