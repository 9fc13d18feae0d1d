"""Named results of the dynamics, and the points it is asked about."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...spatial import Array


@dataclass(frozen=True, eq=False)
class Point:
    """A point on body number `body`, `offset` (3,) [m] and `dcm` (3, 3) in its moved joint frame."""

    body: int
    offset: Array
    dcm: Array


@dataclass(eq=False, slots=True)
class Momentum:
    """P (3,) [N s]; angular momentum [N m s] about the point 0 (base CoM) and about the system CoM, (3,), in N."""

    P: Array
    L_0: Array
    L_C: Array


@dataclass(eq=False, slots=True)
class Springs:
    """Length (n_s,) [m] and rate of length (n_s,) [m/s] of every spring between two points."""

    length: Array
    rate: Array


@dataclass(eq=False, slots=True)
class BodyMomentum:
    """P (n_b, 3) [N s] and L_C (n_b, 3) [N m s] about the system CoM of every body, in N."""

    P: Array
    L_C: Array


@dataclass(eq=False, slots=True)
class InverseDynamics:
    """`wrench` (6,) [f; n] on the base and joint forces `tau` (N,) that produce given accelerations, in N."""

    wrench: Array
    tau: Array


@dataclass(eq=False, slots=True)
class FloatingInverseDynamics:
    """`base_acceleration` (6,) of the free base and joint forces `tau` (N,) for given joint accelerations."""

    base_acceleration: Array
    tau: Array


@dataclass(eq=False, slots=True)
class InverseDynamicsDerivatives:
    """Derivatives of [wrench; tau] (n_u,) in N, with a fixed base of tau alone; one column per direction.

    q : (n_u, N) along joint freedoms; u : (n_u, n_u) by speeds; udot : (n_u, n_u) by accelerations, which is M
    r_0, attitude : (n_u, 3) by the base's place, and along small turns of the base about axes of N with the components of
        u and udot in N held; (n_u, 0) with a fixed base
    values : by numbers that are inputs of the model's programs (n_u, ...), by their paths
    """

    q: Array
    u: Array
    udot: Array
    r_0: Array
    attitude: Array
    values: dict[str, Array] = field(default_factory=dict, kw_only=True)


@dataclass(eq=False, slots=True)
class ForwardDynamicsDerivatives:
    """Derivatives of udot (n_u,) in N; one column per direction.

    q : (n_u, N) along joint freedoms; u : (n_u, n_u) by speeds; tau : (n_u, N) by joint forces; wrench : (n_u, 6) by the
        base wrench; r_0, attitude : (n_u, 3) by the base's place, and along small turns of the base about axes of N with the
        components of u and wrench in N held. (n_u, 0) with a fixed base, as `wrench`
    values : by numbers that are inputs of the model's programs (n_u, ...), by their paths
    """

    q: Array
    u: Array
    tau: Array
    wrench: Array
    r_0: Array
    attitude: Array
    values: dict[str, Array] = field(default_factory=dict, kw_only=True)
