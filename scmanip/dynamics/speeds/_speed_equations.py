"""The equations of motion in chosen generalized speeds, over any scalar.

Two ways lead to M_s sdot + bias_s = F. One projects the equations of u: M_s = W' M W and bias_s = W' (bias + M (Wdot s +
Xdot)). The other is the paper's: F_r* is summed over the bodies from their partial velocities [Kane1983] eqs 76-88, which
is shorter where speeds are read off a body's motion.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

import numpy as np

from ...spatial import Array, Cholesky, cross, scalar_type, transpose
from ..sums._equations import Equations
from ..sums._parameters import Parameters
from ._body_partials import Partials, Placements, accelerations, of_mass_centres, origin_partials
from ._speed_change import SpeedChange
from ._speeds import Place, SpeedMap


class SpeedEquations(ABC):
    """Quantities of one place and one s, each evaluated when first asked for.

    change : the choice of speeds; given : q, t, r_0, attitude_xyzw and s (p,), of any scalar
    form : the way in words
    """

    form: ClassVar[str]

    def __init__(self, change: SpeedChange, given: Mapping[str, Array]) -> None:
        self.change = change
        self.given = {key: given[key] for key in change.shapes if key in given}
        self.s = given.get("s", np.zeros(len(change.names)))
        self.place = change.place(self.given)

    @cached_property
    def speed_map(self) -> SpeedMap:
        return self.change.map(self.given)

    @property
    def W(self) -> Array:
        return self.speed_map.W

    @property
    def X(self) -> Array:
        return self.speed_map.X

    @cached_property
    def rates(self) -> Array:
        """(n_u,) u = W s + X."""
        return self.W @ self.s + self.X

    @cached_property
    def _map_rate(self) -> SpeedMap:
        return self.change.map_rate(self.given, self.rates)

    @property
    def Wdot(self) -> Array:
        return self._map_rate.W

    @property
    def Xdot(self) -> Array:
        return self._map_rate.X

    @cached_property
    def remainder(self) -> Array:
        """(n_u,) udot at sdot = 0: Wdot s + Xdot."""
        return self.change.remainder(self.given, self.s, self.rates)

    @cached_property
    def x(self) -> Array:
        """(n_x,) the packed state."""
        return self.place.moving(self.rates)

    def accelerations(self, sdot: Array) -> Array:
        """udot (n_u,) = W sdot + Wdot s + Xdot."""
        return self.W @ sdot + self.remainder

    def forces(self, applied: Array) -> Array:
        """F (p,) = W' f of generalized forces f (n_u,) that do work on u."""
        return transpose(self.W) @ applied

    def solved(self, F: Array) -> Array:
        """Return the sdot (p,) of M_s sdot + bias_s = F."""
        driven = F - self.bias
        return driven / self.speed_map.D if self.speed_map.D is not None else Cholesky.of(self.M).solve(driven)

    @cached_property
    def M(self) -> Array:
        """(p, p) W' M W."""
        return self._inertia() if self.speed_map.D is None else _diagonal(self.speed_map.D)

    @cached_property
    def bias(self) -> Array:
        """(p,) all forces at sdot = 0."""
        return self.inverse_dynamics(np.zeros(len(self.s)))

    @abstractmethod
    def _inertia(self) -> Array:
        """Return W' M W (p, p)."""

    @abstractmethod
    def inverse_dynamics(self, sdot: Array) -> Array:
        """Return the generalized forces F (p,) that give sdot (p,), beside gravity, springs and dampers."""

    @abstractmethod
    def forward_dynamics(self, F: Array) -> Array:
        """Return sdot (p,) under the generalized forces F (p,) of all but gravity, springs and dampers."""


class Projected(SpeedEquations):
    """The equations of u, by the recursions, projected."""

    form = "equations of u, projected"

    def _inertia(self) -> Array:
        return transpose(self.W) @ self.place.M @ self.W

    def inverse_dynamics(self, sdot: Array) -> Array:
        return self.forces(_by_recursion(self.place, self.x, self.accelerations(sdot)))

    def forward_dynamics(self, F: Array) -> Array:
        return self.solved(F)


