"""Derivatives of forces and accelerations of a system of several trees from those of each tree alone; over any scalar, in N.

A tree answers in speeds of its root's CoM; a free root is told by the origin of its body frame, from which the CoM lies at c.
Turned with all that it does, a free tree does the same, but for gravity: so what its turning alone changes follows from its
speeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...spatial import Array, cross, scalar_type, skew

Outputs = Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class FreeTree:
    """A free tree at one instant.

    c : (3,) from the origin of the root's body frame to its CoM; u : (6 + n,) speeds of that origin and of the joints
    g : (3,) gravity
    """

    c: Array
    u: Array
    g: Array

    @property
    def _T(self) -> Array:
        """(n_u, n_u) speeds of the root's CoM per speed of its origin."""
        return self._with_lever(-skew(self.c))

    @property
    def _T_inverse(self) -> Array:
        return self._with_lever(skew(self.c))

    def _with_lever(self, x: Array) -> Array:
        T = np.array(np.eye(len(self.u), dtype=int), dtype=scalar_type(x))
        T[:3, 3:6] = x
        return T

    @property
    def _centripetal_by_u(self) -> Array:
        """(n_u, n_u) how omega x (omega x c) changes with the speeds."""
        omega = self.u[3:6]
        rows = np.array(np.zeros((len(self.u), len(self.u)), dtype=int), dtype=scalar_type(self.c, self.u))
        rows[:3, 3:6] = -(skew(cross(omega, self.c)) + skew(omega) @ skew(self.c))
        return rows

    def _round(self, pair: Array) -> Array:
        """Return (n_u, 3): axis x each vector of a pair (6,), whose components turn with the root; joints stay."""
        return np.concatenate([-skew(pair[:3]), -skew(pair[3:6]), np.zeros((len(self.u) - 6, 3), dtype=int)])

    def inverse(self, own: Outputs, udot: Array, forces: Array) -> dict[str, Array]:
        """Return q, u, udot (n_u, n_u) of the forces [at the origin; tau] that accelerations udot (n_u,) need.

        own : q, u, udot in speeds of the CoM; forces : (n_u,)
        """
        T, M = self._T, own["udot"]
        u = T.T @ (own["u"] @ T + M @ self._centripetal_by_u)
        whole, falling = T.T @ M @ T, np.concatenate([udot[:3] - self.g, udot[3:6]])
        turn = self._round(forces) - u @ self._round(self.u) - whole @ self._round(falling)
        return {"q": self._along(turn, T.T @ own["q"]), "u": u, "udot": whole}

    def forward(self, own: Outputs, udot: Array, forces: Array) -> dict[str, Array]:
        """Return q, u, tau (n_u, n_u) of the accelerations under forces [at the origin; tau] (n_u,)."""
        back = self._T_inverse
        u = back @ (own["u"] @ self._T - self._centripetal_by_u)
        tau = back @ np.hstack([own["wrench"], own["tau"]]) @ back.T
        falling = np.concatenate([udot[:3] - self.g, udot[3:6]])
        turn = self._round(falling) - u @ self._round(self.u) - tau @ self._round(forces)
        return {"q": self._along(turn, back @ own["q"]), "u": u, "tau": tau}

    def _along(self, turn: Array, joints: Array) -> Array:
        """Return columns (n_u, n_u) along the root's place and turns, and along joints."""
        return np.hstack([np.zeros((len(self.u), 3), dtype=int), turn, joints])
