"""Numbers of a plant that are inputs of its programs, and numbers that are none."""

from __future__ import annotations

import math

from ..dynamics import Model
from ..spatial import Array


def plant_numbers(model: Model) -> dict[str, Array]:
    """Return the numbers of the hardware that are inputs of its programs, by their names there."""
    return dict(model.symbolic.derivation.numbers)


def finite(command: Array) -> bool:
    """Whether all numbers (n,) of a command are finite; on few of them NumPy takes five times as long."""
    return all(map(math.isfinite, command.tolist()))
