"""Forces and moments on every body, and what they are to the system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..dynamics import Geometry, base_to_com
from ..spatial import Array, cross


@dataclass(frozen=True, eq=False)
class BodyWrenches:
    """Force `f` (n_b, 3) [N] on every body at its own CoM, and moment `n` (n_b, 3) [N m] about it, in N; any scalar.

    By definition of a generalized force.

    >>> bodies = Bodies(system, model.equations(state))
    >>> push = bodies.on("link4", np.array([0.0, 5.0, 0.0]), at=bodies.frame("tip")[0])
    >>> push.f.shape, push.about_base(bodies.geometry.r_0i).round(3).tolist()
    ((5, 3), [0.0, 5.0, 0.0, 0.0, 0.0, 20.902])
    """

    f: Array
    n: Array

    def __add__(self, other: BodyWrenches) -> BodyWrenches:
        return BodyWrenches(self.f + other.f, self.n + other.n)

    def of(self, bodies: slice) -> BodyWrenches:
        """Return those on some bodies."""
        return BodyWrenches(self.f[bodies], self.n[bodies])

    def generalized_force(self, g: Geometry, *, fixed: bool, carried: slice = slice(None)) -> Array:
        """Return the generalized forces (n_u,) [N, N m]: sum of J' f and J' n of the bodies' Jacobians.

        carried : the bodies that the base moves, itself among them
        """
        joints = (self.f[:, None, :] @ g.J_T + self.n[:, None, :] @ g.J_R)[:, 0, :].sum(axis=0)
        if fixed:
            return joints
        return np.concatenate([self.of(carried).about_base(g.r_0i[carried]), joints])

    def about_base(self, r_0i: Array) -> Array:
        """Return [f; n] (6,) [N, N m] of all, the moment about the base CoM, from which the CoMs are at r_0i (n_b, 3).

        r_0i is in N [m]. With a fixed base about its frame's origin.
        """
        return np.concatenate([self.f.sum(axis=0), (self.n + cross(r_0i, self.f)).sum(axis=0)])

    def resultant(self, g: Geometry) -> Array:
        """Return [f; n] (6,) [N, N m] of all in N, the moment about the system CoM: the rates of P and L_C."""
        lever = g.r_0i - base_to_com(g)
        return np.concatenate([self.f.sum(axis=0), (self.n + cross(lever, self.f)).sum(axis=0)])
