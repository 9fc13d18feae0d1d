"""What a load sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..dynamics import Equations, Geometry, body_offset
from ..errors import InvalidInput, ModeMismatch, Problem
from ..shapes import Placed, Shape
from ..spatial import Array, cross, scalar_type
from ..system import GROUND, System
from ._body_wrenches import BodyWrenches


@dataclass(frozen=True, eq=False)
class Bodies:
    """All bodies of a system in one state, the base first, over any scalar; what is not asked for is not computed.

    All is in N and in SI throughout.

    It has no formula of its own: the numbers are those of the dynamics.

    orbit : (3,) position [m] and velocity [m/s] of the origin of N from the centre of the central body; None without orbit
    own : (k,) states of the load that looks, in the order and units of its `states`

    >>> bodies = Bodies(system, model.equations(state))
    >>> bodies.m.tolist(), bodies.r.shape, bodies.number("link2")
    ([100.0, 10.0, 10.0, 10.0, 10.0], (5, 3), 2)
    >>> origin, axes = bodies.frame("tip")
    >>> origin.round(3).tolist()
    [4.18, 0.594, 0.0]
    """

    system: System
    equations: Equations
    orbit: tuple[Array, Array] | None = None
    own: Array = field(default_factory=lambda: np.empty(0))

    def number(self, name: str) -> int:
        """Return the number of a body; raises `UnknownName`."""
        return self.system.body_number(name)

    @property
    def orbit_position(self) -> Array:
        """(3,) of the origin of N from the centre of the central body [m]; raises `ModeMismatch` where there is no orbit."""
        return self._orbit[0]

    @property
    def orbit_velocity(self) -> Array:
        """(3,) of the origin of N [m/s]; raises `ModeMismatch` likewise."""
        return self._orbit[1]

    @property
    def m(self) -> Array:
        """(n_b,) masses [kg]."""
        return self.geometry.m

    @property
    def I(self) -> Array:  # noqa: E743 - the papers' letter
        """(n_b, 3, 3) inertias about the CoMs [kg m^2]."""
        return self.geometry.I

    @cached_property
    def r(self) -> Array:
        """(n_b, 3) CoMs from the origin of N [m]."""
        return self.equations.r_0 + self.geometry.r_0i

    @cached_property
    def R(self) -> Array:
        """(n_b, 3, 3) from the axes of each body to N."""
        return self.equations.poses.R[self._links] @ self.equations.parameters.child_dcm

    @cached_property
    def v(self) -> Array:
        """(n_b, 3) velocities of the CoMs [m/s], relative to the origin of N, which has `orbit_velocity`."""
        return self.equations.v[self._links]

    @cached_property
    def omega(self) -> Array:
        """(n_b, 3) angular velocities [rad/s]."""
        return self.equations.omega[self._links]

    def placed(self, shape: Shape) -> Placed[Shape]:
        """Return where a shape is, as `System.shape` gives it: on a body or on the ground."""
        if shape.frame == GROUND:
            return Placed(shape, shape.origin_m, shape.dcm)
        origin = body_offset(self.system, shape.frame, shape.origin_m)
        return Placed(shape, self.equations.position(origin), self.R[origin.body] @ shape.dcm)

    def frame(self, name: str) -> tuple[Array, Array]:
        """Return origin (3,) and axes (3, 3) of a frame, or of the ground, in N."""
        if name == GROUND:
            return np.zeros(3), np.eye(3)
        frame = self.system.frame(name)
        origin = body_offset(self.system, frame.body, frame.origin_m)
        return self.equations.position(origin), self.R[origin.body] @ frame.dcm

    def velocity(self, body: str, at: Array) -> Array:
        """Return the velocity (3,) of the point of a body, or of the ground, that is at (3,) from the origin of N [m/s]."""
        return self.motion(body, at)[0]

    def motion(self, body: str, at: Array) -> tuple[Array, Array]:
        """Return that velocity (3,), and the angular velocity (3,) of the body [rad/s]."""
        if body == GROUND:
            return np.zeros(3), np.zeros(3)
        k = self.number(body)
        return self.v[k] + cross(self.omega[k], at - self.r[k]), self.omega[k]

    @cached_property
    def geometry(self) -> Geometry:
        """Masses, places and Jacobians of the CoMs; rotors of motors are locked in the bodies that carry them."""
        g, i = self.equations.bodies, self._links
        return Geometry(g.m[i], g.r_0i[i], g.I[i], g.J_T[i], g.J_R[i])

    def on(self, body: str, f: Array, n: Array | float = 0.0, *, at: Array | None = None) -> BodyWrenches:
        """Return the wrenches of a force f (3,) [N] on one body, through a point `at` (3,) from the origin of N, its CoM where
        that is left out, and of a moment n (3,) [N m]; all in N. The ground takes what comes.
        """
        if body == GROUND:
            return BodyWrenches(*np.zeros((2, *self.r.shape)))
        k = self.number(body)
        if np.shape(f) != (3,):
            raise InvalidInput(Problem(f"force on '{body}'", "3 numbers [N], in N", repr(f)))
        moment = n if at is None else n + cross(at - self.r[k], f)
        wrenches = BodyWrenches(*np.zeros((2, *self.r.shape), dtype=scalar_type(f, moment, self.r)))
        wrenches.f[k], wrenches.n[k] = f, moment
        return wrenches

    def between(self, one: str, other: str, f: Array, n: Array | float = 0.0, *, at: Array) -> BodyWrenches:
        """Return those of a force f and a moment n (3,) on `other`, as in `on`, with the same on `one`, equal and opposite."""
        return self.on(other, f, n, at=at) + self.on(one, -f, -n, at=at)

    @property
    def _orbit(self) -> tuple[Array, Array]:
        if self.orbit is None:
            raise ModeMismatch("a load asks for the orbit, and no load has one; give Gravity(orbit) beside it")
        return self.orbit

    @property
    def _links(self) -> Array:
        return self.equations.parameters.link_of
