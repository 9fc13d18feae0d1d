"""All positions and speeds, none of them derived from a conservation law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dynamics import Model
from ..plant import state_rates
from ..spatial import Array
from ..system import Layout, State
from ._coordinates import Coordinates, Quantities, Unpacked
from ._unit import with_unit_quaternions


@dataclass(frozen=True)
class FullState(Coordinates):
    """The packed state x = [r_0; attitude_xyzw; q; u; actuators]. No projection, so conserved quantities check the dynamics.

    The quaternion follows q' = 1/2 (omega; 0) q, that of a spherical joint q' = 1/2 q (sigma; 0), which keeps its norm; what
    the integrator loses of it is restored at restarts and whenever the dynamics are evaluated.
    """

    def start(self, model: Model, state: State) -> Array:
        """Return x (n_x,)."""
        del model
        return np.array(state.x)

    def packed(self, layout: Layout, t: Any, y: Array, constants: Array, quantities: Quantities) -> Array:
        """Return `y` (n_x,) with unit quaternions of the same signs."""
        del t, constants, quantities
        return with_unit_quaternions(y, self.quaternions(layout))

    def rate(self, layout: Layout, y: Array, x: Array, udot: Array, actuator_rates: Array) -> Array:
        """Return [v_0; quaternion rate; rate of q; udot; rates of the actuators] (n_x,)."""
        return state_rates(layout, y, x[layout.x_u], udot, actuator_rates)

    def size(self, layout: Layout) -> int:
        """Return n_x."""
        return layout.n_x

    def place_of_attitude(self, layout: Layout) -> slice:
        """Return the place of the attitude."""
        return layout.x_attitude

    def place_of_q(self, layout: Layout) -> slice:
        """Return the place of q in x."""
        return layout.x_q

    def place_of_speeds(self, layout: Layout) -> slice:
        """Return the place of u in x."""
        return layout.x_u

    def state(self, layout: Layout, t: float, y: Array, unpacked: Unpacked) -> State:
        """Return the state of a vector (n_x,)."""
        del t, unpacked
        return State.renormalised(y, layout)

    def unit_state(self, layout: Layout, t: float, y: Array, unpacked: Unpacked) -> State:
        """Return the state of a vector (n_x,) whose quaternions have norm 1 already."""
        del t, unpacked
        return State.of_unit(y.copy(), layout)

    def states(self, layout: Layout, t: Array, y: Array, unpacked: Unpacked) -> State:
        """Return the batch of states of vectors (k, n_x)."""
        del t, unpacked
        return State.renormalised(y, layout)

    def x_dot(self, t: Array, y: Array, y_dot: Array, unpacked: Unpacked) -> Array:
        """Return y_dot (k, n_x)."""
        del t, y, unpacked
        return y_dot
