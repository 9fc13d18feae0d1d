"""Inertia matrices, momentum and kinetic energy [Wilde2018] eqs 12-14, 26-36, 42, 45, 51-61."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...actuators import Turners
from ...spatial import Array, inverse_symmetric_3, skew, transpose

NO_STATES = np.zeros(0)  # of actuators


@dataclass(frozen=True, eq=False)
class Geometry:
    """The five things every inertia matrix is a sum of, for all bodies i with the base as number 0, in N and SI.

    m : (n_b,) masses [kg]
    r_0i : (n_b, 3) from the point 0 to the centres of mass [m], eq. 11
    I : (n_b, 3, 3) inertia about each CoM [kg m^2], eq. 30
    J_T, J_R : (n_b, 3, N) velocity Jacobians of the centres of mass, eqs 33, 35 (zero for the base)

    What a model has of it is `model.equations(state).geometry`.

    >>> g = model.equations(state).geometry
    >>> g.m.tolist(), g.r_0i.shape, g.J_R.shape
    ([100.0, 10.0, 10.0, 10.0, 10.0], (5, 3), (5, 3, 4))
    """

    m: Array
    r_0i: Array
    I: Array
    J_T: Array
    J_R: Array


def link_inertias(R: Array, inertia: Array) -> Array:
    """Inertia of each body in N, R I R^T [Wilde2018] eq. 30. (n_b, 3, 3) each."""
    return R @ inertia @ transpose(R)


def base_to_com(g: Geometry) -> Array:
    """r_0C (3,) [m] in N, from the point 0 to the system CoM [Wilde2018] eq. 14.

    >>> base_to_com(model.equations(state).geometry).round(4).tolist()
    [0.6336, 0.0706, 0.0]
    """
    return (g.m @ g.r_0i) / g.m.sum()


def system_moments(g: Geometry) -> Array:
    """H_S (3, 3), inertia of the system about the point 0 [Wilde2018] eq. 29."""
    x = skew(g.r_0i)
    return (g.I - g.m[:, None, None] * (x @ x)).sum(axis=0)


def base_inertia(g: Geometry) -> Array:
    """H0 (6, 6) [Wilde2018] eq. 28."""
    m_tot = g.m.sum()
    coupling = skew(g.m @ g.r_0i)  # m_tot r_0C, also of a stand without mass
    return np.block([[m_tot * np.eye(3, dtype=int), -coupling], [coupling, system_moments(g)]])


def coupling_inertia(g: Geometry) -> Array:
    """H0m (6, N), J_TS over H_Sq [Wilde2018] eqs 31, 32, 34."""
    m = g.m[:, None, None]
    J_TS = (m * g.J_T).sum(axis=0)  # eq. 32
    H_Sq = (g.I @ g.J_R + m * (skew(g.r_0i) @ g.J_T)).sum(axis=0)  # eq. 34
    return np.concatenate([J_TS, H_Sq])  # eq. 31


def arm_inertia(g: Geometry) -> Array:
    """Hm (N, N) [Wilde2018] eq. 36."""
    rotation = transpose(g.J_R) @ g.I @ g.J_R
    translation = g.m[:, None, None] * (transpose(g.J_T) @ g.J_T)
    return (rotation + translation).sum(axis=0)


def system_inertia(H0: Array, H0m: Array, Hm: Array) -> Array:
    """M (n_u, n_u), the whole matrix of [Wilde2018] eq. 27."""
    return np.block([[H0, H0m], [transpose(H0m), Hm]])


def kinetic_energies(g: Geometry, v: Array, omega: Array) -> Array:
    """T_i (n_b,) [J] of every body, with velocities v, omega (n_b, 3): the terms of [Wilde2018] eq. 26."""
    rotation = (omega[:, None, :] @ g.I @ omega[:, :, None])[:, 0, 0]
    return (rotation + g.m * (v * v).sum(axis=-1)) / 2


def kinetic_energy(g: Geometry, v: Array, omega: Array) -> Any:
    """T [J] of bodies with velocities v, omega (n_b, 3) [Wilde2018] eq. 26."""
    return kinetic_energies(g, v, omega).sum()


def schur_complement(m_tot: Any, r_0C: Array, H_S: Array) -> Array:
    """S_U (3, 3), inertia of the system about its own CoM [Wilde2018] eq. 53 (entries: eqs 54-59)."""
    x = skew(r_0C)
    return H_S + m_tot * (x @ x)


def base_inertia_inverse(m_tot: Any, r_0C: Array, S_U: Array) -> Array:
    """H0^-1 (6, 6) by the Banachiewicz formula [Wilde2018] eq. 52."""
    x, S_U_inverse = skew(r_0C), inverse_symmetric_3(S_U)  # eqs 60-61
    xS = x @ S_U_inverse
    return np.block([[np.eye(3, dtype=int) / m_tot - xS @ x, xS], [-(S_U_inverse @ x), S_U_inverse]])


def generalized_inertia(Hm: Array, H0m: Array, H0_inverse: Array) -> Array:
    """H (N, N) of the arm on a freely reacting base [Wilde2018] eq. 45."""
    return Hm - transpose(H0m) @ H0_inverse @ H0m


def stored_energy(turners: Turners, omega_0: Array, h: Array, actuator_states: Array) -> Any:
    """What turners of momentum h add to the kinetic energy [J] of a system that has them at rest.

    omega_0, h : (3,) in the same axes; actuator_states : (n_a,)
    """
    return omega_0 @ h + turners.twice_energy(actuator_states) / 2
