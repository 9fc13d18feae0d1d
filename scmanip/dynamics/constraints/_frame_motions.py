"""How frames move, with their accelerations where udot = 0, over any scalar."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...spatial import Array, cross
from ..sums._equations import Equations
from ..sums._kinematics import LinkJoint
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
        self._trees: dict[Equations, LinkMotions] = {}

    def of(self, point: Point) -> FrameMotion:
        """Return the motion of a point and its axes."""
        e, own, a_0 = self._equations.on_tree(point)
        link = int(e.parameters.link_of[own.body])
        v, omega, a, alpha = self._trees.setdefault(e, LinkMotions(e, a_0)).of(link)
        p = e.position(own)
        arm = p - e.poses.p[link]
        around = cross(omega, arm)
        J = np.concatenate([self._equations.J0(point), self._equations.Jm(point)], axis=1)
        return FrameMotion(
            p, e.poses.R[link] @ own.dcm, J, v + around, omega, a + cross(alpha, arm) + cross(omega, around), alpha
        )


class LinkMotions:
    """Links of one tree, each computed once: v, omega, a and alpha (3,) of their origins.

    a_0 : (3,) acceleration of the point 0 where udot = 0
    """

    def __init__(self, equations: Equations, a_0: Array) -> None:
        self._equations = equations
        arm = equations.poses.p[0] - equations.poses.r_ref
        around = cross(equations.omega_0, arm)
        base = equations.v_0 + around, equations.omega_0, a_0 + cross(equations.omega_0, around), np.zeros(3)
        self._links: dict[int, tuple[Array, Array, Array, Array]] = {0: base}

    def of(self, i: int) -> tuple[Array, Array, Array, Array]:
        """Return those of a link."""
        if i not in self._links:
            self._links[i] = self._moved(i)
        return self._links[i]

    def _moved(self, i: int) -> tuple[Array, Array, Array, Array]:
        """Twists of a link's own motion are constant in its own axes."""
        e, parent = self._equations, int(self._equations.parameters.parent[i])
        v, omega, a, alpha = self.of(parent)
        arm = e.poses.p[i] - e.poses.p[parent]
        around = cross(omega, arm)
        v, a = v + around, a + cross(alpha, arm) + cross(omega, around)
        if not e.parameters.speeds[i]:
            return v, omega, a, alpha
        v_own, w_own = (e.poses.R[i] @ part for part in LinkJoint.of(e.parameters, i).along(e.qdot))
        a = a + 2 * cross(omega, v_own) + cross(w_own, v_own)
        return v + v_own, omega + w_own, a, alpha + cross(omega, w_own)
