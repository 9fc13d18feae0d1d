"""What every estimator offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ..actuators import Declared
from ..dynamics import Model
from ..spatial import Array
from ..system import State, System
from ._instant import Instant
from ._outlet import Outlet
from ._sensor import Labels, Sensor

NOTHING = np.empty(0)
Outlets = Mapping[str, Outlet]


class Estimator(Declared, ABC):
    """Makes more of what sensors say. A frozen dataclass whose fields are annotated with a `Quantity` each.

    It never changes: what it remembers is passed in and handed back.

    kind : the word of its tables
    name : unique among sensors and estimators

    >>> rates = Differentiator("rates", "encoders")
    >>> [(name, kind.__name__) for name, kind in rates.sources]
    [('encoders', 'Encoders')]
    """

    kind: ClassVar[str]
    name: str

    @property
    def sources(self) -> Sequence[tuple[str, type[Sensor]]]:
        """Names of the sensors that it needs, each with the kind that it has to be."""
        return ()

    def check(self, model: Model, sensors: Mapping[str, Sensor], rate_Hz: float) -> None:
        """Raise `ModeMismatch` with a sentence for a system, sensors or a rate of the law [1/s] with which it cannot work."""

    @abstractmethod
    def labels(self, system: System, sensors: Mapping[str, Sensor]) -> Labels:
        """Return names and units of what it says."""

    def error_labels(self, system: System) -> Labels:
        """Return names and units of its error state; none where it does not say how sure it is."""
        del system
        return ()

    @abstractmethod
    def start(self, truth: Instant, outlets: Outlets, noise: Array) -> Any:
        """Return what it knows before the first sample: what is true, off by noise (n_e,), bare numbers, of its P_0."""

    @abstractmethod
    def step(self, known: Instant, outlets: Outlets, memory: Any) -> Any:
        """Return what it knows at a sample. known : the instant in the state that sensors, and estimators before it, tell."""

    @abstractmethod
    def values(self, memory: Any) -> Array:
        """Return what it says (n,), in the units of `labels`."""

    def told(self, known: Instant, outlets: Outlets, memory: Any) -> State:
        """Return the state of an instant with what the estimator says in it."""
        del outlets, memory
        return known.state

    def errors(self, truth: Instant, outlets: Outlets, memory: Any) -> Array:
        """Return its error state (n_e,), what is true less what it says, in the units of `error_labels`."""
        del truth, outlets, memory
        return NOTHING

    def covariance(self, memory: Any) -> Array:
        """Return the covariance (n_e, n_e) that it believes its errors to have, in products of their units."""
        del memory
        return np.empty((0, 0))
