"""All that stands for a system."""

from __future__ import annotations

from collections.abc import Iterator

from ...spatial import FloatArray
from ...system import System
from ._item import Item
from ._links import body_items
from ._looks import look_item, missing
from ._marks import actuator_items, frame_items, joint_items, mass_items, shape_items
from ._places import JointPlaces


def items_of(system: System, ways: FloatArray) -> tuple[Item, ...]:
    """Return the items of a system; ways : (n_q,) largest sizes of its coordinates in the picture."""
    return tuple(_items(JointPlaces(system, ways)))


def notes_of(system: System) -> tuple[str, ...]:
    """Return what pictures cannot show, in sentences."""
    gone = [(visual.file, visual.frame) for visual in system.visuals if missing(visual)]
    return tuple(f"mesh {file!r} of {frame!r} is not there: a guess stands for it" for file, frame in gone)


def _items(places: JointPlaces) -> Iterator[Item]:
    for number, body in enumerate(places.system.bodies):
        if body.name not in places.described:
            yield from body_items(places, number)
        yield from joint_items(places, number)
    yield from shape_items(places)
    looks = [k for k, visual in enumerate(places.system.visuals) if not missing(visual)]
    yield from (look_item(places.system, k, places.colour) for k in looks)
    yield from actuator_items(places)
    yield from frame_items(places)
    yield from mass_items(places)
