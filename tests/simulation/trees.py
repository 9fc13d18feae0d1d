"""Spacecraft with gimbals and spherical joints that the tests of several rooms share."""

from __future__ import annotations

import numpy as np

from scmanip.spatial import quaternion_from_axis_angle
from scmanip.system import Body, Frame, Joint, State, System

INERTIA_1 = [[0.6, 0.05, 0.02], [0.05, 0.8, -0.04], [0.02, -0.04, 0.7]]
INERTIA_2 = [[0.3, -0.02, 0.03], [-0.02, 0.4, 0.01], [0.03, 0.01, 0.25]]


def base(**options: object) -> Body:
    """Return a base whose inertia and centre of mass have no symmetry."""
    return Body("base", 40.0, [[6.0, 0.3, 0.1], [0.3, 7.0, -0.2], [0.1, -0.2, 5.0]], com_m=[0.1, -0.05, 0.02], **options)  # type: ignore[arg-type]


def two_balls_and_a_gimbal(*, fixed: bool = False, damping: float = 0.0, stiffness: float = 0.0) -> System:
    """Return a tree: shoulder and wrist spherical, one after the other, and a dish on a gimbal "xyz"."""
    shoulder = Joint("shoulder", "spherical", origin_m=np.array([0.5, 0.1, 0.2]), damping=damping)
    wrist = Joint("wrist", "spherical", origin_m=np.array([1.0, 0.0, 0.1]), damping=damping / 2)
    mast = Joint("mast", "gimbal", origin_m=np.array([-0.4, 0.0, 0.3]), sequence="xyz", damping=damping, stiffness=stiffness)
    bodies = [
        Body("upper", 8.0, INERTIA_1, [0.5, 0.02, 0.05], "base", shoulder),
        Body("hand", 4.0, INERTIA_2, [0.2, 0.1, 0.03], "upper", wrist),
        Body("dish", 5.0, INERTIA_1, [0.0, 0.1, 0.3], "base", mast),
    ]
    return System("two balls and a gimbal", base(), bodies, [Frame("tip", "hand", np.array([0.5, 0.0, 0.0]))], fixed=fixed)


def turned(axis: list[float], angle: float) -> np.ndarray:
    """Return the quaternion (4,) of a turn about an axis of any length."""
    return quaternion_from_axis_angle(np.array(axis) / np.linalg.norm(axis), angle)


def moving_tree_state(*, fixed: bool = False, rate: float = 0.3) -> State:
    """Return a state of `two_balls_and_a_gimbal` in which everything moves, the dish slowly."""
    q = np.concatenate([turned([1, 2, -1], 0.7), turned([-2, 1, 1], 1.1), [0.3, -0.2, 0.4]])
    qdot = rate * np.array([0.5, -0.8, 1.0, -1.0, 0.6, 0.4, -0.33, 0.0, 0.17])
    if fixed:
        return State(q=q, qdot=qdot)
    return State([0.3, -0.2, 0.1], turned([1, -3, 2], 0.6), q, [0.05, 0.02, -0.03], [0.03, -0.02, 0.04], qdot)
