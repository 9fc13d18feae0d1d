"""Exact derivatives by complex step through the same equations that run on floats.

f(x + ih) = f(x) + ih f'(x) + ..., so Im f / h has no cancellation and a truncation error of h^2 = 1e-60.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scmanip.dynamics import Equations, Parameters
from scmanip.spatial import DCM, RotationForm, quaternion_rate
from scmanip.system import State, System, coordinate_rates

STEP = 1e-30


def derivative(
    system: System,
    state: State,
    quantity: Callable[[Equations], np.ndarray],
    *,
    q: np.ndarray,
    turn: np.ndarray | None = None,
    shift: np.ndarray | None = None,
    u: np.ndarray | None = None,
    form: RotationForm | None = None,
) -> np.ndarray:
    """Derivative of a quantity while q changes at rate `q`, the base turns with `turn` and moves with `shift` (3,) in N,
    and the speeds change at rate `u` (n_u,). What is left out is held.
    """
    n, zero = system.layout.n_base, np.zeros(3)
    rate = np.zeros(len(state.u)) if u is None else u
    moved = Equations(
        Parameters.of(system),
        DCM() if form is None else form,
        q=state.q + 1j * STEP * q,
        qdot=state.qdot + 1j * STEP * rate[n:],
        attitude=_attitude(state, zero if turn is None else turn),
        r_0=(zero if n == 0 else state.r_0) + 1j * STEP * (zero if shift is None else shift),
        v_0=zero if n == 0 else state.v_0 + 1j * STEP * rate[:3],
        omega_0=zero if n == 0 else state.omega_0 + 1j * STEP * rate[3:6],
    )
    return np.imag(quantity(moved)) / STEP


def gradient(system: System, state: State, quantity: Callable[[Equations], np.ndarray]) -> np.ndarray:
    """Gradient along unit joint speeds, the base held; the joint is the last axis."""
    held = derivative(system, state, quantity, q=np.zeros(len(state.q)))
    directions = [coordinate_rates(system.layout, state.q, unit) for unit in np.eye(len(state.qdot))]
    columns = [derivative(system, state, quantity, q=direction) for direction in directions]
    return np.stack([held, *columns], axis=-1)[..., 1:]  # `held` gives the shape when there is no joint


def rate(
    system: System, state: State, quantity: Callable[[Equations], np.ndarray], udot: np.ndarray | None = None
) -> np.ndarray:
    """Time derivative along the motion, while the speeds change at rate `udot`, or are held."""
    base = {} if state.fixed else {"turn": state.omega_0, "shift": state.v_0}
    rates = coordinate_rates(system.layout, state.q, state.qdot)
    return derivative(system, state, quantity, q=rates, u=udot, **base)


def _attitude(state: State, turn: np.ndarray) -> np.ndarray:
    if state.fixed:
        return np.array([0.0, 0.0, 0.0, 1.0])
    return state.attitude_xyzw + 1j * STEP * quaternion_rate(state.attitude_xyzw, turn)
