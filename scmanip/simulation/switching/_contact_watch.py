"""Where contacts close, slip, come to rest and part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...dynamics import SLOW, ClosedContact, Model
from ...modes import GeneralizedForce
from ...plant import Plant
from ...spatial import Array
from ...system import State
from ..events._event import Event, Force
from ._settling import JAMS, contact_multipliers

SINK = 1e-12  # [m] by which shapes get into each other until they meet, and open ones that touch until that is noticed
NEW = 1e-10  # [m]: an open place of other features that is nearer is a new vertex of what touches, and did not come there
BACK = 1e-10  # [m/s] of slip in the other direction until that is noticed
LEANS = 0.8  # cosine: a direction of slip that comes nearer to the normal is chosen anew


@dataclass(frozen=True, eq=False)
class ContactWatch(Event):
    """What any contact does changes: an open one closes, a closed one parts, slips, comes to rest, turns or jams.

    plant : what they touch, as it is until then
    gaps : (k,) distances of its places when that began [m]; features : of which features they were
    """

    plant: Plant
    gaps: Array
    features: Mapping[str, Array]
    ends: bool = True

    @classmethod
    def of(cls, plant: Plant, x: Array) -> ContactWatch:
        """Return that of contacts which begin at a packed state."""
        return cls(plant, plant.touching.gaps(x), plant.touching.features(x))

    def names(self, model: Model) -> tuple[str, ...]:
        closed = [phrase for one in self.plant.closed for phrase in _phrases(one)]
        return (*(f"{name!r} met" for name in self._open), *closed, *["friction jams"] * self._rubs)

    def met(self, values: Array) -> NDArray[np.bool_]:
        """What comes to rest moves first; all else happens at once where it is so from the start."""
        return (values > 0) & np.array([phrase.endswith("stopped") for phrase in self.names(self.plant.model)], dtype=bool)

    def values(self, model: Model, t: float, state: State, tau: Force) -> Array:
        """Return the numbers where nothing but joints acts."""
        return self.values_of(model, t, state, lambda: GeneralizedForce(tau(), None))

    def values_of(self, model: Model, t: float, state: State, force: Callable[[], GeneralizedForce]) -> Array:
        """Return how deep open places are, and how far closed ones are beyond what keeps them as they are."""
        plant, names = self.plant, [*self.plant.touching.places]
        now, features = plant.touching.gaps(state.x), plant.touching.features(state.x)
        came = {name for name in self._open if plant.closed and (features[name] != self.features[name]).any()}
        found = [
            1.0 if name in came and abs(now[k]) < NEW else min(0.0, self.gaps[k]) - SINK - now[k]
            for name, k in zip(self._open, map(names.index, self._open), strict=True)
        ]
        if not plant.closed:
            return np.array(found)
        slides, left = plant.touching.slides(state, t)
        for one, own, slide in zip(plant.closed, contact_multipliers(plant, state, t, force()), slides, strict=True):
            if len(one.features):
                found.append(1.0 if (features[one.name] != one.features).any() else -1.0)
            found += _numbers(one, own + one.inner[: len(own)], slide)
        return np.array([*found, *[JAMS - left] * self._rubs])

    @cached_property
    def _open(self) -> list[str]:
        """Places that are not closed."""
        closed = {one.name for one in self.plant.closed}
        return [name for name in self.plant.touching.places if name not in closed]

    @property
    def _rubs(self) -> bool:
        return any(one.rubs for one in self.plant.closed)


def _phrases(one: ClosedContact) -> list[str]:
    """Return what a closed contact can begin to do."""
    ends = ["ended"] if len(one.features) else []
    changes = ["slipped"] if one.sticks else ["stopped", "turned"] if one.rough else []
    return [f"{one.name!r} {change}" for change in (*ends, "parted", *changes)]


def _numbers(one: ClosedContact, forces: Array, slide: Array) -> list[float]:
    """Return a number per phrase from parting on, from multipliers (k,) of its rows and its `Slide` (3,)."""
    along, across, lean = slide
    if one.sticks:
        return [-forces[0], np.hypot(*forces[1:]) - one.friction * forces[0]]
    swerves = abs(across) - abs(along) if np.hypot(along, across) > 10 * SLOW else -1.0
    return [-forces[0], *([-BACK - along, max(swerves, abs(lean) - LEANS)] if one.rough else [])]
