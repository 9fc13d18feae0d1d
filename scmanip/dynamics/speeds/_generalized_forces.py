"""Partial velocities and generalized forces body by body, as [Kane1983] tabulates them, over any scalar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...spatial import Array, solve, transpose
from ..kane._text import aligned
from ..sums._results import Point
from ..sums._springs import end_forces, joint_spring_forces
from ._body_partials import cross_columns
from ._speed_equations import ByPartialVelocities


@dataclass(frozen=True, eq=False)
class PartialVelocities:
    """Coefficients of the speeds in the motion of every body, in SI [Kane1983] eqs 23, 44.

    bodies : names (n_b), the base first; speeds : names (p)
    omega_r, v_r : (n_b, 3, p) partial angular velocities, and partial velocities of the mass centres, in N
    omega_t, v_t : (n_b, 3) what is left of the velocities without speeds, in N
    omega_r_B, v_r_B : the first two in each body's own axes

    >>> found = change_speeds(model, JointRates()).partial_velocities(state)
    >>> found.bodies[1], found.omega_r[1, :, 6].tolist()  # of link1 and the rate of joint1
    ('link1', [0.0, 0.0, 1.0])
    """

    bodies: tuple[str, ...]
    speeds: tuple[str, ...]
    omega_r: Array
    omega_t: Array
    v_r: Array
    v_t: Array
    omega_r_B: Array
    v_r_B: Array

    @classmethod
    def of(cls, e: ByPartialVelocities) -> PartialVelocities:
        """Return them for the place and speeds of `e`."""
        p, links = e.partials, e.parameters.link_of
        R, own = rotations(e)[links], transpose(e.parameters.child_dcm)
        return cls(
            tuple(body.name for body in e.place.system.bodies),
            e.change.names,
            omega_r=R @ np.array(p.omega_r)[links],
            omega_t=(R @ np.array(p.omega_t)[links, :, None])[:, :, 0],
            v_r=R @ np.array(p.v_r)[links],
            v_t=(R @ np.array(p.v_t)[links, :, None])[:, :, 0],
            omega_r_B=own @ np.array(p.omega_r)[links],
            v_r_B=own @ np.array(p.v_r)[links],
        )


@dataclass(frozen=True, eq=False)
class GeneralizedForces:
    """Kane's generalized forces, per body and in sum, in SI throughout [Kane1983] eqs 77-90, 110.

    bodies : names (n_b), the base first; speeds : names (p)
    active : (n_b, p) of weights, joint forces with their springs and dampers, springs between points, and applied wrenches.
        The force of a joint acts on the body that it carries and, reversed, on the body that carries it, that of a spring
        on the bodies at its ends; what does no work is left out
    inertia : (n_b, p)

    >>> changed = change_speeds(compile_model(system, implementation=Reference()), JointRates())
    >>> forces = changed.generalized_forces(state, [1.0, 0.0, 0.0, 0.0])
    >>> forces.active.shape, bool(np.allclose(forces.F_r + forces.F_r_star, 0, atol=1e-9))
    ((5, 10), True)
    """

    bodies: tuple[str, ...]
    speeds: tuple[str, ...]
    active: Array
    inertia: Array

    @property
    def F_r(self) -> Array:
        """Generalized active forces (p,) of the system, in [W] per unit of each speed."""
        return self.active.sum(axis=0)

    @property
    def F_r_star(self) -> Array:
        """Generalized inertia forces (p,) of the system, in [W] per unit of each speed."""
        return self.inertia.sum(axis=0)

    def __str__(self) -> str:
        """Return a table: one line per body and speed, and the sums."""
        rows: list[tuple[str, ...]] = [("body", "speed", "F_r", "F_r*")]
        sums = [(self.F_r, self.F_r_star)]
        for body, both in zip((*self.bodies, "all"), [*zip(self.active, self.inertia, strict=True), *sums], strict=True):
            rows += [(body, r, f"{a:.6g}", f"{b:.6g}") for r, a, b in zip(self.speeds, *both, strict=True)]
        return aligned(rows, left=2)


@dataclass(frozen=True, eq=False)
class Loads:
    """What drives a system: joint forces tau (N,), a base wrench (6,) at its CoM, wrenches (6,) at points, all [f; n] in N."""

    tau: Array
    wrench: Array
    wrenches: Sequence[tuple[Point, Array]] = ()


def generalized_forces(e: ByPartialVelocities, sdot: Array, loads: Loads) -> GeneralizedForces:
    """Return the generalized forces of every body for accelerations sdot (p,)."""
    torques, forces = e.inertia_loads(e.accelerations(sdot), sdot, np.zeros(3))
    p, gravity = e.partials, e.parameters.gravity
    inertia = [_work(w, v, R, T) for w, v, T, R in zip(p.omega_r, p.v_r, torques, forces, strict=True)]
    weights = [m * (transpose(R) @ gravity) for m, R in zip(e.parameters.m, rotations(e), strict=True)]
    active = [transpose(v) @ weight for v, weight in zip(p.v_r, weights, strict=True)]
    motion = e.place.at(e.x)
    _add_joints(e, loads.tau + joint_spring_forces(motion), active)
    for point, force in end_forces(motion):
        _add_wrench(e, point, np.concatenate([force, 0 * force]), active)
    base_com = Point(0, e.parameters.com[0], np.eye(3))
    for point, wrench in [] if e.parameters.fixed else [(base_com, loads.wrench)]:
        _add_wrench(e, point, wrench, active)
    for point, wrench in loads.wrenches:
        _add_wrench(e, point, wrench, active)
    names = tuple(body.name for body in e.place.system.bodies)
    return GeneralizedForces(names, e.change.names, _of_bodies(e, active), _of_bodies(e, inertia))


def _of_bodies(e: ByPartialVelocities, of_links: list[Array]) -> Array:
    """Return (n_b, p): the massless links inside a joint count with the body that it carries."""
    rows, links = np.array(of_links), e.parameters.link_of
    return np.array([rows[first + 1 : last + 1].sum(axis=0) for first, last in zip([-1, *links[:-1]], links, strict=True)])


def rotations(e: ByPartialVelocities) -> Array:
    """(n_l, 3, 3) from the moved joint frames, in which partials are kept, to N."""
    R: list[Array] = []
    for i, step in enumerate(e.placements.R):
        R.append(R[e.parameters.parent[i]] @ step if i else step)
    return np.array(R)


def _work(omega_r: Array, v_r: Array, force: Array, torque: Array) -> Array:
    """Contribution (p,) of a torque and of a force at a point with partial velocities v_r, eqs 78 and 90."""
    return transpose(omega_r) @ torque + transpose(v_r) @ force


def _add_joints(e: ByPartialVelocities, tau: Array, active: list[Array]) -> None:
    """Add the force of every joint to the bodies on both its sides."""
    parameters, p = e.parameters, e.origins
    for o in np.unique(parameters.carried):
        parent, own, S = parameters.parent[o], tau[list(parameters.speeds[o])], parameters.motions[o].twists
        load = transpose(S) @ solve(S @ transpose(S), own)  # the wrench along the twists that does the work of tau
        active[o] = active[o] + _work(p.omega_r[o], p.v_r[o], load[:3], load[3:])
        met = p.v_r[parent] + cross_columns(p.omega_r[parent], e.placements.place[o])  # the parent's point at the joint
        push, torque = -(e.placements.R[o] @ load[:3]), -(e.placements.R[o] @ load[3:])
        active[parent] = active[parent] + _work(p.omega_r[parent], met, push, torque)


def _add_wrench(e: ByPartialVelocities, point: Point, wrench: Array, active: list[Array]) -> None:
    i = int(e.parameters.link_of[point.body])
    to_body = transpose(rotations(e)[i])
    v_r = e.origins.v_r[i] + cross_columns(e.origins.omega_r[i], point.offset)
    active[i] = active[i] + _work(e.origins.omega_r[i], v_r, to_body @ wrench[:3], to_body @ wrench[3:])
