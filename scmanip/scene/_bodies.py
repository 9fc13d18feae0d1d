"""Bodies as solids that nobody had to describe."""

from __future__ import annotations

import numpy as np

from ..spatial import FloatArray
from ..system import Body, System
from ._item import Item
from ._solid import Box


def body_items(system: System) -> tuple[Item, ...]:
    """Return the solids of all bodies."""
    return tuple(_box(number, body) for number, body in enumerate(system.bodies) if body.mass_kg > 0)


def _box(number: int, body: Body) -> Item:
    size, R = equal_box(body)
    colour = "base" if body.parent is None else "target" if body.grounded else "link"
    return Item(body.name, Box(size), colour, "bodies", number, body.com_m, R)


def equal_box(body: Body) -> tuple[FloatArray, FloatArray]:
    """Return edges (3,) [m] and axes (3, 3), columns, of the box of even density that has a body's mass and inertia.

    A principal moment I_k = m (b^2 + c^2) / 12, so that a_k^2 = 6 (I_1 + I_2 + I_3 - 2 I_k) / m.
    """
    moments, R = np.linalg.eigh(body.inertia_kg_m2)
    squares = 6 * (moments.sum() - 2 * moments) / body.mass_kg
    R = R * np.sign(np.linalg.det(R))
    return np.sqrt(np.maximum(squares, 0.0)), R
