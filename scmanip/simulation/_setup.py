"""Everything that a run needs, checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..control import Controller
from ..dynamics import Model
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

    @property
    def books(self) -> int:
        """Length of the end of y: work, dissipated energy, impulse (6) where something acts from outside, propellant."""
        return 2 + 6 * self.mode.pushed + self.burns

    @property
    def burns(self) -> bool:
        """Whether thrusters push."""
        return self.mode.pushed and bool(self.model.system.thrusters)

    def motion(self, y: Array) -> Array:
        """Return the part of y that the coordinates know, without the books behind it."""
        return y[: len(y) - self.books]
