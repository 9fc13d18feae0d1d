"""All that stands for a system."""

from __future__ import annotations

from collections.abc import Iterator

from ...spatial import FloatArray
from ...system import System
from ._item import Item
from ._links import body_items
from ._marks import actuator_items, frame_items, joint_items, mass_items, shape_items
from ._places import Places


def items_of(system: System, ways: FloatArray) -> tuple[Item, ...]:
    """Return the items of a system; ways : (n_q,) largest sizes of its coordinates in the picture."""
    return tuple(_items(Places(system, ways)))


def _items(places: Places) -> Iterator[Item]:
    for number, body in enumerate(places.system.bodies):
        if body.name not in places.described:
            yield from body_items(places, number)
        yield from joint_items(places, number)
    yield from shape_items(places)
    yield from actuator_items(places)
    yield from frame_items(places)
    yield from mass_items(places)
