"""Bodies as solids that nobody had to describe: boxes of the base and of what is free, capsules between joints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...shapes import upright
from ...spatial import FloatArray
from ._boxes import equal_box
from ._item import Item
from ._places import JointPlaces
from ._solid import DrawnBox, DrawnCapsule, DrawnCylinder, DrawnSphere

_OFF = 2.0  # how many radii from its link a centre of mass is where something reaches for it
_STUB = 0.9  # radius of what joins a base's box and a joint outside of it, of the first link


def body_items(places: JointPlaces, number: int) -> Iterator[Item]:
    """Yield what stands for a body."""
    if places.is_hull(number):
        yield from _hull(places, number)
    else:
        yield from _link(places, number)


def _hull(places: JointPlaces, number: int) -> Iterator[Item]:
    body, colour = places.system.bodies[number], places.colour(number)
    half, R, middle = np.full(3, 0.0), np.eye(3), body.com_m
    if body.mass_kg > 0:
        size, R = equal_box(body)
        half = size / 2
        through = 0.45 if any(shape.frame == body.name for shape in places.shapes) else 1.0
        yield Item(body.name, DrawnBox(size), colour, "bodies", number, body.com_m, R, opacity=through)
    elif not places.children[number]:
        return
    else:
        radius = 1.6 * max(places.radius_m(k) for k in places.children[number])
        yield Item(
            body.name, DrawnCylinder(2 * radius, 0.8 * radius), "base", "bodies", number, np.array([0, 0, -0.4 * radius])
        )
        middle = np.zeros(3)
    for child in places.children[number]:
        joint = places.joint(child)
        assert joint is not None
        start, radius = _surface(joint.origin_m, middle, half, R), _STUB * places.radius_m(child)
        if np.linalg.norm(joint.origin_m - start) > 0.5 * radius:
            yield _capsule(f"{body.name} to {joint.name}", colour, number, start, joint.origin_m, radius)


def _surface(point: FloatArray, middle: FloatArray, half: FloatArray, R: FloatArray) -> FloatArray:
    """Return the place (3,) of a box that is nearest to a point."""
    inside = R.T @ (point - middle)
    return middle + R @ np.clip(inside, -half, half)


def _link(places: JointPlaces, number: int) -> Iterator[Item]:
    body, start, radius = places.system.bodies[number], places.inboard(number), places.radius_m(number)
    if places.is_compact(number):
        size, R = equal_box(body)
        yield Item(body.name, DrawnBox(size), places.colour(number), "bodies", number, body.com_m, R)
    else:
        yield from _rods(places, number, start, radius)
    joint, way = places.joint(number), places.way_m(number)
    if joint is not None and not joint.turns and way > 0:
        axis = joint.child_dcm.T @ joint.motions[-1].linear[0] * way
        yield _capsule(f"{body.name} slide", "joint", number, start - axis, start, 0.6 * radius)


def _rods(places: JointPlaces, number: int, start: FloatArray, radius: float) -> Iterator[Item]:
    body, colour = places.system.bodies[number], places.colour(number)
    ends = [end for end in places.outboard(number) if not places.is_short(number, end)]
    for k, end in enumerate(ends):
        name = body.name if not k else f"{body.name} {k + 1}"
        yield _capsule(name, colour, number, start, end, radius)
    if not ends:
        yield Item(body.name, DrawnSphere(radius), colour, "bodies", number, start)
    beside = _nearest(body.com_m, start, ends)
    if np.linalg.norm(body.com_m - beside) > _OFF * radius:
        yield _capsule(f"{body.name} weight", colour, number, beside, body.com_m, 0.4 * radius)


def _nearest(point: FloatArray, start: FloatArray, ends: Sequence[FloatArray]) -> FloatArray:
    """Return the place (3,) on lines from a start to ends that is nearest to a point."""
    ways = [(end - start, np.clip((point - start) @ (end - start) / ((end - start) @ (end - start)), 0, 1)) for end in ends]
    return min([start, *(start + part * way for way, part in ways)], key=lambda place: float(np.linalg.norm(point - place)))


def _capsule(name: str, colour: str, number: int, start: FloatArray, end: FloatArray, radius: float) -> Item:
    way = end - start
    length = float(np.linalg.norm(way))
    return Item(name, DrawnCapsule(radius, length), colour, "bodies", number, (start + end) / 2, upright(way / length))
