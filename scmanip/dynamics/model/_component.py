"""The inertia of all that constraints make one with the base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...errors import ModeMismatch
from ...spatial import Array, selection, solve
from ...system import System
from ..constraints._embedding import Embedding


class MassProperties(NamedTuple):
    """Mass [kg], place (3,) of its centre from the base CoM [m] and inertia (3, 3) about it [kg m^2], in base axes."""

    mass_kg: float
    com_m: Array
    inertia_kg_m2: Array


@dataclass(frozen=True, eq=False)
class Component:
    """The base, all that it carries and all that constraints join to it, in one state: W' M W in independent speeds.

    speeds : names (p,) of these, those of the base first
    M : (p, p); W : (n_u, p) what they make of u
    n_base : how many of them are of the base
    """

    speeds: tuple[str, ...]
    M: Array
    W: Array
    n_base: int

    @classmethod
    def of(cls, system: System, A: Array, M: Array, free: Sequence[int], noise: float) -> Component:
        """Return it for rows A (k, n_u) of constraints and the inertia M (n_u, n_u) of all.

        free : places in u of the twists of free bodies; raises `ModeMismatch` where the constraints bind the base
        """
        n, places = system.layout.n_base, _joined(system, abs(A) > noise)
        rows = A[:, places]
        first = [k for k, j in enumerate(places) if j in {*free}], [k for k, j in enumerate(places) if j >= n]
        ways = (selection(rows, M[np.ix_(places, places)], noise, wanted) for wanted in first)
        chosen = next((way for way in ways if not {*range(n)} & {*way.dependent}), None)
        if chosen is None:
            raise ModeMismatch(f"constraints bind the base of system '{system.name}', so that nothing is left of H0")
        W = np.zeros((A.shape[1], len(chosen.independent)))
        zero = np.zeros(len(rows))
        W[places] = Embedding.of(rows, zero, zero, chosen).W
        names = tuple(system.layout.u_names[places[k]] for k in chosen.independent)
        return cls(names, W.T @ M @ W, W, n)

    @property
    def H0(self) -> Array:
        """(6, 6)."""
        return self.M[: self.n_base, : self.n_base]

    @property
    def H0m(self) -> Array:
        """(6, p - 6)."""
        return self.M[: self.n_base, self.n_base :]

    @cached_property
    def recoil(self) -> Array:
        """(6, p - 6) of u0 = recoil s without momentum, -H0^-1 H0m."""
        return -solve(self.H0, self.H0m)

    @property
    def H(self) -> Array:
        """(p - 6, p - 6)."""
        return self.M[self.n_base :, self.n_base :] + self.H0m.T @ self.recoil

    def J_star(self, J: Array) -> Array:
        """(6, p - 6) of a point with J (6, n_u)."""
        own = J @ self.W
        return own[:, self.n_base :] + own[:, : self.n_base] @ self.recoil

    @property
    def S_U(self) -> Array:
        """(3, 3); raises `ModeMismatch` with a base that is held."""
        if not self.n_base:
            raise ModeMismatch("a base that is held has no H0, and with it what it carries no S_U")
        return self.H0[3:, 3:] - self.H0[3:, :3] @ self.H0[:3, 3:] / self.H0[0, 0]

    def mass_properties(self, R: Array) -> MassProperties:
        """Return them in base axes; R : (3, 3) base to N."""
        H0, inertia = self.H0, R.T @ self.S_U @ R
        centre = np.array([H0[5, 1], H0[3, 2], H0[4, 0]]) / H0[0, 0]  # m and m r^x, eq. 28
        return MassProperties(float(H0[0, 0]), R.T @ centre, inertia)


def _joined(system: System, heard: Array) -> list[int]:
    """Return the places in u of the base, what it carries, and of trees that rows join to them; heard : (k, n_u)."""
    n = system.layout.n_base
    trees = [[n + j for j in range(tree.twist.start, tree.qdot.stop)] for tree in system.trees]
    found = [*range(n), *trees.pop(0)]
    while joined := [tree for tree in trees if (heard[:, tree].any(axis=1) & heard[:, found].any(axis=1)).any()]:
        found += [j for tree in joined for j in tree]
        trees = [tree for tree in trees if tree not in joined]
    return sorted(found)
