"""What every sensor offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from ..actuators import Declared
from ..dynamics import Model
from ..spatial import Array
from ..system import State, System
from ._instant import Instant

Labels = tuple[tuple[str, str], ...]


class Sensor(Declared, ABC):
    """Looks at what is true, and says it with errors. A frozen dataclass whose fields are annotated with a `Quantity` each.

    It never changes: what it remembers is passed in and handed back, and its chance as well.

    kind : the word of its tables
    name : unique among the sensors
    rate_Hz : how often it looks; as often as the law does if not said
    latency_s : how much later what it saw is known [s]

    >>> class Clock(Sensor):
    ...     kind, name, rate_Hz = "clock", "clock", None
    ...     def labels(self, system):
    ...         return (("t", "s"),)
    ...     def draws(self, system):
    ...         return 0
    ...     def read(self, instant, period_s, noise, memory):
    ...         return np.array([instant.t]), memory
    ...
    >>> Clock().read(Instant(plant, 2.0, state, np.zeros(4)), 0.1, np.empty(0), None)[0].tolist()
    [2.0]
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
    def read(self, instant: Instant, period_s: float, noise: Array, memory: Any) -> tuple[Array, Any]:
        """Return what it says (n,), in the units of `labels`, NaN where it sees nothing, and what it remembers.

        period_s : between two looks [s]; noise : (draws,) bare numbers; memory : None at the first look
        """

    def told(self, state: State, system: System, values: Array) -> State:
        """Return a state with what the sensor says (n,), in its units, in it alone, where it says anything of a state."""
        del system, values
        return state
