"""The constants of a system as arrays, expressed in the frames in which the chain is walked.

Every body is described in its MOVED JOINT FRAME, which sits on the joint and turns with the body: what Wilde's J_i, fixed in
link i-1 (eqs 8, 9, 68), becomes when joint i moves. A body's own frame differs from it only for Denavit-Hartenberg links.

The chain is made of LINKS: the bodies, and before each body one massless link for every elementary motion of its joint but the
last. So a link has one `Motion`, whose twists are constant in its own axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...actuators import Turners
from ...errors import Problem, refuse
from ...spatial import Array, as_known, present
from ...system import Body, Motion, NoMotion, System
from ._springs import Spring


@dataclass(frozen=True, eq=False)
class Parameters:
    """Constants of a system of n_l links; any array of numbers may be replaced by symbols (`dcm` only with the form `DCM()`).

    All are in SI.

    m : (n_l,) masses [kg]
    com : (n_l, 3) centre of mass in the moved joint frame [m]
    inertia : (n_l, 3, 3) about the CoM, in axes of the moved joint frame [kg m^2]
    origin, dcm : (n_l, 3), (n_l, 3, 3) joint frame in the moved joint frame of the parent; unused for the base
    child_origin, child_dcm : (n_b, 3), (n_b, 3, 3) the body's own frame in its moved joint frame
    parent : (n_l,) number of each link's parent, -1 for the base
    link_of : (n_b,) the link that is a body
    motions : per link, how it moves, in the moved joint frame
    speeds, coordinates : per link, its entries of qdot and of q
    carried : (N,) the link that each speed moves
    spring : (N,) the entry of q that stretches the speed's spring
    stiffness, damping : (N,) springs about q = 0 and viscous dampers of the joints
    coulomb, coulomb_width : (N,) friction of drives, coulomb tanh(rate / width)
    gear, rotor : (N,) gear ratios and spin inertias of the drives' rotors [kg m^2], 0 without
    gravity : (3,) uniform gravity in N [m/s^2]
    fixed : whether the base is held
    springs : springs and dampers between two points
    turners : what stores momentum relative to the base

    >>> parameters = Parameters.of(system)
    >>> parameters.m.tolist(), parameters.com.shape, parameters.parent.tolist()
    ([100.0, 10.0, 10.0, 10.0, 10.0], (5, 3), [-1, 0, 1, 2, 3])
    """

    m: Array
    com: Array
    inertia: Array
    origin: Array
    dcm: Array
    child_origin: Array
    child_dcm: Array
    parent: Array
    link_of: Array
    motions: tuple[Motion, ...]
    speeds: tuple[tuple[int, ...], ...]
    coordinates: tuple[tuple[int, ...], ...]
    carried: Array
    spring: Array
    stiffness: Array
    damping: Array
    coulomb: Array
    coulomb_width: Array
    gear: Array
    rotor: Array
    gravity: Array
    fixed: bool
    springs: tuple[Spring, ...]
    turners: Turners

    @classmethod
    def of(cls, system: System) -> Parameters:
        """Return the constants of a system; raises `InvalidInput` for one of several trees, each of which has its own."""
        refuse(one_tree_problems(system))
        child = [_child_placement(body) for body in system.bodies]
        moved = [moved_mass(body) for body in system.bodies]
        chain = _Chain.of(system)
        n_l, bodies = len(chain.parent), np.array(chain.link_of)
        placed = [_joint_placement(body, child[system.tree.parent[number]]) for number, body in enumerate(system.bodies)]
        dcm = np.tile(np.eye(3), (n_l, 1, 1))
        dcm[chain.first] = [R for _, R in placed]
        freedoms = system.freedoms
        return cls(
            m=_of_links(n_l, bodies, [b.mass_kg for b in system.bodies]),
            com=_of_links(n_l, bodies, [c for c, _ in moved]),
            inertia=_of_links(n_l, bodies, [I for _, I in moved]),
            origin=_of_links(n_l, chain.first, [origin for origin, _ in placed]),
            dcm=dcm,
            child_origin=np.array([origin for origin, _ in child]),
            child_dcm=np.array([R for _, R in child]),
            parent=np.array(chain.parent),
            link_of=bodies,
            motions=tuple(chain.motions),
            speeds=tuple(chain.speeds),
            coordinates=tuple(chain.coordinates),
            carried=np.array([i for i, speeds in enumerate(chain.speeds) for _ in speeds], dtype=np.intp),
            spring=np.array([c for i, us in enumerate(chain.speeds) for c in chain.coordinates[i][: len(us)]], dtype=np.intp),
            stiffness=np.array([freedom.stiffness for freedom in freedoms]),
            damping=system.friction.damping,
            coulomb=system.friction.coulomb,
            coulomb_width=system.friction.width,
            gear=np.array([fitting.gear_ratio for fitting in system.fittings]),
            rotor=np.array([fitting.rotor_inertia for fitting in system.fittings]),
            gravity=system.gravity_m_s2,
            fixed=system.fixed,
            springs=Spring.all_of(system),
            turners=system.turners,
        )

    @property
    def n_l(self) -> int:
        """Number of links, the base included."""
        return len(self.parent)

    @cached_property
    def linear(self) -> Array:
        """(N, 3) velocity of the link's origin per unit of each speed, in its own axes."""
        return as_known(np.concatenate([motion.linear for motion in self.motions]))

    @cached_property
    def angular(self) -> Array:
        """(N, 3) angular velocity of the link per unit of each speed, in its own axes."""
        return as_known(np.concatenate([motion.angular for motion in self.motions]))

    @cached_property
    def path(self) -> Array:
        """(n_l, N) whether a speed moves a link."""
        path = np.zeros((self.n_l, len(self.carried)), dtype=bool)
        for i in range(1, self.n_l):
            path[i] = path[self.parent[i]]
            path[i, list(self.speeds[i])] = True
        return path

    @cached_property
    def rotors(self) -> tuple[int, ...]:
        """The speeds whose motors have a rotor with inertia."""
        return tuple(int(j) for j in np.flatnonzero(present(self.rotor)))

    @property
    def quasi(self) -> tuple[tuple[Motion, list[int]], ...]:
        """The motions whose speeds are no rates of coordinates, with their entries of qdot."""
        pairs = zip(self.motions, self.speeds, strict=True)
        return tuple((motion, list(speeds)) for motion, speeds in pairs if motion.n_q != motion.dof)


