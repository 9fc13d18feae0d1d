"""The constraints under which many runs start."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import InvalidInput, Problem, refuse
from ...plant import ASTRAY, INERTIA, Plant
from ...spatial import Array
from ...system import State


def held(plant: Plant, states: State, numbers: Mapping[str, tuple[Array, tuple[int, ...]]]) -> tuple[Plant, Array]:
    """Return the plant of runs that start in n states, and what its constraints keep in each (n, n_kept + 1).

    numbers : of runs, as of `EnsembleSetup`; raises `InvalidInput` for states that do not obey the constraints
    """
    inertia, shape = numbers.get(INERTIA, (None, ()))
    own = None if inertia is None or inertia.ndim == len(shape) else inertia
    changes = plant.under_each(plant.constraints, states, inertia=own)
    names = ", ".join(map(repr, plant.constraints))
    refuse([Problem(f"states0[{k}]", f"a state in which {names} can hold", why) for k, why in changes.unmet.items()])
    off = abs(changes.states.x - states.x).max(axis=1)
    far = np.flatnonzero(off > ASTRAY * np.fmax(1.0, abs(states.u).max(axis=1, initial=0.0)))
    if far.size:
        hint = "Plant.under_each lets the speeds jump, and `parameters` take what each case keeps"
        found = f"speeds that change by up to {off[far[0]]:.3g} then"
        raise InvalidInput(Problem(f"states0[{far[0]}]", f"speeds that obey {names}", found, hint=hint))
    return changes.plant, changes.kept
