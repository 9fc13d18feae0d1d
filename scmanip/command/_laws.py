"""Laws that the equations of any arm obey, as errors of one state relative to the largest of the terms that cancel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..dynamics import Model
from ..spatial import Array, cross
from ..system import State, coordinate_rates

STEP = 1e-30  # imaginary: there is nothing to cancel


def laws(model: Model) -> dict[str, Callable[[Model, State, Array, Array | None], float]]:
    """Return the laws that apply to a model: the error of (model, state, tau (N,), wrench (6,) or None) by a sentence."""
    momentum = {} if model.layout.fixed else {"P and L_C constant without a wrench": _momentum}  # of a floating base
    common = {
        "energy rate = power of all forces": _energy,
        "Hdot = derivative of H along qdot": _Hdot,
        "dH_dq = derivative of H by each joint": _dH_dq,
    }
    if model.layout.quaternions:  # no Christoffel symbols without coordinates
        return {**momentum, **common, "C does the work of Hdot qdot / 2": _work}
    return {**momentum, **common, "Hdot - 2 coriolis_matrix is skew": _skew, "coriolis_matrix qdot = C": _coriolis}


def _inertia_rate(model: Model, state: State) -> Array:
    """Time derivative of M (n_u, n_u)."""
    if model.layout.fixed:
        return model.Hm_dot(state)
    H0m_dot = model.H0m_dot(state)
    return np.block([[model.H0_dot(state), H0m_dot], [H0m_dot.T, model.Hm_dot(state)]])


def relative(difference: Array, *terms: Array, least: float = 0.0) -> float:
    """Return the largest entry of a difference against that of the terms that cancel in it, and `least`."""
    size = max(least, *(float(abs(np.asarray(term)).max(initial=0.0)) for term in terms))
    error = float(abs(np.asarray(difference)).max(initial=0.0))
    return 0.0 if error == 0 else float(np.divide(error, size)) if size else np.inf


def _turning(model: Model, state: State) -> float:
    """Largest entry that derivatives of H times rates could have if nothing cancelled."""
    joints = model.equations(state).inertia_scale[model.layout.n_base :].max(initial=0.0)
    return float(joints * max(1.0, abs(state.qdot).max(initial=0.0)))


def _energy(model: Model, state: State, tau: Array, wrench: Array | None) -> float:
    e, u = model.equations(state), state.u
    udot = model.forward_dynamics(state, tau, wrench)
    joints = tau + e.passive_force - model.gravity_force(state)
    push = joints if wrench is None else np.concatenate([wrench, joints])
    # by entries: where they cancel, as of two arms that turn against each other, rounding is as large as they are
    turning, driving, power = u * (_inertia_rate(model, state) @ u) / 2, u * (model.M(state) @ udot), push * u
    return relative(turning.sum() + driving.sum() - power.sum(), turning, driving, power)


def _momentum(model: Model, state: State, tau: Array, wrench: Array | None) -> float:
    """About the moving base CoM: Pdot = 0, L_0dot = -v_0 x P; the wheels' own momentum turns with the base."""
    P, h_w = model.momentum(state).P, model.equations(state).h_w
    pushed = model.M(state)[model.layout.base] @ model.forward_dynamics(state, tau)
    turned = _inertia_rate(model, state)[model.layout.base] @ state.u
    moved = np.concatenate([np.zeros(3), cross(state.v_0, P) + cross(state.omega_0, h_w)])
    flying = float(abs(state.v_0).max() * abs(P).max())
    return relative(pushed + turned + moved, pushed, turned, moved, least=flying)


def _along(model: Model, state: State, direction: Array) -> Array:
    """Derivative of H (N, N) along joint rates `direction` (N,), by complex step through the sums of [Wilde2018]."""
    x = state.x.astype(complex)
    x[model.layout.x_q] += 1j * STEP * coordinate_rates(model.layout, state.q, direction)
    return np.asarray(model.symbolic.derivation.at(x).H).imag / STEP


def _Hdot(model: Model, state: State, tau: Array, wrench: Array | None) -> float:
    exact = _along(model, state, state.qdot)
    return relative(model.Hdot(state) - exact, exact, least=_turning(model, state))


def _dH_dq(model: Model, state: State, tau: Array, wrench: Array | None) -> float:
    exact = [_along(model, state, direction) for direction in np.eye(model.layout.N)]
    if not exact:
        return 0.0
    return relative(model.dH_dq(state) - np.stack(exact, axis=-1), np.array(exact), least=_turning(model, state))


def _skew(model: Model, state: State, tau: Array, wrench: Array | None) -> float:
    Hdot = model.Hdot(state)
    S = Hdot - 2 * model.coriolis_matrix(state)
    return relative(S + S.T, Hdot, S, least=_turning(model, state))


def _coriolis(model: Model, state: State, tau: Array, wrench: Array | None) -> float:
    C, rate = model.C(state), abs(state.qdot).max(initial=0.0)
    return relative(model.coriolis_matrix(state) @ state.qdot - C, C, least=_turning(model, state) * float(rate))


def _work(model: Model, state: State, tau: Array, wrench: Array | None) -> float:
    """T = qdot' H qdot / 2 changes by the work of the joint forces alone: qdot' (C - Hdot qdot / 2) = 0."""
    powers = state.qdot * model.C(state), state.qdot * (model.Hdot(state) @ state.qdot) / 2
    rate = float(abs(state.qdot).max(initial=0.0))
    return relative((powers[0] - powers[1]).sum(), *powers, least=_turning(model, state) * rate**2)
