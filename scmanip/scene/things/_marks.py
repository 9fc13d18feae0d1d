"""What stands for joints, frames, actuators, masses and inertias."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...constraints import GROUND
from ...shapes import upright
from ._boxes import equal_ball, equal_box, equal_ellipsoid
from ._item import Item
from ._places import JointPlaces
from ._solid import DrawnAxes, DrawnCone, DrawnCylinder, DrawnEllipsoid, DrawnSphere, Triangles

_HUB = 1.35  # radius of a joint, of that of its link
_AXIS = 3.0  # length of a joint, likewise


def joint_items(places: JointPlaces, number: int) -> Iterator[Item]:
    """Yield a short cylinder along every axis of a body's joint, a ball where it turns about several."""
    joint = places.joint(number)
    if joint is None or joint.kind.grounded or not joint.dof:
        return
    radius, at = places.radius_m(number), places.inboard(number)
    turning = [axis for motion in joint.motions for axis in motion.angular if np.any(axis)]
    sliding = [axis for motion in joint.motions for axis in motion.linear if np.any(axis)]
    if len(turning) > 1:
        yield Item(joint.name, DrawnSphere(_HUB * radius), "joint", "joint axes", number, at)
    for axis in [*(turning if len(turning) == 1 else ()), *(() if turning else sliding)]:
        R = joint.child_dcm.T @ upright(axis / np.linalg.norm(axis))
        yield Item(joint.name, DrawnCylinder(_HUB * radius, _AXIS * radius), "joint", "joint axes", number, at, R)


def frame_items(places: JointPlaces) -> Iterator[Item]:
    """Yield the axes of every frame of a system, of its base, and of bodies on request."""
    system, size = places.system, 0.18 * places.base_m
    for number, body in enumerate(system.bodies):
        yield Item(f"{body.name} axes", DrawnAxes(size), "frame", "body frames", number, shown=False)
    for frame in system.frames:
        on = None if frame.body == GROUND else system.body_number(frame.body)
        length = max(size, 3 * places.radius_m(on)) if on else size
        yield Item(f"{frame.name} axes", DrawnAxes(length), "frame", "frames", on, frame.origin_m, frame.dcm)


def actuator_items(places: JointPlaces) -> Iterator[Item]:
    """Yield a disc on the base's surface along every axis of what turns it, and a nozzle of what pushes."""
    system, base = places.system, places.system.base
    if system.turners.each:
        size, R = equal_box(base)
        for turner in system.turners.each:
            for k, axis in enumerate(turner.axes(np.zeros(len(turner.states)))):
                along = np.abs(R.T @ axis) / np.maximum(size / 2, 1e-9)
                disc = DrawnCylinder(0.08 * places.base_m, 0.04 * places.base_m)
                at = base.com_m + axis * (1 / along.max() + disc.radius_m)
                name = turner.called if not k else f"{turner.called} {k + 1}"
                yield Item(name, disc, "wheel", "wheels", 0, at, upright(axis))
    for pusher in system.pushers.each:
        place, direction = pusher.line()
        nozzle, on = DrawnCone(0.035 * places.base_m, 0.1 * places.base_m), system.body_number(pusher.body)
        yield Item(pusher.called, nozzle, "thruster", "thrusters", on, place, upright(-direction))


def mass_items(places: JointPlaces) -> Iterator[Item]:
    """Yield, to be shown on request, the ball and the ellipsoid of inertia of every body."""
    for number, body in enumerate(places.system.bodies):
        if body.mass_kg > 0:
            ball = DrawnSphere(equal_ball(body.mass_kg))
            yield Item(f"{body.name} mass", ball, "mass", "mass", number, body.com_m, shown=False, opacity=0.6)
            semi_axes, R = equal_ellipsoid(body)
            solid = DrawnEllipsoid(semi_axes)
            yield Item(f"{body.name} inertia", solid, "inertia", "inertia", number, body.com_m, R, shown=False, opacity=0.4)


def shape_items(places: JointPlaces) -> Iterator[Item]:
    """Yield the shapes of a system, those that hold the centre of mass of a body in its stead."""
    for shape in places.shapes:
        on = None if shape.frame == GROUND else places.system.body_number(shape.frame)
        stands_for = on is not None and places.is_body(shape)
        group = "environment" if on is None else "bodies" if stands_for else "contact shapes"
        colour = "ground" if on is None else places.colour(on) if stands_for else "contact"
        solid = Triangles(*shape.surface(2 * places.base_m))
        yield Item(shape.name, solid, colour, group, on, shape.origin_m, shape.dcm)
