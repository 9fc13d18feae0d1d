"""One place at which two shapes may touch."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...spatial import Array


class ContactGeometry(NamedTuple):
    """Where and how two shapes are opposite each other, in N; any scalar.

    It has no formula of its own.

    label : its name among the places of the pair
    depth, rate : how deep the second is in the first [m], and how fast it goes deeper [m/s]
    normal : (3,) unit vector from the first to the second
    at : (3,) between the two places [m]
    slip : (3,) velocity of the second on the first across the normal [m/s]

    >>> from scmanip.shapes import Plane, Sphere
    >>> contact = Contact(Sphere("ball", "link4", 0.1), Plane("floor", "ground", origin_m=[0, 0, -0.2]), HuntCrossley(1e5))
    >>> (touch,) = contact.touches(Bodies(system, model.equations(state)))
    >>> touch.label, round(float(touch.depth), 6), touch.slip.round(9).tolist()  # apart: its depth is negative
    ('', -0.1, [0.0, 0.0, 0.0])
    """

    label: str
    depth: Any
    rate: Any
    normal: Array
    at: Array
    slip: Array