class SolvedForRates(SpeedEquations):
    """The same where s = A u + B: forward dynamics of u, whatever form that takes, and then eq. 1."""

    form = "forward dynamics of u, then s"

    @cached_property
    def projected(self) -> Projected:
        return Projected(self.change, {**self.given, "s": self.s})

    def _inertia(self) -> Array:
        return self.projected.M

    def inverse_dynamics(self, sdot: Array) -> Array:
        return self.projected.inverse_dynamics(sdot)

    def forward_dynamics(self, F: Array) -> Array:
        A, n = self.speed_map.A, self.place.system.layout.n_base
        assert A is not None
        f = transpose(A) @ F
        given = {"tau": f[n:]} if not n else {"tau": f[n:], "wrench": f[:n]}
        name = "forward_dynamics:wrench" if n else "forward_dynamics"
        udot = self.place.outputs([name], self.x, **given)[name]
        return A @ (udot - self.remainder)


class ProjectedSums(SpeedEquations):
    """The equations of u, by the paper's sums [Wilde2018], projected: the reference."""

    form = "sums over links, projected"

    @cached_property
    def equations(self) -> Equations:
        return self.place.at(self.x)

    def _inertia(self) -> Array:
        return transpose(self.W) @ self.equations.M @ self.W

    def inverse_dynamics(self, sdot: Array) -> Array:
        return self.forces(self.equations.M @ self.accelerations(sdot) + self.equations.rest)

    def forward_dynamics(self, F: Array) -> Array:
        return self.solved(F)


class ByPartialVelocities(SpeedEquations):
    """F_r* from the partial velocities of the bodies."""

    form = "partial velocities of the bodies"

    @property
    def parameters(self) -> Parameters:
        return self.place.parameters

    @cached_property
    def placements(self) -> Placements:
        return Placements.of(self.parameters, self.place)

    @cached_property
    def origins(self) -> Partials:
        """Of the origins of the moved joint frames, in their axes."""
        return origin_partials(self.parameters, self.placements, self.speed_map, self.change.read_off)

    @cached_property
    def partials(self) -> Partials:
        """Of the mass centres, in the same axes."""
        return of_mass_centres(self.parameters, self.origins)

    def _inertia(self) -> Array:
        """The upper triangle of the sum of omega_r' I omega_r + m v_r' v_r, mirrored."""
        p = len(self.s)
        rows, columns = np.triu_indices(p)
        total = np.zeros(len(rows))
        for i, (w, v) in enumerate(zip(self.partials.omega_r, self.partials.v_r, strict=True)):
            spin, push = self.parameters.inertia[i] @ w, self.parameters.m[i] * v
            total = total + (w[:, rows] * spin[:, columns]).sum(axis=0) + (v[:, rows] * push[:, columns]).sum(axis=0)
        M = np.zeros((p, p), dtype=scalar_type(total))
        M[rows, columns] = M[columns, rows] = total
        return M

    def inverse_dynamics(self, sdot: Array) -> Array:
        torques, forces = self.inertia_loads(self.accelerations(sdot), sdot, -self.parameters.gravity)
        F = -self.forces(self.passive)
        for w, v, T, R in zip(self.partials.omega_r, self.partials.v_r, torques, forces, strict=True):
            F = F - transpose(w) @ T - transpose(v) @ R
        return F

    @property
    def passive(self) -> Array:
        """(n_u,) forces of springs and dampers."""
        return np.concatenate([np.zeros(self.place.system.layout.n_base), self.place.at(self.x).passive_force])

    def forward_dynamics(self, F: Array) -> Array:
        return self.solved(F)

    def inertia_loads(self, udot: Array, sdot: Array, lift: Array) -> tuple[list[Array], list[Array]]:
        """Inertia torque T* and force R* (3,) of every body in its axes [Kane1983] eq. 79, less `lift` (3,), in N."""
        read = None if self.change.read_off is None else (self.change.read_off, self.s, sdot)
        motion = accelerations(self.parameters, self.placements, self.rates, udot, lift, read)
        rows = zip(self.parameters.inertia, motion.omega, motion.alpha, strict=True)
        torques = [-(I @ alpha) - cross(omega, I @ omega) for I, omega, alpha in rows]
        return torques, [-m * a for m, a in zip(self.parameters.m, motion.a, strict=True)]


def _by_recursion(place: Place, x: Array, udot: Array) -> Array:
    """Return the generalized forces (n_u,) of udot (n_u,) at a packed state, gravity, springs and dampers included."""
    name = "inverse_dynamics.tau" if place.system.fixed else "inverse_dynamics"
    return np.concatenate([*place.outputs([name], x, udot=udot).values()])


def _diagonal(D: Array) -> Array:
    M = np.zeros((len(D), len(D)), dtype=scalar_type(D))
    np.fill_diagonal(M, D)
    return M
