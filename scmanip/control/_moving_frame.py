"""How a frame of a free body moves, and what a pose in it is in N."""

from __future__ import annotations

import numpy as np

from ..guidance import PoseReference
from ..modes import Situation
from ..spatial import cross, solve


def in_space(now: Situation, pose: PoseReference) -> PoseReference:
    """Return a reference in N, over any scalar; one that is relative to a frame as that frame moves in a situation."""
    return pose if pose.relative_to is None else pose.along(moving_frame(now, pose.relative_to))


def moving_frame(now: Situation, name: str) -> PoseReference:
    """Return how a frame of a free body moves, over any scalar, with the accelerations that it has where nothing pushes it."""
    system, layout = now.system, now.system.layout
    tree = next(tree for tree in system.trees[1:] if tree.root == system.frame(name).body)
    place, attitude, J_0, J_m = now.of_frame(name, "position", "attitude", "J0", "Jm")
    twist = np.hstack([J_0, J_m]) @ now.u
    M, rest = now.balance()
    own = slice(layout.n_base + tree.twist.start, layout.n_base + tree.qdot.stop)
    a, alpha = np.split(solve(M[own, own], -rest[own])[:6], 2)
    arm = place - now.q[tree.pose][:3]
    a = a + cross(alpha, arm) + cross(twist[3:], cross(twist[3:], arm))
    return PoseReference(name, place, attitude, twist, np.concatenate([a, alpha]))
