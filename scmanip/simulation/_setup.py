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
        """How many entries are integrated behind the coordinates: work, dissipated energy, and those of the environment."""
        return 2 if self.environment is None else 2 + External.COLUMNS
