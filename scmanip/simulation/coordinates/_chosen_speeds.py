"""Positions and the speeds of a choice, in place of those of base and joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...dynamics import Model, ModelInSpeeds
from ...errors import ModeMismatch, checked
from ...plant import Plant, state_rates
from ...spatial import Array, inverse_by_rows
from ...system import Layout, State, with_unit_quaternions
from ._coordinates import CoordinatePlaces, Coordinates, Quantities
from ._unpacking import Unpacking


@checked
@dataclass(frozen=True)
class ChosenSpeeds(Coordinates):
    """y = [r_0; attitude_xyzw; q; s; states of actuators and loads], with u = W s + X [Kane1983] eq. 1.

        sdot = A (udot - Wdot s - Xdot),  A W = 1

    changed : the model in these speeds, as `change_speeds` makes it; as many as u has

    >>> from scmanip.dynamics import DecouplingSpeeds, change_speeds
    >>> chosen = ChosenSpeeds(change_speeds(model, DecouplingSpeeds()))
    >>> start = scmanip.State.at_rest(system, q=[0.0] * 4)
    >>> run = simulate(plant, law, start, reference=reference, t_end_s=2.0, output_step_s=2.0, coordinates=chosen)
    >>> np.allclose(run.final.q, history.final.q)
    True
    """

    changed: ModelInSpeeds

    is_formula: ClassVar[bool] = True

    def places(self, layout: Layout) -> CoordinatePlaces:
        """Return those of x, s in the place of u."""
        return CoordinatePlaces(layout.x_attitude, layout.x_q, layout.x_u, layout.n_x)

    def check(self, plant: Plant) -> None:
        """Raise `ModeMismatch` for speeds of another system, fewer than u has, and where constraints may come and go."""
        if obstacle := self._obstacle(plant):
            raise ModeMismatch(f"ChosenSpeeds({self.changed!r}) needs {obstacle}")

    def _obstacle(self, plant: Plant) -> str:
        """Return what is missing and why, in a phrase; empty where a run can be flown so."""
        flown, own = plant.model.system, self.changed.system
        if flown is not own:
            return f"the system of these speeds, and that is {own!r}, not {flown!r}"
        if plant.model.symbols:
            return f"a model without open numbers, and {', '.join(plant.model.symbols)} are; use FullState()"
        if len(self.changed.names) != plant.layout.n_u:
            many = f"{plant.layout.n_u} speeds, and these are {len(self.changed.names)}"
            return f"{many}; constraints that they hold can be [[constraint]] tables of the system"
        held = flown.constraints or plant.contacts or plant.leading
        return "a system without constraints and contacts; use FullState()" if held else ""

    def start(self, model: Model, state: State) -> Array:
        """Return the vector (n_x,)."""
        y = np.array(state.x)
        y[model.layout.x_u] = self.changed.speeds_of(State.of_unit(np.array(state.hardware), self.changed.model.layout))
        return y

    def packed(self, layout: Layout, t: Any, y: Array, constants: Array, quantities: Quantities) -> Array:
        del constants, quantities
        y = with_unit_quaternions(y, self.places(layout).quaternions(layout))
        speeds = self.changed.change.map(self._at(layout, t, y))
        return np.concatenate([y[: layout.x_u.start], speeds.W @ y[layout.x_u] + speeds.X, y[layout.x_u.stop :]])

    def unpacked(self, model: Model, layout: Layout, constants: Array) -> Unpacking:
        """Return programs of the map."""
        del layout
        return Unpacking(self, model, constants)

    def rate(self, layout: Layout, t: Any, y: Array, x: Array, udot: Array, own_rates: Array) -> Array:
        """Return [v_0; quaternion rate; rate of q; sdot; rates of actuators and loads] (n_x,)."""
        at = self._at(layout, t, x)
        speeds = self.changed.change.map(at)
        gained = udot - self.changed.change.remainder(at, y[layout.x_u], x[layout.x_u])
        A = inverse_by_rows(speeds.W) if speeds.A is None else speeds.A
        return state_rates(layout, y, x[layout.x_u], A @ gained, own_rates)

    def _at(self, layout: Layout, t: Any, x: Array) -> Mapping[str, Any]:
        base = {} if layout.fixed else {"r_0": x[layout.x_r_0], "attitude_xyzw": x[layout.x_attitude]}
        return {**base, "q": x[layout.x_q], "t": t}
