"""Constraints that hold and loads that act in cases on their way, and begin or cease to where a phase does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...dynamics import Stack
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
    """What holds and acts in n cases, the same constraints and loads in all."""

    def __init__(self, n: int) -> None:
        self._n, self._active = n, tuple[str, ...]()
        self._inhibited: tuple[str, ...] = ()
        self._holding: Holding | None = None
        self._kept: Array | None = None
        self._blows: Array | None = None

    def begun(
        self, plant: Plant, phase: Phase, states: State, places: Array, t: ArrayLike, values: Mapping[str, Array]
    ) -> Begun:
        """Return the phase as cases (k,) begin it in these states, of which those of `places` are.

        t : when it begins on the plant's clock, of all or of each [s]; values : (k, ...) numbers of hardware of their own, or
            one for all, by names in programs
        """
        first = self._blows is None
        if self._blows is None:
            self._active, self._blows = tuple(plant.constraints), np.zeros((self._n, len(plant.constraint_rows)))
            self._inhibited = tuple(plant.inhibited)
        names = active = self._active
        for switch in phase.switches:
            names, self._inhibited = tuple(switch.after(names)), switch.inhibiting(self._inhibited)
        before = replace(plant, constraints=active, holding=self._holding, inhibited=self._inhibited)
        if not (names or active) or not len(places):
            return Begun(before, states, None, {}, self._blows[places], np.empty(0, dtype=np.intp))
        kept = None if self._kept is None else self._kept[places]
        changes = before.under_each(names, states, t, kept=kept, values=values)
        self._note(names, changes, places)
        gained = changes.gained(states, values) if phase.switches and not first else {}  # totals begin after it
        if phase.switches:
            self._blows[places] = _rows(changes.impulses, Stack.of_all(plant.model.system), len(places))
        denied = _denied(before.under_each(active, states, t, values=values), states) if first and active else ()
        unmet = np.array(sorted({*changes.unmet, *denied}), dtype=np.intp)
        kept = changes.kept if names else None
        return Begun(changes.plant, changes.states, kept, gained, self._blows[places], unmet)

    def _note(self, names: tuple[str, ...], changes: Changes, places: Array) -> None:
        """Remember what holds from now on."""
        self._active, self._holding, self._kept = names, changes.plant.holding, None
        if names:
            self._kept = np.full((self._n, changes.kept.shape[1]), np.nan)
            self._kept[places] = changes.kept


def _denied(changes: Changes, states: State) -> Iterator[int]:
    """Yield numbers of the states that do not obey what is active from the start, which single runs refuse."""
    yield from changes.unmet
    yield from changes.astray(states).tolist()


def _rows(impulses: Mapping[str, Array], stack: Stack, n: int) -> Array:
    """Return impulses (n, k) of the rows of a stack, of those (n, ...) by the names of constraints."""
    found = np.zeros((n, len(stack.labels)))
    for name, each in impulses.items():
        found[:, stack.rows_of[name]] = each
    return found
