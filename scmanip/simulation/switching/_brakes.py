"""Where brakes begin to slip and come to rest, and what only pushes lets go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...dynamics import Model
from ...modes import GeneralizedForce, Situation
from ...plant import Plant
from ...spatial import Array
from ...system import State
from ..events._event import Event, Force

SLACK = 1e-9  # [N]: what pulls with less does not


@dataclass(frozen=True, eq=False)
class Brakes(Event):
    """The force of a row of a constraint that can slip passes its limit, or the motion of one that slips passes zero.

    Or that of a row which only pushes would be a pull.

    plant : what they hold, as it is until then
    """

    plant: Plant
    ends: bool = True

    def names(self, model: Model) -> tuple[str, ...]:
        """Return two phrases per row that can slip and holds, one per row that slips, and one per row that only pushes."""
        return (*self._turns, *self._partings)

    def met(self, values: Array) -> NDArray[np.bool_]:
        """What holds slips, or lets go, at once where that takes too much."""
        rests = [not sign for _, sign in self._turns.values()]
        return (values > 0) & np.array(rests + [False] * len(self._partings), dtype=bool)

    def turned(self, phrases: Sequence[str]) -> dict[str, int]:
        """Return what comes of what has happened, as `Plant.under` takes it."""
        return dict(self._turns[phrase] for phrase in phrases if phrase in self._turns)

    def parted(self, phrases: Sequence[str]) -> list[str]:
        """Return the names of the constraints that let go in what has happened."""
        return [self._partings[phrase] for phrase in phrases if phrase in self._partings]

    def values(self, model: Model, t: float, state: State, tau: Force) -> Array:
        """Return the numbers where nothing but joints acts."""
        return self.values_of(model, t, state, lambda: GeneralizedForce(tau(), None))

    def values_of(self, model: Model, t: float, state: State, force: Callable[[], GeneralizedForce]) -> Array:
        """Return how far forces are beyond limits, and how fast motions are against what they were."""
        plant, found, parting = self.plant, np.zeros(0), np.zeros(0)
        if self._rows:
            now = Situation.of(model, state)
            motion = plant.motion(now, force(), t, np.zeros(plant.n_books))
            held = motion.reaction.held[np.newaxis] if motion.reaction else np.zeros((1, model.layout.n_u))
            forces = plant.constraint_forces(state.x[np.newaxis], np.array([t]), held)[0, self._rows]
            forces, parting = np.split(forces, [len(self._limits)])
            most = np.array([*self._limits.values()])
            found = np.stack([forces - most, -forces - most], axis=1).ravel()
        rates, signs = plant.slip_rates(state, t), plant.slip_signs
        return np.concatenate([found, [rates[name] * sign for name, sign in signs.items()], -parting - SLACK])

    @cached_property
    def _limits(self) -> dict[str, float]:
        """Those of what holds."""
        return {} if self.plant.holding is None else self.plant.holding.stack.limits

    @cached_property
    def _rows(self) -> list[int]:
        """The rows of these."""
        names = (*self._limits, *self._partings.values())
        return [self.plant.holding.stack.called.index(name) for name in names] if self.plant.holding else []

    @cached_property
    def _partings(self) -> dict[str, str]:
        """What each phrase means: the name of what only pushes."""
        names = () if self.plant.holding is None else self.plant.holding.stack.pushing
        return {f"'{name}' let go": name for name in names}

    @cached_property
    def _turns(self) -> dict[str, tuple[str, int]]:
        """What each phrase means: what a row is called, and the sign with which it slips, 0 where it rests."""
        signs = [(name, sign) for name in self._limits for sign in (1, -1)]
        slips = {f"'{name}' slipped at {sign * self._limits[name]:g}": (name, sign) for name, sign in signs}
        return {**slips, **{f"'{name}' came to rest": (name, 0) for name in self.plant.slips}}
