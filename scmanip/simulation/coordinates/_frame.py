"""Coordinates of one run: between the integrator's vectors and states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...dynamics import Model
from ...plant import Plant, Response
from ...spatial import Array
from ...system import Layout, State, with_unit_quaternions
from ._coordinates import CoordinatePlaces, Coordinates, Quantities, Unpacked

ROUNDS = 2  # in which what is off between steps, 1e-6 at most, becomes rounding


@dataclass(frozen=True, eq=False)
class RunCoordinates:
    """Coordinates with what stays constant in a run; behind them vectors y have the books of the plant."""

    coordinates: Coordinates
    plant: Plant
    constants: Array

    @property
    def model(self) -> Model:
        """That of the plant."""
        return self.plant.model

    def books(self, y: Array) -> Array:
        """Return the books of y (..., n)."""
        return y[..., y.shape[-1] - self.plant.n_books :]

    def _moving(self, y: Array) -> Array:
        """Return the coordinates of y (..., n), without the books."""
        return y[..., self._own]

    @property
    def size(self) -> int:
        """Length of vectors y."""
        return self.places.size + self.plant.n_books

    def start(self, state: State) -> Array:
        """Return y at t = 0."""
        return np.concatenate((self.coordinates.start(self.model, state), np.zeros(self.plant.n_books)))

    def tolerances(self, state0: State, y_0: Array, atol: float) -> Array:
        """Return the absolute errors (n,) that a step may make: `atol` in SI, in energies and propellant what comes of it.

        Momentum is the derivative of the kinetic energy by the speeds of the base. Propellant is impulse over the speed of the
        fastest of all exhausts.
        """
        allowed, books = np.full(y_0.size, atol), self.plant.books
        of_books = self.books(allowed)
        if any(state0.u.tolist()):
            momentum = self.coordinates.momentum(self.model, state0, self.constants)
            of_books[books["work"]] = of_books[books["dissipated"]] = atol * max(1.0, *map(abs, momentum.tolist()))
        if self.plant.burns:
            of_books[books["propellant_kg"]] = atol / max([1.0, *filter(np.isfinite, self.model.system.pushers.exhaust_m_s)])
        return allowed

    def state(self, t: float, y: Array) -> State:
        """Return the state of y at `t`."""
        return State.of_unit(self._unpacked.one(t, y[self._own]), self.layout)

    def unit_state(self, t: float, y: Array) -> State:
        """Return the state of y at `t`, whose quaternions have norm 1 already."""
        return State.of_unit(self._unpacked.of_unit(t, y[self._own]), self.layout)

    def states(self, t: Array, y: Array, begin: State | None = None) -> State:
        """Return the batch of states of vectors (k, n) at times (k,); begin : the first of them, exactly."""
        x = self._unpacked.many(t, self._moving(y))
        if begin is not None:
            x[0] = begin.x
        return State.of_unit(x, self.layout)

    def x_dot(self, t: Array, y: Array, y_dot: Array) -> Array:
        """Return how the packed states (k, n_x) change of vectors (k, n) at times (k,) that change by y_dot (k, n)."""
        return self._unpacked.rates(t, self._moving(y), self._moving(y_dot))

    def rate(self, t: Any, y: Array, x: Array, motion: Response) -> Array:
        """Return the time derivative of y at `t`, whose packed state is x, over any scalar."""
        rates = self.coordinates.rate(self.layout, t, self._moving(y), x, motion.udot, motion.own_rates)
        return np.concatenate([rates, motion.books])

    def obedient_states(self, t: Array, y: Array, begin: State | None = None) -> State:
        """Return the same, nearest to them, as the constraints ask for that hold."""
        if self.plant.holding is None:
            return self.states(t, y, begin)
        x = np.ascontiguousarray(self._moving(y))
        for _ in range(ROUNDS):
            x, *_ = self.plant.brought_back(x, t)
        if begin is not None:
            x[0] = begin.x
        return State.of_unit(x, self.layout)

    def drift(self, t: Array, y: Array) -> Array:
        """Return (k,) how far vectors (k, n) are from the places [m or rad] that constraints hold."""
        if self.plant.holding is None:
            return np.zeros(len(t))
        off: Array = self.plant.brought_back(np.ascontiguousarray(self._moving(y)), t)[1]
        return abs(off).max(axis=1, initial=0.0)

    def brought_back(self, t: float, y: Array) -> tuple[Array, Array]:
        """Return y (n,) of `FullState` whose state obeys the constraints that hold, and the kinetic energy that this took and
        what is left of it (2,) [J].
        """
        x, _, energies = self.plant.brought_back(self._moving(y), np.array(t))
        return np.concatenate([x, self.books(y)]), energies

    def packed(self, t: Any, y: Array, constants: Array, quantities: Quantities) -> Array:
        """Return the packed state of y, over any scalar."""
        return self.coordinates.packed(self.layout, t, self._moving(y), constants, quantities)

    def normalised(self, y: Array) -> Array:
        """Return y with unit quaternions of the same signs."""
        return with_unit_quaternions(y, self.quaternions)

    @cached_property
    def layout(self) -> Layout:
        """That of the plant."""
        return self.plant.layout

    @cached_property
    def _unpacked(self) -> Unpacked:
        return self.coordinates.unpacked(self.model, self.layout, self.constants)

    @cached_property
    def _own(self) -> slice:
        return slice(self.places.size)

    @cached_property
    def places(self) -> CoordinatePlaces:
        """What stands where in y, in front of the books."""
        return self.coordinates.places(self.layout)

    @cached_property
    def quaternions(self) -> tuple[int, ...]:
        """Where the quaternions begin in y."""
        return self.places.quaternions(self.layout)
