"""A linkage that is closed by a constraint."""

from __future__ import annotations

import numpy as np

from scmanip.constraints import PointOnPoint
from scmanip.system import Body, Frame, Joint, State, System


def square() -> System:
    """A planar four-bar linkage in space on a free base, closed by two points that meet, which never part along its axis."""
    hinge = lambda name, at: Joint(name, "revolute", [0, 0, 1], at)  # noqa: E731
    bodies = [
        Body("crank", 3.0, [0.1, 0.4, 0.4], [0.5, 0, 0], "base", hinge("j1", [0.5, 0, 0])),
        Body("rod", 2.0, [0.1, 0.3, 0.3], [0.6, 0, 0], "crank", hinge("j2", [1.0, 0, 0])),
        Body("rocker", 4.0, [0.1, 0.5, 0.5], [0.4, 0, 0], "base", hinge("j3", [0.5, 1.0, 0])),
    ]
    frames = [Frame("end", "rod", [1.2, 0, 0]), Frame("joint", "rocker", [0.8, 0, 0])]
    held = [PointOnPoint("loop", ("end", "joint"), tolerance_m=1e-9)]
    return System("linkage", Body("base", 50.0, [10, 12, 15], [0.1, 0.2, 0.3]), bodies, frames, constraints=held)


def closed(q1: float) -> np.ndarray:
    """Return the angles (3,) of the linkage where its loop is closed."""
    rocker, pin = np.array([0.0, 1.0]), np.array([np.cos(q1), np.sin(q1)])
    way = rocker - pin
    a, b, c = 1.2, 0.8, np.hypot(*way)
    inner = np.arccos((a * a + c * c - b * b) / (2 * a * c))
    q2 = np.arctan2(way[1], way[0]) - inner
    end = pin + a * np.array([np.cos(q2), np.sin(q2)])
    return np.array([q1, q2 - q1, np.arctan2(*(end - rocker)[::-1])])


def at_closed(q1=0.3) -> State:
    attitude = np.array([0.1, -0.2, 0.3, 0.9])
    return State([0, 0, 0], attitude / np.linalg.norm(attitude), closed(q1), [0.1, 0, 0.2], [0.1, 0.3, -0.2], [0.4, -0.1, 0.2])
