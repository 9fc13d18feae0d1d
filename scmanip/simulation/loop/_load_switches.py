"""Where the formulas of loads change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...dynamics import Model
from ...plant import Plant
from ...spatial import Array
from ...system import State
from ..events._event import Event, Force


@dataclass(frozen=True, eq=False)
class LoadSwitches(Event):
    """A switching function of a load passes zero."""

    plant: Plant
    ends: bool = False

    def names(self, model: Model) -> tuple[str, ...]:
        names = self.plant.loading.switches
        return tuple(f"'{name}' {passed} zero" for passed in ("rose above", "fell below") for name in names)

    def values(self, model: Model, t: float, state: State, tau: Force) -> Array:
        """Return the functions, and their opposites."""
        values = self.plant.loading.switching(state, t)
        return np.concatenate([values, -values])
