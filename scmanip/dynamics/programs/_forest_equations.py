"""The paper's sums of a system of several trees, at one state, over any scalar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ...spatial import Array, scalar_type, skew, transpose
from ...system import System
from ..sums._equations import Equations
from ..sums._inertia import Geometry
from ..sums._kinematics import Poses
from ..sums._results import BodyMomentum, FloatingInverseDynamics, InverseDynamics, Momentum, Point, Springs
from ._forest import Forest, check_on_base


@dataclass(frozen=True, eq=False)
class LinkParameters:
    """What is asked of the constants of all trees; the rest of `Parameters` belongs to trees alone.

    link_of : (n_b,) the link that is a body; child_dcm : (n_b, 3, 3); com : (n_l, 3); springs : none join trees
    """

    link_of: Array
    child_dcm: Array
    com: Array
    springs: tuple[Any, ...] = ()


class ForestEquations:
    """Names, shapes and frames as in `Equations`; what is about one tree is that of the base's, by the same names.

    trees : the equations of every tree alone; forest : how they are put together
    """

    def __init__(self, system: System, x: Array, trees: Sequence[Equations], forest: Forest) -> None:
        self.system, self.trees, self._forest, layout = system, trees, forest, system.layout
        self.q, self.u = x[layout.x_q], x[layout.x_u]
        self.qdot, self._layout = self.u[layout.joints], layout

    def __getattr__(self, name: str) -> Any:
        """Return what is about the base's tree."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.trees[0], name)

    # Bodies

    @cached_property
    def parameters(self) -> LinkParameters:
        each = [e.parameters for e in self.trees]
        links = np.concatenate([p.link_of + at.start for p, at in zip(each, self._links, strict=True)])
        return LinkParameters(links, np.concatenate([p.child_dcm for p in each]), np.concatenate([p.com for p in each]))

    @cached_property
    def _links(self) -> list[slice]:
        """Places of the links of every tree among all."""
        ends = np.cumsum([0, *(e.parameters.n_l for e in self.trees)]).tolist()
        return [slice(*pair) for pair in pairwise(ends)]

    def _of_links(self, rows: Sequence[Array]) -> Array:
        """Return rows (n_l, ...) of all links from those of every tree, behind which there may be rotors."""
        return np.concatenate([row[: e.parameters.n_l] for e, row in zip(self.trees, rows, strict=True)])

    @cached_property
    def poses(self) -> Poses:
        each = [e.poses for e in self.trees]
        R, p, r = (self._of_links([getattr(pose, part) for pose in each]) for part in "Rpr")
        return Poses([], R, p, r, self.r_0)

    @cached_property
    def v(self) -> Array:
        return self._of_links([e.v for e in self.trees])

    @cached_property
    def omega(self) -> Array:
        return self._of_links([e.omega for e in self.trees])

    @cached_property
    def bodies(self) -> Geometry:
        m, I = (self._of_links([getattr(e.bodies, part) for e in self.trees]) for part in ("m", "I"))
        return Geometry(m, self.poses.r - self.r_0, I, *self._jacobians)

    @property
    def geometry(self) -> Geometry:
        return self.bodies

    @cached_property
    def _jacobians(self) -> tuple[Array, Array]:
        """J_T and J_R (n_l, 3, N): a free root moves its own tree alone."""
        shape = len(self.poses.r), 3, self._layout.N
        J_T, J_R = (np.zeros(shape, dtype=scalar_type(self.poses.r, self.poses.R)) for _ in range(2))
        for e, tree, at in zip(self.trees, self.system.trees, self._links, strict=True):
            J_T[at, :, tree.qdot], J_R[at, :, tree.qdot] = e.bodies.J_T, e.bodies.J_R
            if tree.pose.stop:
                lever = self.poses.r[at] - self.q[tree.pose][:3]
                v, w = slice(tree.twist.start, tree.twist.start + 3), slice(tree.twist.start + 3, tree.twist.stop)
                J_T[at, :, v], J_T[at, :, w], J_R[at, :, w] = np.eye(3), -skew(lever), np.eye(3)
        return J_T, J_R

    # Inertia and momentum

    @cached_property
    def M(self) -> Array:
        return self._forest.M()

    @cached_property
    def inertia_scale(self) -> Array:
        """(n_u,) as of one tree; a free root's speeds are those of a base."""
        n, M = self._layout.n_base, np.diagonal(self.M)
        free = [np.concatenate([M[n:][tree.twist], e.inertia_scale[6:]]) for e, tree in self._free]
        return np.concatenate([self.trees[0].inertia_scale, *free])

    @property
    def _free(self) -> list[Any]:
        return list(zip(self.trees, self.system.trees, strict=True))[1:]

    @cached_property
    def r_0C(self) -> Array:
        return self._forest.r_0C()

    @cached_property
    def kinetic_energy(self) -> Any:
        return self._forest.kinetic_energy()

    @cached_property
    def energy_by_body(self) -> Array:
        return self._forest.energy_by_body()

    @cached_property
    def momentum(self) -> Momentum:
        return Momentum(**self._forest.momentum())

    @cached_property
    def momentum_by_body(self) -> BodyMomentum:
        return BodyMomentum(**self._forest.momentum_by_body())

    @cached_property
    def momentum_by_tree(self) -> BodyMomentum:
        return BodyMomentum(**self._forest.momentum_by_tree())

    # Forces

    @cached_property
    def passive_force(self) -> Array:
        free = [np.concatenate([np.zeros(6), e.passive_force]) for e, _ in self._free]
        return np.concatenate([self.trees[0].passive_force, *free])

    @cached_property
    def gravity_force(self) -> Array:
        return self._forest.gravity_force()

    @cached_property
    def springs(self) -> Springs:
        return Springs(**self._forest.springs())

    @cached_property
    def rest(self) -> Array:
        forces = self.inverse_dynamics(0 * self.u)
        return forces.tau if self._layout.fixed else np.concatenate([forces.wrench, forces.tau])

    def applied(self, tau: Array, wrench: Array | None, wrenches: Sequence[tuple[Point, Array]]) -> Array:
        """Return the generalized forces (n_u,) of tau, a base wrench and wrenches [f; n] at points."""
        base = np.zeros(self._layout.n_base) if wrench is None else wrench
        for point, w in wrenches:
            base, tau = base + transpose(self.J0(point)) @ w, tau + transpose(self.Jm(point)) @ w
        return np.concatenate([base, tau])

    def forward_dynamics(self, tau: Array, wrench: Array | None = None, wrenches: Sequence[tuple[Point, Array]] = ()) -> Array:
        forces, n = self.applied(tau, wrench, wrenches), self._layout.n_base
        return self._forest.forward_dynamics(forces[n:], forces[:n] if n else None)

    def inverse_dynamics(self, udot: Array) -> InverseDynamics:
        return InverseDynamics(**self._forest.inverse_dynamics(udot))

    def floating_inverse_dynamics(self, qddot: Array) -> FloatingInverseDynamics:
        return FloatingInverseDynamics(**self._forest.floating_inverse_dynamics(qddot))

    # Points

    def _on(self, point: Point) -> tuple[int, Equations, Point]:
        """Return the tree that a point is on, its equations, and the point in it."""
        k = self.system.tree_of(self.system.bodies[point.body].name)
        return k, self.trees[k], replace(point, body=point.body - self.system.trees[k].bodies.start)

    def on_tree(self, point: Point) -> tuple[Equations, Point, Array]:
        """Return the equations of the tree that a point is on, the point in it, and the acceleration (3,) of the tree's point 0
        where udot = 0."""
        k, e, own = self._on(point)
        return e, own, self._forest.states[k].centripetal

    def position(self, point: Point) -> Array:
        _, e, own = self._on(point)
        return e.position(own)

    def attitude_of(self, point: Point) -> Array:
        _, e, own = self._on(point)
        return e.attitude_of(own)

    def J_star(self, point: Point) -> Array:
        return self._on_base(point, "J_star")

    def J_star_drift(self, point: Point) -> Array:
        return self._on_base(point, "J_star_drift")

    def _on_base(self, point: Point, name: str) -> Array:
        k, e, own = self._on(point)
        check_on_base(name, self.system, k)
        return np.asarray(getattr(e, name)(own))

    def J0(self, point: Point) -> Array:
        k, e, own = self._on(point)
        return 0 * e.J0(own)[:, : self._layout.n_base] if k else e.J0(own)

    def Jm(self, point: Point) -> Array:
        k, e, own = self._on(point)
        return self._forest.in_whole(k, e.J0(own), e.Jm(own))

    def J_dot_u(self, point: Point) -> Array:
        k, e, own = self._on(point)
        return e.J_dot_u(own) + np.concatenate([self._forest.states[k].centripetal, np.zeros(3)])
