"""Hdot, c and the Coriolis matrix from composite bodies in motion, in place of dH/dq and of [Wilde2018] eqs 62-102.

With B = [-H0^-1 H0m; 1] the matrix of Christoffel symbols of H is B' C_M B, where C_M is that of all speeds at the motion
B qdot, which has no momentum: the term B' M Bdot beside it is zero, since Bdot moves the base alone. C_M is a sum over bodies,
V_i' (I Vdot_l + C_b V_l) for their twists V_i, V_l in two unit motions, with

    C_b = [[(Jdot - n x) / 2, 0], [-f x, 0]]

of a body of inertia J, momentum f and angular momentum n about a point that rests [Echeandia2021]. C_b adds up over what a
joint carries. About the system CoM, which rests, Sdot_U / 2 is what all bodies make of the base's turning.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...spatial import Array, scalar_type, transpose
from ..sums._equations import Equations
from ..sums._motion import no_quasi_speeds
from ._base_gradients import base_inertia_gradient, coupling_inertia_gradient
from ._composite_bodies import FloatingArm
from ._inertia_gradient import inertia_gradient
from ._link_equations import LinkEquations
from ._moving_composites import MovingComposites, MovingUnit, inertia_rate, moving_units


class InertiaRates:
    """Derivatives of H with the names, shapes and the leading joint axis of `Equations`.

    equations : the recursions at one state
    """

    def __init__(self, equations: LinkEquations) -> None:
        self._equations = equations

    @cached_property
    def dH_dq(self) -> Array:
        return inertia_gradient(self._equations.arm, held=self._equations.parameters.fixed)

    @cached_property
    def dHm_dq(self) -> Array:
        return inertia_gradient(self._equations.held, held=True)

    @cached_property
    def dH0_dq(self) -> Array:
        return base_inertia_gradient(self._equations.held)

    @cached_property
    def dH0m_dq(self) -> Array:
        return coupling_inertia_gradient(self._equations.held)

    @cached_property
    def Hdot(self) -> Array:
        return self._joints.inertia_rate

    @cached_property
    def c(self) -> Array:
        return self._equations.C - self.Hdot @ self._equations.qdot

    @cached_property
    def coriolis_matrix(self) -> Array:
        no_quasi_speeds(self._equations.parameters)
        return self._joints.coriolis_matrix

    @cached_property
    def _joints(self) -> _Joints:
        arm = self._equations.arm
        return _Joints.of(arm, MovingComposites.without_momentum(arm, self._equations.qdot))


RATES = frozenset(name for name in vars(InertiaRates) if not name.startswith("_")) & frozenset(vars(Equations))


@dataclass(frozen=True, eq=False)
class _Back:
    """What joints further in meet in unit motions of joints further out, (3, N) each.

    w, v : of the unit motion of the joint further out: with a free base the twist of the base, with a fixed one the angular and
        linear momentum of what the joint moves
    moment, force : of the joint further in, which they meet; whole : moment with all that meets w in Hdot
    """

    w: Array
    v: Array
    moment: Array
    force: Array
    whole: Array


@dataclass(frozen=True, eq=False)
class _Joints:
    """What the pairs of joints are made of, (3, N) each, about the system CoM (fixed base: the base's origin).

    path : (N, N) whether the joint of the row moves that of the column; both may be one
    base : (X, a) the base turns with -X and moves with a in the unit motions b
    w, v : twist in b of what the joint moves
    moment, force : what C_M makes of the joint's own motion
    psi : couple that C_M' makes of b; whole : moment + psi
    """

    path: Array
    base: tuple[Array, Array]
    w: Array
    v: Array
    moment: Array
    force: Array
    psi: Array
    whole: Array
    back: _Back

    @classmethod
    def of(cls, arm: FloatingArm, motion: MovingComposites) -> _Joints:
        """Return these for a motion without momentum."""
        units, p = moving_units(arm, motion), arm.chain.links.parameters
        rows = np.array(units, dtype=scalar_type(arm.L, *motion.omega, *motion.f)).reshape(
            len(units), len(MovingUnit._fields), 3
        )
        k, s, k_rate, s_rate, force, L_rate, psi = np.moveaxis(rows, 0, -1)
        path = transpose(p.path[p.carried])
        if p.fixed:
            still = (np.zeros((3, len(units))),) * 2
            back = _Back(arm.L, arm.P, k_rate, s_rate, k_rate)
            return cls(path, still, k, s, L_rate - psi, force, psi, L_rate, back)
        X, a, turned = arm.X, -(arm.P * (1 / arm.m_tot)), inertia_rate(arm, motion) / 2
        of_base = turned @ X
        taken = arm.S_U @ k_rate + turned @ k
        moment, whole = L_rate - psi, L_rate - of_base
        back = _Back(-X, a, moment - taken, force - arm.m_tot * s_rate, whole - taken)
        return cls(path, (X, a), k - X, s + a, moment, force, psi - of_base, whole, back)

    @property
    def coriolis_matrix(self) -> Array:
        """Matrix (N, N) of Christoffel symbols."""
        N = len(self.path)
        return self._array([[self._coriolis(i, l) for l in range(N)] for i in range(N)])

    @property
    def inertia_rate(self) -> Array:
        """Hdot (N, N), the sum of the Coriolis matrix and its transpose."""
        N = len(self.path)
        upper = {(i, l): self._rate(i, l) for i in range(N) for l in range(i, N)}
        return self._array([[upper[min(i, l), max(i, l)] for l in range(N)] for i in range(N)])

    def _array(self, rows: list[list[Any]]) -> Array:
        return np.array(rows, dtype=scalar_type(self.moment, self.back.moment)).reshape((len(rows),) * 2)

    def _coriolis(self, i: int, l: int) -> Any:
        X, a = self.base
        if self.path[i, l]:
            return self.w[:, i] @ self.moment[:, l] + self.v[:, i] @ self.force[:, l] - self.psi[:, i] @ X[:, l]
        if self.path[l, i]:
            back = self.back.w[:, i] @ self.back.moment[:, l] + self.back.v[:, i] @ self.back.force[:, l]
            return back + self.psi[:, i] @ self.w[:, l]
        return a[:, i] @ self.force[:, l] - X[:, i] @ self.moment[:, l] - self.psi[:, i] @ X[:, l]

    def _rate(self, i: int, l: int) -> Any:
        X, a = self.base
        if not (self.path[i, l] or self.path[l, i]):
            turning = X[:, i] @ self.whole[:, l] + X[:, l] @ self.whole[:, i]
            return a[:, i] @ self.force[:, l] + a[:, l] @ self.force[:, i] - turning
        i, l = (i, l) if self.path[i, l] else (l, i)
        back = self.back.w[:, l] @ self.back.whole[:, i] + self.back.v[:, l] @ self.back.force[:, i]
        return self.w[:, i] @ self.whole[:, l] + self.v[:, i] @ self.force[:, l] + back
