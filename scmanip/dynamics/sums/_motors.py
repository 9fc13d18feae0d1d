"""Rotors of motors, which spin with their joints on the bodies that carry these.

A rotor of inertia I about its axis a, which is the joint's, turns relative to its carrier at s = n qdot. Its carrier holds it
locked, I a a' in its own inertia. So the rotor itself, with the angular Jacobian of its carrier and n a in the joint's column,
comes in place of the locked one, and both have all of their inertia about a: two more terms in each sum over bodies, I a a'
with the one Jacobian and -I a a' with the other. What this adds to the kinetic energy is I s (a . omega) + I s^2 / 2.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import InvalidInput, Problem
from ...spatial import Array
from ._inertia import Geometry
from ._parameters import Parameters
from ._rates import GeometryRate


def bodies_alone(parameters: Parameters, what: str) -> None:
    """Raise `InvalidInput` where turners or rotors of motors would be left out."""
    if parameters.turners or parameters.rotors:
        found = "rotors of motors" if parameters.rotors else parameters.turners.tables
        hint = "describe them as bodies, or take the sums and recursions of compile_model(system)"
        raise InvalidInput(Problem(what, "a system of bodies and joints alone", found, hint=hint))


def with_rotors(parameters: Parameters, g: Geometry, k_hat: Array) -> Geometry:
    """Return the geometry with two terms per rotor behind the bodies, one spinning and one taken off its carrier.

    k_hat : (N, 3) axes of the joints
    """
    if not parameters.rotors:
        return g
    carriers = [int(parameters.parent[parameters.carried[j]]) for j in parameters.rotors]
    inertia = [parameters.rotor[j] * (k_hat[j][:, None] * k_hat[j]) for j in parameters.rotors]
    twice = carriers + carriers
    spinning = g.J_R[carriers] + _columns(parameters, k_hat)
    return replace(
        g,
        m=np.concatenate([g.m, np.zeros(len(twice), dtype=int)]),
        r_0i=np.concatenate([g.r_0i, g.r_0i[twice]]),
        I=np.concatenate([g.I, np.array(inertia), -np.array(inertia)]),
        J_T=np.concatenate([g.J_T, g.J_T[twice]]),
        J_R=np.concatenate([g.J_R, spinning, g.J_R[carriers]]),
    )


def with_rotor_rates(parameters: Parameters, d: GeometryRate, k_hat: Array, k_rate: Array) -> GeometryRate:
    """Return the rates of `with_rotors`; k_rate : (..., N, 3) rates of the axes."""
    if not parameters.rotors:
        return d
    carriers = [int(parameters.parent[parameters.carried[j]]) for j in parameters.rotors]
    k, dk = k_hat[list(parameters.rotors)], k_rate[..., list(parameters.rotors), :]
    across = dk[..., :, :, None] * k[:, None, :]
    inertia = parameters.rotor[list(parameters.rotors), None, None] * (across + np.swapaxes(across, -1, -2))
    still, spinning = d.J_R[..., carriers, :, :], d.J_R[..., carriers, :, :] + _columns(parameters, k_rate)
    twice = carriers + carriers
    return GeometryRate(
        np.concatenate([d.r_0i, d.r_0i[..., twice, :]], axis=-2),
        np.concatenate([d.I, inertia, -inertia], axis=-3),
        np.concatenate([d.J_T, d.J_T[..., twice, :, :]], axis=-3),
        np.concatenate([d.J_R, spinning, still], axis=-3),
    )


def with_carriers(parameters: Parameters, spin: Array) -> Array:
    """Return angular momenta (n, 3), or energies (n,), of bodies and rotors, each rotor's added to that of its carrier."""
    spin = spin.copy()
    for k, j in enumerate(parameters.rotors):
        carrier = parameters.parent[parameters.carried[j]]
        rotor = parameters.n_l + k
        spin[carrier] = spin[carrier] + spin[rotor] + spin[rotor + len(parameters.rotors)]
    return spin


def _columns(parameters: Parameters, k: Array) -> Array:
    """What the spins relative to the carriers add to their angular Jacobians (..., n_r, 3, N); k : (..., N, 3)."""
    rows = []
    for j in parameters.rotors:
        unit = np.zeros(len(parameters.gear), dtype=parameters.gear.dtype)
        unit[j] = parameters.gear[j]
        rows.append(k[..., j, :, None] * unit)
    return np.stack(rows, axis=-3)
