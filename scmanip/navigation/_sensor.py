"""What every sensor offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from ..actuators import Declared
from ..dynamics import Model
from ..spatial import Array
from ..system import State, System
from ._scene import Scene

Labels = tuple[tuple[str, str], ...]


class Sensor(Declared, ABC):
    """Looks at what is true, and says it with errors. A frozen dataclass whose fields are annotated with a `Quantity` each.

    It never changes: what it remembers is passed in and handed back, and its chance as well.

    kind : the word of its tables
    name : unique among the sensors
    rate_Hz : how often it looks; as often as the law does if not said
    latency_s : how much later what it saw is known [s]
    """

    kind: ClassVar[str]
    latency_s: float = 0.0
    name: str
    rate_Hz: float | None

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` with a sentence for a system at which it cannot look, `UnknownName` for names in it."""

    @abstractmethod
    def labels(self, system: System) -> Labels:
        """Return names and units of the numbers that it says."""

    @abstractmethod
    def draws(self, system: System) -> int:
        """Return how many standard normal numbers one look takes."""

    @abstractmethod
    def read(self, scene: Scene, period_s: float, noise: Array, memory: Any) -> tuple[Array, Any]:
        """Return what it says (n,), NaN where it sees nothing, and what it remembers.

        period_s : between two looks [s]; noise : (draws,); memory : None at the first look
        """

    def told(self, state: State, system: System, values: Array) -> State:
        """Return a state with what the sensor says in it alone, where it says anything of a state."""
        del system, values
        return state
