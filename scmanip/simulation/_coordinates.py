"""What the integrator sees of a state."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..dynamics import Model
from ..spatial import Array
from ..system import State


class Coordinates(ABC):
    """A vector y that stands for the state while it is integrated."""

    @abstractmethod
    def start(self, model: Model, state: State) -> Array:
        """Return the vector (n,) of a state."""

    @abstractmethod
    def state(self, model: Model, y: Array) -> State:
        """Return the state of a vector (n,), its quaternions normalised."""

    @abstractmethod
    def rate(self, model: Model, y: Array, state: State, udot: Array, wheel_rad_s2: Array) -> Array:
        """Return the time derivative (n,) of `y`, whose state is `state`, for the accelerations udot (n_u,).

        wheel_rad_s2 : (n_w,) of the wheels relative to the base
        """

    @abstractmethod
    def normalised(self, model: Model, y: Array) -> Array:
        """Return `y` (n,) with its own constraints, such as the norms of quaternions, restored."""
