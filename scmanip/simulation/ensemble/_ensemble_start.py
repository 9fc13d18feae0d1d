"""The constraints under which many runs start."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import InvalidInput, Problem, refuse
from ...plant import KEPT, Plant, plant_numbers
from ...spatial import Array
from ...system import State

SLIVER = 1e-12  # of the runs: times that are one but for rounding
Number = tuple[Array, tuple[int, ...]]


def held(plant: Plant, states: State, numbers: Mapping[str, Number]) -> tuple[Plant, Array]:
    """Return the plant of runs that start in n states, and what its constraints keep in each (n, n_kept + 1).

    numbers : as of an `EnsembleSetup`
    Raises `InvalidInput` for states that do not obey the constraints.
    """
    own = {name: numbers[name][0] for name in plant_numbers(plant.model)}
    changes = plant.under_each(plant.constraints, states, values=own)
    names = ", ".join(map(repr, plant.constraints))
    refuse([Problem(f"states0[{k}]", f"a state in which {names} can hold", why) for k, why in changes.unmet.items()])
    far = changes.astray(states)
    if far.size:
        off = abs(changes.states.x[far[0]] - states.x[far[0]]).max()
        hint = "Plant.under_each lets the speeds jump, and `parameters` take what each case keeps"
        found = f"speeds that change by up to {off:.3g} then"
        raise InvalidInput(Problem(f"states0[{far[0]}]", f"speeds that obey {names}", found, hint=hint))
    return changes.plant, changes.kept


def with_corners(stops: tuple[float, ...], plant: Plant, numbers: Mapping[str, Number]) -> tuple[float, ...]:
    """Return times [s] from start to end with those at which the equations of constraints that hold change.

    Raises `InvalidInput` where these differ from run to run.
    """
    if plant.holding is None:
        return stops
    kept, clock = np.atleast_2d(numbers[KEPT][0]), np.atleast_2d(numbers["clock"][0])[:, 0]
    each = np.array([plant.holding.stack.corners(row[:-1]) for row in kept]) - clock[:, np.newaxis]
    first = each[0]
    if not np.allclose(each, first, rtol=0, atol=SLIVER * stops[-1]):
        hint = "call simulate in a loop"
        raise InvalidInput(Problem("kept", "constraints whose equations change at the same times", "other times", hint=hint))
    return tuple(sorted({*stops, *(t for t in first.tolist() if stops[0] < t < stops[-1])}))
