"""All positions and speeds, none of them derived from a conservation law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...dynamics import Model
from ...plant import state_rates
from ...spatial import Array
from ...system import Layout, State, with_unit_quaternions
from ._coordinates import CoordinatePlaces, Coordinates, Quantities


@dataclass(frozen=True)
class FullState(Coordinates):
    """The packed state x. No projection, so that conserved quantities check the dynamics.

    The quaternion follows q' = 1/2 (omega; 0) q, that of a spherical joint q' = 1/2 q (sigma; 0), which keeps its norm; what
    the integrator loses of it is restored at restarts and whenever the dynamics are evaluated.

    >>> y = FullState().start(model, state)
    >>> y.shape, np.array_equal(y, state.x)
    ((21,), True)
    """

    is_formula: ClassVar[bool] = True

    def places(self, layout: Layout) -> CoordinatePlaces:
        return CoordinatePlaces(layout.x_attitude, layout.x_q, layout.x_u, layout.n_x)

    def start(self, model: Model, state: State) -> Array:
        """Return x (n_x,)."""
        del model
        return np.array(state.x)

    def packed(self, layout: Layout, t: Any, y: Array, constants: Array, quantities: Quantities) -> Array:
        """Return `y` (n_x,) with unit quaternions of the same signs."""
        del t, constants, quantities
        return with_unit_quaternions(y, self.places(layout).quaternions(layout))

    def unpacked(self, model: Model, layout: Layout, constants: Array) -> _Itself:
        """Return what leaves all but quaternions as they are."""
        del model, constants
        return _Itself(layout)

    def rate(self, layout: Layout, t: Any, y: Array, x: Array, udot: Array, own_rates: Array) -> Array:
        """Return [v_0; quaternion rate; rate of q; udot; rates of actuators and loads] (n_x,)."""
        del t
        return state_rates(layout, y, x[layout.x_u], udot, own_rates)


class _Itself:
    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def one(self, t: float, y: Array) -> Array:
        x = y.copy()
        self._layout.normalise(x)
        return x

    def of_unit(self, t: float, y: Array) -> Array:
        return y.copy()

    def many(self, t: Array, y: Array) -> Array:
        x = y.copy()
        self._layout.normalise(x)
        return x

    def rates(self, t: Array, y: Array, y_dot: Array) -> Array:
        return y_dot
