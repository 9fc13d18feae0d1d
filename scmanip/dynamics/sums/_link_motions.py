"""How links move with given speeds, and the accelerations that they have where no speed changes, over any scalar."""

from __future__ import annotations

from ...spatial import Array, cross
from ._kinematics import LinkJoint, Poses
from ._parameters import Parameters

Motion = tuple[Array, Array, Array, Array]


class TreeLinkMotions:
    """Links of one tree, each computed once: v, omega, a and alpha (3,) of their origins, in N.

    v_0, omega_0 : (3,) of the base, v_0 of the point 0; a_0 : (3,) acceleration of the point 0 where udot = 0; qdot : (N,)
    """

    def __init__(self, parameters: Parameters, poses: Poses, v_0: Array, omega_0: Array, qdot: Array, a_0: Array) -> None:
        self._parameters, self._poses, self._qdot = parameters, poses, qdot
        base = carried((v_0, omega_0, a_0, 0 * omega_0), poses.p[0] - poses.r_ref)
        self._links: dict[int, Motion] = {0: base}

    def of(self, i: int) -> Motion:
        """Return those of a link."""
        if i not in self._links:
            self._links[i] = self._moved(i)
        return self._links[i]

    def at(self, i: int, place: Array) -> Motion:
        """Return those of the point of link i that is at a place (3,)."""
        return carried(self.of(i), place - self._poses.p[i])

    def _moved(self, i: int) -> Motion:
        """Twists of a link's own motion are constant in its own axes."""
        p, R, parent = self._parameters, self._poses.R[i], int(self._parameters.parent[i])
        v, omega, a, alpha = self.at(parent, self._poses.p[i])
        if not p.speeds[i]:
            return v, omega, a, alpha
        v_own, w_own = (R @ part for part in LinkJoint.of(p, i).along(self._qdot))
        a = a + 2 * cross(omega, v_own) + cross(w_own, v_own)
        return v + v_own, omega + w_own, a, alpha + cross(omega, w_own)


def carried(motion: Motion, arm: Array) -> Motion:
    """Return the motion of what is fixed in a body, `arm` (3,) away from the point that moves so."""
    v, omega, a, alpha = motion
    around = cross(omega, arm)
    return v + around, omega, a + cross(alpha, arm) + cross(omega, around), alpha
