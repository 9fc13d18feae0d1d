"""What full inverse dynamics asks for along a motion whose momentum is kept by construction."""

from __future__ import annotations

import numpy as np

from ..environment import External
from ..spatial import Array
from ._native import NativeLoop
from ._quadrature import Quadrature
from ._samples import Samples
from ._setup import Setup


def demand(setup: Setup, rule: Quadrature, inside: Samples, t: Array) -> External:
    """Return the books, at times t (n,), of what would have to act on the system for it to move as it did.

    inside : the samples of the run where `rule` wants them

    The state's derivative is exact: that of attitude and joints is the right-hand side of the run, that of the base's speeds
    comes from differentiating them as functions of attitude, q, qdot and t. Inverse dynamics then asks for a wrench on the base
    and for joint forces. Where all equations hold the wrench is zero and the joint forces are those that act; the integrals
    of the wrench, and of the power of joint forces that are not there, are what is returned.
    """
    if not inside.t.size:
        return External.of(np.zeros((len(t), External.COLUMNS)))
    model, layout, states = setup.model, setup.model.layout, inside.states
    y_dot, tau = _rates(setup, inside)
    udot = setup.frame.state_rates(inside.t, inside.y, y_dot)[:, layout.x_u]
    asked = model.batch.inverse_dynamics(states, udot)
    force = asked.wrench[:, layout.base_linear]
    moment = asked.wrench[:, layout.base_angular] - np.cross(model.batch.r_0C(states), force)
    power = np.abs((asked.tau - tau) * states.qdot).sum(axis=1)
    drift = rule.totals(force, inside.t) / model.system.mass_kg
    return External.of(rule.totals(np.column_stack([force, moment, drift, power]), t))


def _rates(setup: Setup, inside: Samples) -> tuple[Array, Array]:
    """Return the right-hand side (k, n) of the run at its samples, and joint forces (k, N)."""
    native = NativeLoop.of(setup)
    if native is not None:
        outputs = native.outputs(inside.t, inside.y, inside.hold)
        return outputs["ydot"], outputs["tau"]
    frame, layout = setup.frame, setup.model.layout
    udot = setup.model.batch.forward_dynamics(inside.states, inside.tau)
    still = np.zeros(layout.n_w)
    rows = [frame.rate(*row, still) for row in zip(inside.y, inside.states.x, udot, strict=True)]
    return np.concatenate([rows, np.zeros((len(rows), frame.books))], axis=1), inside.tau
