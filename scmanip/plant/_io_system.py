"""A plant as a block of python-control."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import Problem, expect, refuse
from ..spatial import Array
from ._signals import command_units, packed_units

if TYPE_CHECKING:
    from ._plant import Plant


def plant_io_system(plant: Plant, name: str) -> Any:
    """Return what `Plant.to_nonlinear_io_system` does."""
    import control

    expect("name", name, str, "a name")
    refuse([Problem("plant", "one without constraints", ", ".join(plant.holders)) if plant.holders else None])
    system, layout = plant.model.system, plant.layout
    signals = [*packed_units(system, layout)]

    def rates(t: float, x: Array, command: Array, params: Any) -> Array:
        return plant.packed_rates(np.asarray(x, dtype=np.float64), command, float(t))

    inputs = [*command_units(layout, plant.mode, [freedom.unit for freedom in system.freedoms])]
    return control.nlsys(rates, lambda t, x, u, params: x, inputs=inputs, outputs=signals, states=signals, name=name)
