"""Jacobians of points and the rates that move them [Wilde2018] eqs 103-111."""

from __future__ import annotations

import numpy as np

from ...spatial import Array, least_squares, skew, solve


def arm_jacobian(J_T: Array, J_R: Array) -> Array:
    """Jm (6, N) of a point, in SI, from its linear and angular Jacobians (3, N), in N [Wilde2018] eq. 104.

    >>> arm_jacobian(np.ones((3, 2)), np.zeros((3, 2))).shape
    (6, 2)
    """
    return np.concatenate([J_T, J_R])


def base_jacobian(x_0i: Array) -> Array:
    """J0 (6, 6) of a point x_0i (3,) [m] from the base CoM, in N [Wilde2018] eqs 105-106.

    >>> J0 = base_jacobian(np.array([1.0, 0, 0]))
    >>> (J0 @ [0, 0, 0, 0, 0, 0.5]).tolist()  # a turn about z moves the point along y
    [0.0, 0.5, 0.0, 0.0, 0.0, 0.5]
    """
    E = np.eye(3, dtype=int)
    return np.block([[E, -skew(x_0i)], [0 * E, E]])


def generalized_jacobian(J0: Array, Jm: Array, H0_inverse_H0m: Array) -> Array:
    """J* (6, N), in N and SI, of a point on a freely reacting base without momentum [Wilde2018] eqs 109-110, [Umetani1989].

    J0 : (6, 6), Jm : (6, N), H0_inverse_H0m : (6, N)

    >>> own = compile_model(system, implementation=Reference())
    >>> J0, Jm = own.J0(state, "tip"), own.Jm(state, "tip")
    >>> J_star = generalized_jacobian(J0, Jm, scmanip.spatial.solve(own.H0(state), own.H0m(state)))
    >>> bool(np.allclose(J_star, model.J_star(state, "tip")))
    True
    """
    return Jm - J0 @ H0_inverse_H0m


def momentum_drift(J0: Array, H0_inverse: Array, M_0: Array) -> Array:
    """Twist (6,) that the momentum M_0 = [P; L_0] adds, J0 H0^-1 M_0, from [Wilde2018] eqs 42, 108."""
    return J0 @ (H0_inverse @ M_0)


def resolved_joint_rates(J_star: Array, twist: Array) -> Array:
    """Joint rates (N,) that give a point the twist (6,) [v; omega], in N and SI [Wilde2018] eq. 111.

    J_star : (6, N) of full rank. N = 6: the inverse; N > 6: the smallest rates; N < 6: least squares. With momentum,
    subtract the drift from the twist first.

    >>> J_star = model.J_star(state, "tip")[[0, 1, 5]]  # a planar arm moves in x and y and turns about z
    >>> rates = resolved_joint_rates(J_star, np.array([0.0, 0.05, 0.0]))
    >>> (J_star @ rates).round(6).tolist()
    [0.0, 0.05, 0.0]
    """
    square = J_star.shape[0] == J_star.shape[1]
    return solve(J_star, twist) if square else least_squares(J_star, twist)
