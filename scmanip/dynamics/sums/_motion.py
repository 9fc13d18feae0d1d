"""Equations of motion, unreduced and generalized [Wilde2018] eqs 37-50, with the corrected c0 and with momentum."""

from __future__ import annotations

import numpy as np

from ...errors import InvalidInput, Problem
from ...spatial import Array, cross, transpose
from ._parameters import Parameters


def velocity_forces(M_rate: Array, dM_dq: Array, u: Array, base_term: Array) -> Array:
    """Bias (n_u,) of the unreduced equations M udot + bias = forces [Wilde2018] eqs 39-41.

    M_rate : (n_u, n_u) time derivative of M; dM_dq : (N, n_u, n_u), first axis the joint; u : (n_u,)
    base_term : (n_base,) the corrected c0, see `base_velocity_term`
    """
    c_m = -(u @ dM_dq @ u) / 2  # eq. 41
    return M_rate @ u + np.concatenate([base_term, c_m])  # eq. 39


def base_velocity_term(v_0: Array, P: Array) -> Array:
    """c0 = [0; v_0 x P] (6,) that replaces [Wilde2018] eqs 37, 40: omega_0 is not the rate of a coordinate.

    From d/dt L_0 = moment - v_0 x P about the moving base CoM.
    """
    moment = cross(v_0, P)
    return np.concatenate([0 * moment, moment])


def quasi_forces(parameters: Parameters, qdot: Array, p: Array) -> Array:
    """sigma x p_sigma (N,) in the rows of what turns any way, zero elsewhere: sigma is not the rate of coordinates.

    Lagrange's equations in quasi-coordinates, d/dt p_sigma + sigma x p_sigma - dT/d(turn) = tau, with p_sigma and the turn in
    child axes [Boltzmann1902, Hamel1904]; eqs 41 and 48 of [Wilde2018] hold for rates of coordinates alone.

    p : (N,) momenta that belong to qdot (N,), H qdot or the joints' rows of M u
    """
    term = 0 * p
    for motion, rows in parameters.quasi:
        term[rows] = motion.quasi_forces(qdot[rows], p[rows])
    return term


def no_quasi_speeds(parameters: Parameters) -> None:
    """Raise `InvalidInput` where speeds that are no rates of coordinates leave none for Christoffel symbols."""
    if parameters.quasi:
        raise InvalidInput(
            Problem(
                "coriolis_matrix",
                "joints whose rates are those of coordinates",
                "a joint with a quaternion",
                hint="C is the vector of velocity forces for every system",
            )
        )


def convective_vector(dH_dq: Array, qdot: Array) -> Array:
    """c (N,) = -1/2 qdot' dH/dq_k qdot [Wilde2018] eqs 48, 80; dH_dq (N, N, N) with the joint as FIRST axis."""
    return -(qdot @ dH_dq @ qdot) / 2


def coriolis_vector(Hdot: Array, c: Array, qdot: Array) -> Array:
    """C (N,) = Hdot qdot + c [Wilde2018] eq. 49."""
    return Hdot @ qdot + c


def coriolis_matrix(dH_dq: Array, qdot: Array) -> Array:
    """The (N, N) matrix of Christoffel symbols with matrix @ qdot = C and Hdot - 2 matrix skew-symmetric.

    dH_dq : (N, N, N) with the joint as FIRST axis. Source: [Siciliano2010] section 7.1.
    """
    along = np.einsum("kij,k->ij", dH_dq, qdot)
    across = np.einsum("jik,k->ij", dH_dq, qdot)
    return (along + across - transpose(across)) / 2


def reduced_forces(H0m: Array, H0_inverse: Array, base: Array, joints: Array) -> Array:
    """Forces (N,) left on the joints once the base reacts freely: joints - H0m' H0^-1 base, from eqs 39, 44."""
    return joints - transpose(H0m) @ (H0_inverse @ base)
