"""All positions and speeds, none of them derived from a conservation law."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..dynamics import Model
from ..spatial import Array, quaternion_rate
from ..system import State, coordinate_rates
from ._coordinates import Coordinates


@dataclass(frozen=True)
class FullState(Coordinates):
    """The packed state x = [r_0; attitude_xyzw; q; u]. No projection, so conserved quantities check the dynamics.

    The quaternion follows q' = 1/2 (omega; 0) q, that of a spherical joint q' = 1/2 q (sigma; 0), which keeps its norm; what
    the integrator loses of it is restored at restarts and whenever the dynamics are evaluated.
    """

    def start(self, model: Model, state: State) -> Array:
        """Return x (n_x,)."""
        del model
        return np.array(state.x)

    def state(self, model: Model, y: Array) -> State:
        """Return the state of `y` (n_x,)."""
        return State.renormalised(y, model.layout)

    def rate(self, model: Model, y: Array, state: State, udot: Array, wheel_rad_s2: Array) -> Array:
        """Return [v_0; quaternion rate; rate of q; udot; accelerations of the wheels] (n_x,)."""
        layout = model.layout
        joints = coordinate_rates(layout, y[layout.x_q], state.qdot)
        if layout.fixed:
            return np.concatenate([joints, udot])
        turning = quaternion_rate(y[layout.x_attitude], state.omega_0)
        return np.concatenate([state.v_0, turning, joints, udot, wheel_rad_s2])

    def normalised(self, model: Model, y: Array) -> Array:
        """Return `y` (n_x,) with unit quaternions of the same signs."""
        return np.array(self.state(model, y).x)
