"""What the integrator sees of a state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from ...compiled import Described
from ...dynamics import Model
from ...plant import Plant
from ...spatial import Array
from ...system import Layout, State

Quantities = Callable[[Sequence[str], Array], Sequence[Array]]


class Unpacked(Protocol):
    """`Coordinates.packed`, compiled."""

    def one(self, t: float, y: Array) -> Array:
        """Return the packed state (n_x,) of a vector (n,), in an array of its own, its quaternions normalised."""

    def of_unit(self, t: float, y: Array) -> Array:
        """Return the same of a vector whose quaternions have norm 1 already."""

    def many(self, t: Array, y: Array) -> Array:
        """Return the packed states (k, n_x) of vectors (k, n) at times (k,), in an array of their own, as `one`."""

    def rates(self, t: Array, y: Array, y_dot: Array) -> Array:
        """Return the time derivatives (k, n_x) of the packed states of vectors (k, n) that change by y_dot (k, n)."""


class CoordinatePlaces(NamedTuple):
    """Where vectors (size,) have the quaternion of a free base, the joint coordinates and the speeds."""

    attitude: slice
    q: slice
    speeds: slice
    size: int

    def quaternions(self, layout: Layout) -> tuple[int, ...]:
        """Return where all quaternions begin."""
        joints = tuple(self.q.start + i for i, _ in layout.quaternions)
        return joints if layout.fixed else (self.attitude.start, *joints)


class Coordinates(Described, ABC):
    """A vector y that stands for the state while it is integrated; what it says is written over any scalar.

    In SI and components in N throughout, as states are.

    keeps_momentum : whether momentum is constant whatever the equations of motion, so that its constancy proves nothing
    is_formula : whether runs of them may be machine code

    >>> [kind.keeps_momentum for kind in (FullState, MomentumReduced)]
    [False, True]
    >>> [kind().start(model, state).size for kind in (FullState, MomentumReduced)]
    [21, 12]
    """

    keeps_momentum: ClassVar[bool] = False
    is_formula: ClassVar[bool] = False

    @abstractmethod
    def places(self, layout: Layout) -> CoordinatePlaces:
        """Return what stands where in y."""

    @abstractmethod
    def start(self, model: Model, state: State) -> Array:
        """Return the vector (n,) of a state."""

    def check(self, plant: Plant) -> None:
        """Raise `ModeMismatch` with a sentence where these coordinates do not hold."""

    def constants(self, model: Model, state: State) -> Array:
        """Return numbers (k,) that are the same all along the motion from `state`."""
        del model, state
        return np.empty(0)

    def momentum(self, model: Model, state: State, constants: Array) -> Array:
        """Return [P; L_C] (6,) [N s, N m s] in N of the state that `constants` belong to."""
        del constants
        momentum = model.momentum(state)
        return np.concatenate([momentum.P, momentum.L_C])

    @abstractmethod
    def packed(self, layout: Layout, t: Any, y: Array, constants: Array, quantities: Quantities) -> Array:
        """Return the packed state x (n_x,) of a vector (n,), its quaternions normalised.

        quantities : names of a model's quantities and a packed state -> their arrays
        """

    @abstractmethod
    def unpacked(self, model: Model, layout: Layout, constants: Array) -> Unpacked:
        """Return the same, compiled; constants : (k,)."""

    @abstractmethod
    def rate(self, layout: Layout, t: Any, y: Array, x: Array, udot: Array, own_rates: Array) -> Array:
        """Return the time derivative (n,) of `y` at `t` [s], whose packed state is `x`, for the accelerations udot (n_u,).

        own_rates : those of the states of actuators and loads
        """

    def accelerations(self, layout: Layout, udot: Array) -> Array:
        """Return those of the accelerations udot (n_u,) [m/s^2, rad/s^2] that `rate` makes use of."""
        del layout
        return udot
