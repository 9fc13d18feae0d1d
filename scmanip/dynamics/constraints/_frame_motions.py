"""How frames move, with their accelerations where udot = 0, over any scalar."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...spatial import Array
from ..sums._equations import Equations
from ..sums._link_motions import TreeLinkMotions
from ..sums._results import Point


class FrameMotion(NamedTuple):
    """A frame, in N.

    p, R : (3,), (3, 3) its origin and axes; J : (6, n_u) [linear; angular] Jacobian of its origin
    v, omega : (3,) what u makes of J; a, alpha : (3,) their rates where udot = 0
    """

    p: Array
    R: Array
    J: Array
    v: Array
    omega: Array
    a: Array
    alpha: Array

    @classmethod
    def at_rest(cls, n_u: int) -> FrameMotion:
        """Return N itself."""
        return cls(np.zeros(3), np.eye(3), np.zeros((6, n_u)), *np.zeros((4, 3)))


class FrameMotions:
    """The frames of a system at the state of some equations, link by link from the base or a free body, each computed once."""

    def __init__(self, equations: Equations) -> None:
        self._equations = equations
        self._trees: dict[Equations, TreeLinkMotions] = {}

    def of(self, point: Point) -> FrameMotion:
        """Return the motion of a point and its axes."""
        e, own, a_0 = self._equations.on_tree(point)
        link = int(e.parameters.link_of[own.body])
        if e not in self._trees:
            self._trees[e] = TreeLinkMotions(e.parameters, e.poses, e.v_0, e.omega_0, e.qdot, a_0)
        p = e.position(own)
        J = np.concatenate([self._equations.J0(point), self._equations.Jm(point)], axis=1)
        return FrameMotion(p, e.poses.R[link] @ own.dcm, J, *self._trees[e].at(link, p))
