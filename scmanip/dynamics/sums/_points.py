"""Points and frames of a system as the dynamics see them: in the moved joint frame of their body."""

from __future__ import annotations

import numpy as np

from ...spatial import Array
from ...system import System
from ._results import Point


def frame_point(system: System, name: str) -> Point:
    """Return the point of a named frame, or raise `UnknownName`."""
    frame = system.frame(name)
    return placed(system, frame.body, frame.origin_m, frame.dcm)


def body_offset(system: System, body: str, offset: Array) -> Point:
    """Return a point (3,) [m] in body axes of any scalar, unchecked: by definition of such a point.

    >>> point = body_offset(system, "link4", np.array([0.5, 0, 0]))
    >>> point.body, point.offset.tolist()
    (4, [1.5, 0.0, 0.0])
    """
    return placed(system, body, offset, np.eye(3))


def placed(system: System, body: str, origin: Array, dcm: Array) -> Point:
    """Return a placement given in body axes from the body frame's origin."""
    number = system.body_number(body)
    joint = system.bodies[number].joint
    if joint is None:
        return Point(number, origin, dcm)
    return Point(number, joint.child_origin_m + joint.child_dcm @ origin, joint.child_dcm @ dcm)
