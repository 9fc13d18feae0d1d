"""What every controller offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from ..dynamics import Model
from ..guidance import Sample
from ..modes import ManoeuvreMode
from ..spatial import Array
from ..system import State
from ._recorded_law import RecordedLaw


class Controller(ABC):
    """A control law. It never changes: what it remembers is passed in and handed back.

    A law without memory hands back None; it is called at every stage of the integrator. What a law with memory hands
    back is kept only from the ends of accepted steps, so the memory never holds a trial state.
    """

    @abstractmethod
    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command and the next memory.

        The command is (N,) joint forces tau [N m or N], or (6 + N,) [f; n; tau] where the mode commands the base.
        """

    def start(self, state: State) -> Any:
        """Return the memory before the first command; None unless the law remembers something."""
        del state

    def check(self, model: Model, mode: ManoeuvreMode) -> None:  # noqa: B027 - most laws fit every pair
        """Raise `ModeMismatch` with a sentence when this law cannot drive `model` in `mode`."""

    @property
    def kind(self) -> str:
        """What it is called in reports, with what it wraps."""
        own = type(self).__name__
        return own if self.inside is None else f"{own}({self.inside.kind})"

    @property
    def inside(self) -> Controller | None:
        """The law that this one wraps; None for one that stands alone."""
        return None

    @property
    def believed(self) -> Model | None:
        """The model of the system that it believes in; None for a law that knows none."""
        return None if self.inside is None else self.inside.believed

    @property
    def settings(self) -> Mapping[str, Any]:
        """Gains and the like, by the names that mission files have for them, with those of the law inside."""
        return {} if self.inside is None else self.inside.settings

    @property
    def equations(self) -> tuple[str, ...]:
        """Which published equations it is made of, by the names that `report.equations_used` knows, with those inside."""
        return () if self.inside is None else self.inside.equations

    def begun(self, state: State) -> Controller:
        """Return the law of a run that begins in `state`: itself, but for what it is to hold as it finds it."""
        del state
        return self

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations over any scalar, with which a run needs no Python; None where there are none.

        It counts for the class that defines it only, so that a subclass with another law runs that law.
        """
        return None
