"""How the state behind an instant changes in which constraints begin to hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ...plant import KEPT, Holding, Plant, plant_numbers
from ...spatial import Array
from ..equations._variations import Variations
from ._moment import Keeping, Moment

STENCIL = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))  # whose error is the sixth power of the distance
APART = 1e-4  # by so much the number changes that changes most


def begun(variations: Variations, moment: Moment) -> Moment:
    """Return the moment behind the instant in which the constraints of a plant begin to hold, unless they did before.

    They keep what they find, which changes with the state before; speeds jump by the projection in the metric of M.
    """
    plant = variations.parts.frame.plant
    if plant.holding is None:
        return replace(moment, kept={})
    before, names = moment.kept, [*plant.holding.stack.kept_by(plant.holding.kept)]
    if all(name in before for name in names):
        return replace(moment, kept={name: before[name] for name in names})
    found = plant.holding.stack.kept_by(_found(variations, plant, plant.holding, moment))
    return _jumped(variations, plant, plant.holding, replace(moment, kept={**found, **before}))


def kept_rates(holding: Holding, kept: Keeping, count: int) -> Array:
    """Return how the input of programs changes that has what constraints keep, (count, n_kept + 1)."""
    own = [kept[name] for name in holding.stack.kept_by(holding.kept)]
    return np.concatenate([*own, np.zeros((1, count))]).T


def _found(variations: Variations, plant: Plant, holding: Holding, moment: Moment) -> Array:
    """Return how what constraints find changes, (n_kept, k)."""
    derivation, numbers, t = plant.model.symbolic.derivation, plant_numbers(plant.model), moment.t + plant.clock_s
    rates = []
    for (name, unit), row, later in zip(variations.directions, moment.rows, moment.later + moment.late, strict=True):
        moving = {name: unit} if name in numbers else {}

        def found(way: float, row: Array = row, later: float = later, moving: dict[str, Array] = moving) -> Array:
            there = {**numbers, **{name: numbers[name] + way * unit for name, unit in moving.items()}}
            return holding.found(derivation, moment.x + way * row, t + way * later, there)

        rates.append(rate(found, distance(row, later)))
    return np.array(rates).T


def distance(*rates: ArrayLike) -> float:
    """Return how far to go along rates, so that nothing changes by more than a little."""
    return APART / max(1.0, *(float(np.max(np.abs(each), initial=0.0)) for each in rates))


def rate(function: Callable[[float], Array], h: float) -> Array:
    """Return the derivative of a smooth function at 0, over distances h."""
    return np.asarray(sum(part * (function(k * h) - function(-k * h)) / h for k, part in STENCIL))


def _jumped(variations: Variations, plant: Plant, holding: Holding, moment: Moment) -> Moment:
    given = {"x": moment.x, KEPT: holding.kept, "t": np.array(moment.t + plant.clock_s), **plant_numbers(plant.model)}
    kept = kept_rates(holding, moment.kept, variations.count)
    pairs = zip(moment.rows, kept, moment.later + moment.late, strict=True)
    each = [{"x": row, KEPT: keeps, "t": np.array(later)} for row, keeps, later in pairs]
    x, rows = variations.along(plant.recorded_beginning, given, each)
    return replace(moment, x=np.asarray(x, dtype=float), rows=np.array(rows, dtype=float))
