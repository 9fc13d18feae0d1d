"""Ways of points of a system."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...constraints import GROUND
from ...guidance import PoseReference
from ...simulation import History
from ...spatial import FloatArray
from ...system import System
from ._poses import point_of
from ._trail import Trail


def trails_of(history: History, poses: FloatArray) -> Iterator[Trail]:
    """Yield those of the tips, of the centres of mass of system and base, and of what a frame was to follow."""
    system = history.system
    for frame in tips(system):
        yield Trail(frame, point_of(poses, system.body_number(system.frame(frame).body), system.frame(frame).origin_m))
    if not system.fixed:
        yield Trail("centre of mass", centre_of_mass(system, poses), "centre of mass")
        yield Trail("base", point_of(poses, 0, system.base.com_m), "base trail")
    wanted = history.reference
    if isinstance(wanted, PoseReference) and wanted.relative_to is None:
        yield Trail(f"{wanted.frame} as wanted", wanted.position_m, "target")


def frame_places(system: System, poses: FloatArray) -> dict[str, FloatArray]:
    """Return where the origins of all frames of a system are (K, 3) [m], by name.

    >>> places = frame_places(system, body_poses(system, history.states))
    >>> np.allclose(places["tip"][-1], model.position(history.final, "tip"))
    True
    """
    return {frame.name: point_of(poses, system.body_number(frame.body), frame.origin_m) for frame in system.frames}


def tips(system: System) -> list[str]:
    """Return the names of frames on bodies that carry nothing, with a joint to where they are carried.

    >>> tips(system)
    ['tip']
    """
    carrying = {body.parent for body in system.bodies}
    ends = {b.name for b in system.bodies if b.name not in carrying and b.parent not in (None, GROUND)}
    return [frame.name for frame in system.frames if frame.body in ends]


def centre_of_mass(system: System, poses: FloatArray) -> FloatArray:
    """Return where that of the whole system is (K, 3) [m], in N.

    >>> C = centre_of_mass(system, body_poses(system, history.states))
    >>> C.shape, bool(np.ptp(C, axis=0).max() < 1e-9)  # nothing pushes
    ((5, 3), True)
    """
    parts = [body.mass_kg * point_of(poses, number, body.com_m) for number, body in enumerate(system.bodies)]
    found: FloatArray = np.sum(parts, axis=0) / system.mass_kg
    return found
