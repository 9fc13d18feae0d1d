"""What the integrator sees of a state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from ..dynamics import Model
from ..plant import Plant
from ..spatial import Array
from ..system import Layout, State

Quantities = Callable[[Sequence[str], Array], Sequence[Array]]


class Unpacked(Protocol):
    """`Coordinates.packed`, compiled."""

    def one(self, t: float, y: Array) -> Array:
        """Return the packed state (n_x,) of a vector (n,)."""

    def many(self, t: Array, y: Array) -> Array:
        """Return the packed states (k, n_x) of vectors (k, n) at times (k,)."""

    def rates(self, t: Array, y: Array, y_dot: Array) -> Array:
        """Return the time derivatives (k, n_x) of the packed states of vectors (k, n) that change by y_dot (k, n)."""


class Coordinates(ABC):
    """A vector y that stands for the state while it is integrated; what it says is written over any scalar.

    keeps_momentum : whether momentum is constant whatever the equations of motion, so that its constancy proves nothing
    """

    keeps_momentum: ClassVar[bool] = False

    @abstractmethod
    def start(self, model: Model, state: State) -> Array:
        """Return the vector (n,) of a state."""

    def check(self, plant: Plant) -> None:  # noqa: B027 - most fit every pair
        """Raise `ModeMismatch` with a sentence where these coordinates do not hold."""

    def constants(self, model: Model, state: State) -> Array:
        """Return numbers (k,) that are the same all along the motion from `state`."""
        del model, state
        return np.empty(0)

    def momentum(self, model: Model, state: State, constants: Array) -> Array:
        """Return [P; L_C] (6,) of the state that `constants` belong to."""
        del constants
        momentum = model.momentum(state)
        return np.concatenate([momentum.P, momentum.L_C])

    @abstractmethod
    def packed(self, layout: Layout, t: Any, y: Array, constants: Array, quantities: Quantities) -> Array:
        """Return the packed state x (n_x,) of a vector (n,), its quaternions normalised.

        quantities : names of a model's quantities and a packed state -> their arrays
        """

    @abstractmethod
    def rate(self, layout: Layout, y: Array, x: Array, udot: Array, actuator_rates: Array) -> Array:
        """Return the time derivative (n,) of `y`, whose packed state is `x`, for the accelerations udot (n_u,).

        actuator_rates : (n_a,) of the states of actuators
        """

    def accelerations(self, layout: Layout, udot: Array) -> Array:
        """Return those of the accelerations udot (n_u,) that `rate` makes use of."""
        del layout
        return udot

    @abstractmethod
    def size(self, layout: Layout) -> int:
        """Return the length n of the vectors."""

    @abstractmethod
    def place_of_attitude(self, layout: Layout) -> slice:
        """Return the place of the quaternion of a free base in y."""

    @abstractmethod
    def place_of_q(self, layout: Layout) -> slice:
        """Return the place of the joint coordinates in y."""

    def place_of_speeds(self, layout: Layout) -> slice:
        """Return the place of the speeds in y, which are the last where nothing else is said."""
        return slice(self.place_of_q(layout).stop, self.size(layout))

    def quaternions(self, layout: Layout) -> tuple[slice, ...]:
        """Return the places of all quaternions in y."""
        start = self.place_of_q(layout).start
        joints = tuple(slice(start + i, start + i + 4) for i, _ in layout.quaternions)
        return joints if layout.fixed else (self.place_of_attitude(layout), *joints)

    def state(self, layout: Layout, t: float, y: Array, unpacked: Unpacked) -> State:
        """Return the state of a vector (n,) at `t`."""
        return State.of_unit(unpacked.one(t, y), layout)

    def unit_state(self, layout: Layout, t: float, y: Array, unpacked: Unpacked) -> State:
        """Return the state of a vector (n,) at `t` whose quaternions have norm 1 already."""
        return self.state(layout, t, y, unpacked)

    def states(self, layout: Layout, t: Array, y: Array, unpacked: Unpacked) -> State:
        """Return the batch of states of vectors (k, n) at times (k,)."""
        return State.renormalised(unpacked.many(t, y), layout)

    def x_dot(self, t: Array, y: Array, y_dot: Array, unpacked: Unpacked) -> Array:
        """Return how the packed states (k, n_x) change of vectors (k, n) at times (k,) that change by y_dot (k, n)."""
        return unpacked.rates(t, y, y_dot)
