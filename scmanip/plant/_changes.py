"""Other constraints in many states at one instant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..dynamics import Stack
from ..errors import InvalidInput, Problem
from ..spatial import Array
from ..system import State
from ._holding import ANEW, Holding
from ._numbers import plant_numbers

if TYPE_CHECKING:
    from ._plant import Plant

NOTHING_ELSE: Mapping[str, Array] = {}
ASTRAY = 1e-9  # of the fastest speed, or in SI: speeds at the start that obey constraints no better do not obey them


class Changes(NamedTuple):
    """What comes of other constraints at one instant in n states, as `Change` has it of one.

    plant : under them, with what the first state keeps; states : batch after it
    kept : (n, n_kept + 1) what each keeps, as `Holding.kept`, for programs of the plant; (n, 0) without constraints
    impulses : (n, k) of each that holds, by name, in SI; energy_lost : (n,) [J]
    unmet : by number, why they cannot hold, of states in which they cannot; these stay as they are

    >>> free = scmanip.State.stack([state, history.final])
    >>> changes = plant.under_each([], free)
    >>> len(changes.states), changes.unmet, changes.energy_lost.tolist()
    (2, {}, [0.0, 0.0])
    """

    plant: Plant
    states: State
    kept: Array
    impulses: Mapping[str, Array]
    energy_lost: Array
    unmet: Mapping[int, str]

    def astray(self, before: State) -> NDArray[np.intp]:
        """Return the numbers (m,) of states `before` that do not obey what holds now: their speeds jump."""
        off = abs(self.states.x - before.x).max(axis=1)
        return np.flatnonzero(off > ASTRAY * np.fmax(1.0, abs(before.u).max(axis=1, initial=0.0)))

    def gained(self, before: State, values: Mapping[str, Array] = NOTHING_ELSE) -> dict[str, Array]:
        """Return what totals of runs gain (n, ...), by name; arguments as of `Plant.under_each`."""
        gained = {"dissipated": self.energy_lost, "dissipated_by_switches": self.energy_lost}
        if not self.plant.is_disturbed:
            return gained
        batch = self.plant.model.batch.with_values(values) if values else self.plant.model.batch
        first, then = batch.momentum(before), batch.momentum(self.states)
        return gained | {"external": np.concatenate([then.P - first.P, then.L_C - first.L_C], axis=1)}


def changed(
    plant: Plant,
    names: Sequence[str],
    states: State,
    t: ArrayLike,
    kept: Array | None,
    values: Mapping[str, Array],
) -> Changes:
    """Return what `Plant.under_each` does."""
    n, model = len(states.x), plant.model
    _refuse_slipping(Stack.of(model.system, names))
    if not names:
        return Changes(plant.holding_as((), None), states, np.empty((n, 0)), {}, np.zeros(n), {})
    constrained = model.constrained(*names)
    before, own = _of_each(plant, kept), plant_numbers(model)
    values = {name: np.broadcast_to(values[name], (n, *one.shape)) for name, one in own.items() if name in values}
    imposed = constrained.imposed_each(states, t=np.asarray(t) + plant.clock_s, before=before, values=values)
    bad = [*imposed.unmet]
    x, lost = np.array(imposed.state.x), np.array(imposed.energy_lost)
    x[bad], lost[bad] = states.x[bad], 0.0
    impulses = {name: np.array(each) for name, each in imposed.impulses.items()}
    for each in impulses.values():
        each[bad] = 0.0
    whole = np.column_stack([imposed.kept, np.full(n, max(ANEW, 2 * constrained.chosen[1]))])
    holding = Holding(constrained.stack, imposed.chosen, whole[0])
    return Changes(plant.holding_as(names, holding), states.repacked(x), whole, impulses, lost, imposed.unmet)


def _of_each(plant: Plant, kept: Array | None) -> dict[str, Array]:
    """Return what constraints keep (n, ...) that hold already, by name."""
    if plant.holding is None:
        return {}
    rows = plant.holding.kept[np.newaxis] if kept is None else kept
    return {name: rows[:, at] for name, at in plant.holding.stack.kept_of.items()}


def _refuse_slipping(stack: Stack) -> None:
    """Raise `InvalidInput` for what can slip or let go."""
    names = ", ".join(map(repr, [*stack.limits, *stack.pushing]))
    if names:
        hint = "call simulate in a loop; studies of missions fly such cases one by one"
        raise InvalidInput(Problem("constraints", "constraints that neither slip nor let go", names, hint=hint))
