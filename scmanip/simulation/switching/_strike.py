"""Impacts in a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from numpy.typing import ArrayLike

from ...dynamics import Stack, Struck
from ...errors import InvalidInput, Problem, checked, expect, refuse
from ...impacts import Restitution
from ...plant import Change, Plant
from ...spatial import positive_problems
from ...system import System

REST = 1e-9  # m/s: what parts at less has come to rest


@checked
@dataclass(frozen=True, eq=False)
class Strike:
    """What comes of shapes that meet: an impact, and constraints where it leaves them at rest on each other.

    pairs : names of shapes, of which those places touch that are nearer than `within_m`
    law : `impacts.Newton(e)`, `Poisson(e)` or `Energetic(e)`; friction : its coefficient, one bare number or (c,) of the
        places that touch
    rests : names of constraints that begin to hold where no place that touches parts, because it approached slowly

    `check` raises `InvalidInput` for what does not fit, `UnknownName` for names that a system does not have.

    >>> from scmanip.impacts import Newton
    >>> Strike([("probe", "drogue")], Newton(0.0), rests=["latch"]).within_m
    1e-06
    """

    pairs: Sequence[tuple[str, str]]
    law: Restitution
    rests: str | Sequence[str]
    friction: ArrayLike = 0.0
    within_m: float = 1e-6

    def __post_init__(self) -> None:
        given: Any = self.rests
        vars(self)["rests"] = (given,) if isinstance(given, str) else given

    def check(self, system: System) -> None:
        """Raise `InvalidInput` for what does not fit, `UnknownName` for names that a system does not have."""
        expect("Strike law", self.law, Restitution, "Newton, Poisson or Energetic")
        refuse(positive_problems("Strike within_m", self.within_m))
        paired = isinstance(self.pairs, Sequence) and all(isinstance(pair, Sequence) and len(pair) == 2 for pair in self.pairs)
        if not (paired and self.pairs and isinstance(self.rests, Sequence) and self.rests):
            raise InvalidInput(Problem("Strike", "pairs of shapes, and constraints for what comes to rest", repr(self)))
        for name in chain(*self.pairs):
            system.shape(name)
        for name in self.rests:
            system.constraint(name)

    def after(self, change: Change, t: float) -> tuple[Change, Struck]:
        """Return what comes of the shapes that touch at t [s] once constraints have been switched, and the impact itself."""
        plant: Plant = change.plant
        constrained, kept = plant.rigid(change.state, t)
        touches = constrained.touches(change.state, self.pairs, within_m=self.within_m)
        struck = constrained.impact(change.state, touches, self.law, self.friction, t=t + plant.clock_s, kept=kept)
        after = followed(change, Change(plant, struck.state, constrained.stack.filled(struck.impulses), struck.energy_lost))
        stays = touches and max(struck.parting.values()) <= REST
        held = tuple(dict.fromkeys([*plant.constraints, *(self.rests if stays else ())]))
        if stays or constrained.stack.constraints != Stack.of(plant.model.system, plant.constraints).constraints:
            after = followed(after, plant.under(held, struck.state, t))
        return after, struck


def followed(first: Change, then: Change) -> Change:
    """Return two changes at one instant as one."""
    both = dict(first.impulses)
    for name, impulse in then.impulses.items():
        both[name] = both[name] + impulse if name in both else impulse
    return Change(then.plant, then.state, both, first.energy_lost + then.energy_lost)
