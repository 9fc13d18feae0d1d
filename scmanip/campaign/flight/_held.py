"""Constraints that hold in cases on their way, and begin or cease to where a phase does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...mission import Phase
from ...plant import Changes, Holding, Plant
from ...spatial import Array
from ...system import State


@dataclass(frozen=True, eq=False)
class Begun:
    """A phase as some cases begin it.

    plant : what moves; states : batch in which they begin
    kept : (n, ...) what constraints keep, None where none hold
    gained : (n, ...) by how much totals jump, by name
    blows : (n, k) what the rows of all constraints gave in the last switch
    unmet : (m,) numbers of those among them in which constraints cannot hold
    """

    plant: Plant
    states: State
    kept: Array | None
    gained: Mapping[str, Array]
    blows: Array
    unmet: NDArray[np.intp]

    def without_unmet(self) -> Begun:
        """Return it of the others alone."""
        left = np.delete(np.arange(len(self.states)), self.unmet)
        kept = None if self.kept is None else self.kept[left]
        gained = {name: rows[left] for name, rows in self.gained.items()}
        states = self.states.repacked(self.states.x[left])
        return Begun(self.plant, states, kept, gained, self.blows[left], self.unmet[:0])


class Held:
    """What holds in n cases, the same constraints in all."""

    def __init__(self, n: int) -> None:
        self._n, self._active = n, tuple[str, ...]()
        self._holding: Holding | None = None
        self._kept: Array | None = None
        self._blows: Array | None = None

    def begun(self, plant: Plant, phase: Phase, states: State, places: Array, inertia: Array | None) -> Begun:
        """Return the phase as cases (k,) begin it in these states, of which those of `places` are.

        inertia : (k, n_b, 10) tables of their own, where they have some
        """
        first = self._blows is None
        if self._blows is None:
            self._active, self._blows = tuple(plant.constraints), np.zeros((self._n, len(plant.constraint_rows)))
        names = active = self._active
        for switch in phase.switches:
            names = tuple(switch.after(names))
        before = replace(plant, constraints=active, holding=self._holding)
        if not (names or active) or not len(places):
            return Begun(before, states, None, {}, self._blows[places], np.empty(0, dtype=np.intp))
        kept = None if self._kept is None else self._kept[places]
        changes = before.under_each(names, states, kept=kept, inertia=inertia)
        self._note(names, changes, places)
        gained = changes.gained(states, inertia) if phase.switches and not first else {}  # totals begin after it
        if phase.switches:
            self._blows[places] = _rows(changes.impulses, plant.constraint_rows, len(places))
        unmet = np.array(sorted(changes.unmet), dtype=np.intp)
        kept = changes.kept if names else None
        return Begun(changes.plant, changes.states, kept, gained, self._blows[places], unmet)

    def _note(self, names: tuple[str, ...], changes: Changes, places: Array) -> None:
        """Remember what holds from now on."""
        self._active, self._holding, self._kept = names, changes.plant.holding, None
        if names:
            self._kept = np.full((self._n, changes.kept.shape[1]), np.nan)
            self._kept[places] = changes.kept


def _rows(impulses: Mapping[str, Array], labels: Sequence[str], n: int) -> Array:
    """Return impulses (n, k) by the labels of rows, of those (n, ...) by the names of constraints."""
    found = np.zeros((n, len(labels)))
    for name, each in impulses.items():
        found[:, [row for row, label in enumerate(labels) if label.startswith(f"{name}.")]] = each
    return found