@dataclass(frozen=True, eq=False)
class _Chain:
    """The links of a system before their numbers: parent, motion, entries of qdot and q; per body its first and last link."""

    parent: list[int]
    motions: list[Motion]
    speeds: list[tuple[int, ...]]
    coordinates: list[tuple[int, ...]]
    first: list[int]
    link_of: list[int]

    @classmethod
    def of(cls, system: System) -> _Chain:
        """Return the links of a system, in the order of its bodies."""
        chain = cls([-1], [NoMotion()], [()], [()], [0], [0])
        n_q = N = 0
        for number, body in enumerate(system.bodies[1:], start=1):
            joint = body.joint
            assert joint is not None
            chain.first.append(len(chain.parent))
            parent = chain.link_of[system.tree.parent[number]]
            for motion in joint.motions:
                chain.parent.append(parent)
                chain.motions.append(motion)
                chain.coordinates.append(tuple(range(n_q, n_q + motion.n_q)))
                chain.speeds.append(tuple(range(N, N + motion.dof)))
                parent, n_q, N = len(chain.parent) - 1, n_q + motion.n_q, N + motion.dof
            chain.link_of.append(parent)
        return chain


def with_inertias(parameters: Parameters, table: Array) -> Parameters:
    """Return the constants with the inertias of a table (n_b, 10), as `inertia_table` gives one, of any scalar."""
    n_l, bodies = parameters.n_l, parameters.link_of
    xx, yy, zz, xy, xz, yz = (table[:, k] for k in range(4, 10))
    tensor = np.moveaxis(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), -1, 0)
    m, com, inertia = (_of_links(n_l, bodies, rows) for rows in (table[:, 0], table[:, 1:4], tensor))
    return replace(parameters, m=m, com=com, inertia=inertia)


def _of_links(n_l: int, places: Sequence[int] | Array, rows: Any) -> Array:
    """Return rows (n_l, ...) of all links, zero where there are none."""
    given = np.array(rows)
    found = np.zeros((n_l, *given.shape[1:]), dtype=given.dtype)
    found[places] = given
    return found


def one_tree_problems(system: System) -> list[Problem]:
    """Return what keeps a system from having one set of constants: bodies that are free of the base."""
    free = ", ".join(repr(tree.root) for tree in system.trees[1:])
    hint = "system.trees has every tree as a system of its own"
    return [Problem("system", "a system whose bodies the base carries", f"free bodies {free}", hint=hint)] if free else []


def moved_mass(body: Body) -> tuple[Array, Array]:
    """Return centre of mass (3,) and inertia (3, 3) of a body in its moved joint frame."""
    origin, R = _child_placement(body)
    return origin + R @ body.com_m, R @ body.inertia_kg_m2 @ R.T


def _child_placement(body: Body) -> tuple[Array, Array]:
    if body.joint is None:
        return np.zeros(3), np.eye(3)
    return body.joint.child_origin_m, body.joint.child_dcm


def _joint_placement(body: Body, parent_child: tuple[Array, Array]) -> tuple[Array, Array]:
    if body.joint is None:
        return np.zeros(3), np.eye(3)
    origin, R = parent_child
    return origin + R @ body.joint.origin_m, R @ body.joint.dcm
