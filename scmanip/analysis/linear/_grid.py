"""Points over coordinates of joints and open numbers of the hardware."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, UnknownName, expect, refuse
from ...plant import Plant, plant_numbers
from ...spatial import Array, real
from ...system import State

BLOCK = 1024  # cases at a time


@dataclass(frozen=True, eq=False)
class PointGrid:
    """Points over coordinates and numbers."""

    plant: Plant
    axes: dict[str, Array]

    @classmethod
    def of(cls, plant: Any, state: Any, grid: Any) -> PointGrid:
        """Return it, checked."""
        expect("plant", plant, Plant, "a Plant")
        expect("state", state, State, "a State")
        expect("grid", grid, Mapping | None, 'values by names, such as {"joint2": [0.0, 0.5]}, or None')
        axes = {str(name): _values(f"grid {name}", values) for name, values in (grid or {}).items()}
        known = [plant.layout.q_names[i] for i, _ in plant.layout.single()]
        scalars = [name for name, value in plant_numbers(plant.model).items() if np.ndim(value) == 0]
        for name in axes:
            if name not in (*known, *scalars):
                raise UnknownName("axis of the grid", name, "the plant", [*known, *scalars])
        return cls(plant, axes)

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of values."""
        return tuple(len(values) for values in self.axes.values())

    def first(self, state: State) -> tuple[Plant, State]:
        """Return the plant and the state of the first point."""
        if not self.axes:
            return self.plant, state
        state = self.plant.at_rest(state)
        x, own = next(self.blocks(state))
        numbers = {name: values[0] for name, values in own.items()}
        model = self.plant.model.with_values(numbers) if numbers else self.plant.model
        return replace(self.plant, model=model), state.repacked(x[0])

    def blocks(self, state: State) -> Iterator[tuple[Array, dict[str, Array]]]:
        """Yield packed states (n, n_x) and numbers (n,) of points, block by block."""
        layout, count = self.plant.layout, int(np.prod(self.shape))
        for start in range(0, count, BLOCK):
            places = np.unravel_index(np.arange(start, min(start + BLOCK, count)), self.shape) if self.axes else ()
            x, own = np.tile(state.x, (min(BLOCK, count - start), 1)), dict[str, Array]()
            for (name, values), place in zip(self.axes.items(), places, strict=True):
                if name in layout.q_names:
                    x[:, layout.x_q.start + layout.q_names.index(name)] = values[place]
                else:
                    own[name] = values[place]
            yield x, own


def _values(key: str, values: Any) -> Array:
    try:
        array = np.atleast_1d(real(values))
    except (TypeError, ValueError):
        raise InvalidInput(Problem(key, "numbers", repr(values))) from None
    refuse(
        [
            None
            if array.ndim == 1 and array.size and np.isfinite(array).all()
            else Problem(key, "finite numbers (n,)", repr(values))
        ]
    )
    return array
