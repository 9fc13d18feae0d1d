"""What goes through joints, by Newton's and Euler's equations of all that they carry, over any scalar."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...constraints import GROUND
from ...spatial import Array, cross, scalar_type
from ...system import System
from ..sums._equations import Equations
from ..sums._points import frame_point
from ..sums._springs import Spring, pull_per_length
from ._body_sight import BodySight


class Cuts:
    """A system at the state of some equations, in N and SI throughout, body by body.

    Wrenches on bodies are (n_b, 6), [f; n] about their CoMs.

    >>> cuts = Cuts(system, model.equations(state))
    >>> udot = np.array([1.0, *9 * [0.0]])  # the whole is pushed along x
    >>> wrenches = cuts.needed(udot)
    >>> np.round(wrenches[:, 0], 6).tolist(), np.round(cuts.through(wrenches, 1)[0], 6).tolist()
    ([100.0, 10.0, 10.0, 10.0, 10.0], 40.0)
    """

    def __init__(self, system: System, equations: Equations) -> None:
        self.system, self.equations, self.sight = system, equations, BodySight(system, equations)
        self._motions = [self.sight.motion(f"{body.name}.com") for body in system.bodies]
        self._centres = np.array([motion.p for motion in self._motions])

    def needed(self, udot: Array) -> Array:
        """Return what the bodies need to move with accelerations udot (n_u,): the rates of their momenta.

        Rotors of motors are counted with the bodies that carry them, wheels as if they were locked.
        """
        g, rows = self.equations.bodies, []
        for motion, link in zip(self._motions, self.equations.parameters.link_of, strict=True):
            a, alpha = motion.J[:3] @ udot + motion.a, motion.J[3:] @ udot + motion.alpha
            n = g.I[link] @ alpha + cross(motion.omega, g.I[link] @ motion.omega)
            rows.append(np.concatenate([g.m[link] * a, n]))
        return np.array(rows) + self._of_rotors(udot)

    def _of_rotors(self, udot: Array) -> Array:
        """Return the rates of the momenta that rotors have beside what is locked of them, s a with s = n qdot."""
        tree, _, _ = self.equations.on_tree(frame_point(self.system, "base"))
        p, layout = tree.parameters, self.system.layout
        found = np.zeros((len(self.system.bodies), 6), dtype=scalar_type(udot, tree.k_hat))
        for j in p.rotors:
            carrier, axis = int(p.parent[p.carried[j]]), tree.k_hat[j]
            spin, rate = p.gear[j] * tree.qdot[j], p.gear[j] * udot[layout.joints][j]
            n = p.rotor[j] * (rate * axis + spin * cross(tree.omega[carrier], axis))
            body = int(np.searchsorted(p.link_of, carrier))
            found[body, 3:] = found[body, 3:] + n
        return found

    def weights(self) -> Array:
        """Return what gravity of the system does to the bodies (n_b, 6)."""
        g, zero = self.equations.bodies, np.zeros(3)
        masses = [g.m[link] for link in self.equations.parameters.link_of]
        return np.array([np.concatenate([m * self.system.gravity_m_s2, zero]) for m in masses])

    def pulls(self) -> Array:
        """Return what springs and dampers between points do to the bodies (n_b, 6); those of joints act inside these."""
        found = np.zeros((len(self._motions), 6), dtype=scalar_type(self._centres))
        for spring, own in zip(self.system.springs, Spring.all_of(self.system), strict=True):
            if own.idle:
                continue
            one, other = (self.sight.motion(name) for name in spring.between)
            d = other.p - one.p
            f = d * pull_per_length(own, d, d @ (other.v - one.v))
            for name, end, force in zip(spring.between, (one, other), (f, -f), strict=True):
                body = self.sight.number(name)
                arm = end.p - self._centres[body]
                found[body] = found[body] + np.concatenate([force, cross(arm, force)])
        return found

    def at_centres(self, wrenches: Array) -> Array:
        """Return wrenches (n_b, 6) about the points of `sight` about the CoMs."""
        arms = self.sight.centres - self._centres
        return np.concatenate([wrenches[:, :3], wrenches[:, 3:] + cross(arms, wrenches[:, :3])], axis=1)

    def through(self, missing: Array, body: int) -> Array:
        """Return what goes through the joint of a body into all that it carries, [f; n] (6,).

        n is about the origin of the frame that the joint moves.
        missing : (n_b, 6) what bodies need less what they get otherwise than through joints
        """
        carried = np.flatnonzero(self.system.tree.body_path[:, body])
        return self.about(missing, carried.tolist(), self.equations.poses.p[self.equations.parameters.link_of[body]])

    def told(self, wrenches: Array, on: str) -> Array:
        """Return what wrenches do to the body of a frame, [f; n] (6,) about its origin; the ground gets the rest."""
        if on == GROUND:
            return -self.about(wrenches, range(len(wrenches)), np.zeros(3))
        return self.about(wrenches, [self.sight.number(on)], self.sight.motion(on).p)

    def about(self, wrenches: Array, bodies: Sequence[int], point: Array) -> Array:
        """Return the sum (6,) of wrenches on some bodies, n about a point (3,)."""
        f = sum((wrenches[k, :3] for k in bodies), start=np.zeros(3))
        n = sum((wrenches[k, 3:] + cross(self._centres[k] - point, wrenches[k, :3]) for k in bodies), start=np.zeros(3))
        return np.concatenate([f, n])
