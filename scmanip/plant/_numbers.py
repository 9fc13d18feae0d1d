"""Numbers of a plant that are inputs of its programs."""

from __future__ import annotations

from ..dynamics import Model
from ..spatial import Array


def plant_numbers(model: Model) -> dict[str, Array]:
    """Return the numbers of the hardware that are inputs of its programs, by their names there."""
    return dict(model.symbolic.derivation.numbers)
