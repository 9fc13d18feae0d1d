"""Planes that constraints keep bodies on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...constraints import GROUND
from ...shapes import Plane, upright
from ...simulation import History
from ...spatial import FloatArray, dcm_from_quaternion
from ...system import System
from ..things._item import Item
from ..things._solid import Triangles


def plane_items(history: History, poses: FloatArray, size_m: float) -> Iterator[Item]:
    """Yield a square of each such plane, under the body where it is first kept there; size_m : of its edges."""
    system = history.system
    for one, active in zip(system.constraints, history.active.T if system.constraints else (), strict=True):
        if one.plane is None or not active.any():
            continue
        (frame, normal), pose = one.plane, poses[np.flatnonzero(active)[0]]
        (r, R), (_, R_plane), body = _frame(system, pose, one.on), _frame(system, pose, frame), _body(system, frame)
        up = R_plane @ normal
        under = r - one.above_plane(R_plane.T @ R) * up
        origin, axes = _frame(system, pose, GROUND if body is None else system.bodies[body].name)
        place, turned, plate = (
            axes.T @ (under - origin),
            axes.T @ upright(up),
            Triangles(*Plane("plane", GROUND).surface(size_m)),
        )
        yield Item(f"plane of {one.name}", plate, "ground", "environment", body, place, turned, opacity=0.5)


def _body(system: System, frame: str) -> int | None:
    return None if frame == GROUND else system.body_number(system.frame(frame).body)


def _frame(system: System, pose: FloatArray, name: str) -> tuple[FloatArray, FloatArray]:
    """Return origin (3,) and axes (3, 3) of a frame in N; pose : (n_b, 7)."""
    number = _body(system, name)
    if number is None:
        return np.zeros(3), np.eye(3)
    frame, R = system.frame(name), dcm_from_quaternion(pose[number, 3:])
    return pose[number, :3] + R @ frame.origin_m, R @ frame.dcm
