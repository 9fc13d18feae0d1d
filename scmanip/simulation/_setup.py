"""Everything that a run needs, checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..control import Controller
from ..dynamics import Model
from ..environment import Environment, External
from ..guidance import Reference
from ..modes import ManoeuvreMode
from ..spatial import Array
from ..system import State
from ._coordinates import Coordinates
from ._integrator import Integrator


@dataclass(frozen=True, eq=False)
class Setup:
    """A run before it starts; made by `prepare`.

    samples : (n,) output times [s]
    stops : times [s] from 0 to the end where the integrator restarts
    """

    model: Model
    mode: ManoeuvreMode
    controller: Controller
    state0: State
    reference: Reference | None
    integrator: Integrator
    coordinates: Coordinates
    rtol: float
    atol: float
    samples: Array
    stops: tuple[float, ...]
    progress: Callable[[float], None] | None
    environment: Environment | None = None

    @property
    def books(self) -> int:
        """How many entries are integrated behind the coordinates.

        Work, dissipated energy, the impulse (6) of actuators that push from outside, the propellant of thrusters, and the books
        of the environment.
        """
        return 2 + 6 * self.mode.pushed + self.burns + External.COLUMNS * (self.environment is not None)

    @property
    def burns(self) -> bool:
        """Whether thrusters push."""
        return self.mode.pushed and bool(self.model.system.thrusters)

    def motion(self, y: Array) -> Array:
        """Return the part of y that the coordinates know, without the books behind it."""
        return y[..., : y.shape[-1] - self.books]

    def outside(self, y: Array) -> Array:
        """Return the books of the environment, the last of y or of its books; empty in free space."""
        return y[..., y.shape[-1] - External.COLUMNS * (self.environment is not None) :]
