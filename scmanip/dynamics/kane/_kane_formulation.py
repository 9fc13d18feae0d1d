"""Every compared quantity by [Stoneking2008], momentum and wrenches from the motion of the bodies themselves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...spatial import Array, cross, skew, solve
from ..sums._equations import Equations
from ..sums._results import Point
from ._kane_loads import AppliedWrench
from ._path_tables import PathTables
from ._tree_kane import KaneSystem, kane_system


def kane_values(
    tables: PathTables, e: Equations, point: Point, tau: Array, wrench: Array | None, udot: Array
) -> dict[str, Array]:
    """Return M, bias, forward, inverse, J_star, P and L_C as `Formulation` names them."""
    at_rest = kane_system(tables, e, 0 * tau)
    driven = kane_system(tables, e, tau, [] if wrench is None else [AppliedWrench(0, wrench)])
    T, n = at_rest.T, 0 if tables.fixed else 6
    M, bias = T @ at_rest.COEF @ T.T, -(T @ at_rest.RHS)
    J = _twist_rows(e, driven, point) @ T.T
    P, L_C = _momentum(e, at_rest)
    return {
        "M": M,
        "bias": bias,
        "forward": T @ solve(driven.COEF, driven.RHS),
        "inverse": np.concatenate([_wrench(e, at_rest, udot), (M @ udot + bias)[n:]]),
        "J_star": J[:, n:] - J[:, :n] @ solve(M[:n, :n], M[:n, n:]),
        "P": P,
        "L_C": L_C,
    }


def _momentum(e: Equations, kane: KaneSystem) -> Sequence[Array]:
    """Return P and L_C (3,), of the bodies' velocities."""
    R, r, I, m = _bodies(e)
    v = (kane.V @ (kane.T.T @ e.u)).reshape(-1, 3)
    spin = (R @ I @ kane.omega[:, :, None])[:, :, 0]
    return m @ v, (spin + cross(r - m @ r / m.sum(), m[:, None] * v)).sum(axis=0)


def _wrench(e: Equations, kane: KaneSystem, udot: Array) -> Array:
    """Return [f; n] (6,) about the point 0: what the bodies' accelerations take besides their weight."""
    R, r, I, m = _bodies(e)
    alpha = (kane.Omega @ (kane.T.T @ udot)).reshape(-1, 3) + kane.alpha_r
    a = (kane.V @ (kane.T.T @ udot)).reshape(-1, 3) + kane.a_r
    H = (I @ kane.omega[:, :, None])[:, :, 0]
    torque = (R @ ((I @ alpha[:, :, None])[:, :, 0] + cross(kane.omega, H))[:, :, None])[:, :, 0]
    force = m[:, None] * (a - e.parameters.gravity)
    return np.concatenate([force.sum(axis=0), (torque + cross(r - e.poses.r_ref, force)).sum(axis=0)])


def _twist_rows(e: Equations, kane: KaneSystem, point: Point) -> Array:
    """Return (6, n_u) the twist of a point, in N, per unit of each of the speeds of [Stoneking2008]."""
    link = int(e.parameters.link_of[point.body])
    rows = slice(3 * point.body, 3 * point.body + 3)
    omega = e.poses.R[link] @ kane.Omega[rows]
    lever = e.position(point) - e.poses.r[link]
    return np.concatenate([kane.V[rows] - skew(lever) @ omega, omega])


def _bodies(e: Equations) -> tuple[Array, Array, Array, Array]:
    links = e.parameters.link_of
    return e.poses.R[links], e.poses.r[links], e.parameters.inertia[links], e.parameters.m[links]
