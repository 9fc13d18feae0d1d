"""Named results of the dynamics, and the points it is asked about."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...spatial import Array


@dataclass(frozen=True, eq=False)
class Point:
    """A point on body number `body`, `offset` (3,) [m] and `dcm` (3, 3) in its moved joint frame, by definition.

    >>> point = model.point("tip")
    >>> point.body, point.offset.tolist()
    (4, [1.0, 0.0, 0.0])
    """

    body: int
    offset: Array
    dcm: Array


@dataclass(eq=False, slots=True)
class Momentum:
    """P (3,) [N s]; angular momentum [N m s] about the point 0 (base CoM) and about the system CoM, (3,), in N.

    [Wilde2018] eq. 42.

    >>> moving = scmanip.State([0, 0, 0], q=4 * [0.0], v_0=[0.1, 0, 0])
    >>> model.momentum(moving).P.round(6).tolist()
    [14.0, 0.0, 0.0]
    """

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
    """P (n_b, 3) [N s] and L_C (n_b, 3) [N m s] about the system CoM of every body, in N: the parts of [Wilde2018] eq. 42.

    >>> moving = scmanip.State([0, 0, 0], q=4 * [0.0], qdot=[0.1, 0, 0, 0])
    >>> parts = model.momentum_by_body(moving)
    >>> parts.P.shape, np.round(parts.P.sum(axis=0) - model.momentum(moving).P, 12).tolist()
    ((5, 3), [0.0, 0.0, 0.0])
    """

    P: Array
    L_C: Array


@dataclass(eq=False, slots=True)
class InverseDynamics:
    """`wrench` (6,) [f; n] on the base and joint forces `tau` (N,) that produce given accelerations, in N and SI.

    [Wilde2018] eq. 39, read backwards.

    >>> own = compile_model(system, implementation=Reference())
    >>> forces = own.inverse_dynamics(state, np.array([0.1, *9 * [0.0]]))
    >>> forces.wrench[:3].round(6).tolist(), forces.tau.round(3).tolist()  # 140 kg at 0.1 m/s^2
    ([14.0, 0.0, 0.0], [-0.988, -0.988, -0.249, -0.099])
    """

    wrench: Array
    tau: Array


@dataclass(eq=False, slots=True)
class FloatingInverseDynamics:
    """`base_acceleration` (6,) of the free base and joint forces `tau` (N,) for given joint accelerations.

    In SI; of the base in N, at its CoM. [Wilde2018] eqs 47, 50.

    >>> own = compile_model(system, implementation=Reference())
    >>> found = own.floating_inverse_dynamics(state, [0.1, 0, 0, 0])
    >>> found.tau.round(3).tolist(), found.base_acceleration.shape
    ([0.394, 0.38, 0.232, 0.076], (6,))
    """

    base_acceleration: Array
    tau: Array


@dataclass(eq=False, slots=True)
class InverseDynamicsDerivatives:
    """Derivatives of [wrench; tau] (n_u,) in N and SI, with a fixed base of tau alone; one column per direction [Singh2022].

    q : (n_u, N) along joint freedoms; u : (n_u, n_u) by speeds; udot : (n_u, n_u) by accelerations, which is M
    r_0, attitude : (n_u, 3) by the base's place, and along small turns of the base about axes of N with the components of
        u and udot in N held; (n_u, 0) with a fixed base
    values : by numbers that are inputs of the model's programs (n_u, ...), by their paths

    >>> rod = scmanip.Body("rod", 3.0, [0.0, 1.0, 1.0], [0.5, 0, 0], "base", scmanip.Joint("pin", "revolute"))
    >>> pendulum = scmanip.System("pendulum", scmanip.Body("base", 0.0, [0, 0, 0]), [rod], fixed=True)
    >>> own, at = compile_model(pendulum), scmanip.State(q=[0.3], qdot=[0.0])
    >>> found = own.inverse_dynamics_derivatives(at, [0.0])
    >>> found.q.shape, bool(np.allclose(found.udot, own.M(at)))
    ((1, 1), True)
    """

    q: Array
    u: Array
    udot: Array
    r_0: Array
    attitude: Array
    values: dict[str, Array] = field(default_factory=dict, kw_only=True)


@dataclass(eq=False, slots=True)
class ForwardDynamicsDerivatives:
    """Derivatives of udot (n_u,) in N and SI; one column per direction [Carpentier2018].

    q : (n_u, N) along joint freedoms; u : (n_u, n_u) by speeds; tau : (n_u, N) by joint forces; wrench : (n_u, 6) by the
        base wrench; r_0, attitude : (n_u, 3) by the base's place, and along small turns of the base about axes of N with the
        components of u and wrench in N held. (n_u, 0) with a fixed base, as `wrench`
    values : by numbers that are inputs of the model's programs (n_u, ...), by their paths

    >>> rod = scmanip.Body("rod", 3.0, [0.0, 1.0, 1.0], [0.5, 0, 0], "base", scmanip.Joint("pin", "revolute"))
    >>> pendulum = scmanip.System("pendulum", scmanip.Body("base", 0.0, [0, 0, 0]), [rod], fixed=True)
    >>> found = compile_model(pendulum).forward_dynamics_derivatives(scmanip.State(q=[0.3], qdot=[0.0]), [0.1])
    >>> found.tau.round(6).tolist(), found.wrench.shape  # 1 / (1 + 3 0.5^2) per N m
    ([[0.571429]], (1, 0))
    """

    q: Array
    u: Array
    tau: Array
    wrench: Array
    r_0: Array
    attitude: Array
    values: dict[str, Array] = field(default_factory=dict, kw_only=True)
