"""Numbers of a plant that are inputs of its programs, and numbers that are none."""

from __future__ import annotations

import math

from ..dynamics import Model, RunTimeInertia
from ..spatial import Array

INERTIA = "inertia"


def plant_numbers(model: Model) -> dict[str, Array]:
    """Return the numbers of the hardware: its table of inertias where that is an input."""
    derivation = model.symbolic.derivation
    return {INERTIA: derivation.inertia_table} if isinstance(derivation.inertia, RunTimeInertia) else {}


def finite(command: Array) -> bool:
    """Whether all numbers (n,) of a command are finite; on few of them NumPy takes five times as long."""
    return all(map(math.isfinite, command.tolist()))
