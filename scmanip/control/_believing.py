"""Laws that believe in one model of the system or share that of a law inside, and those that are made for one mode."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

from ..dynamics import Model
from ..modes import ManoeuvreMode
from ._controller import Controller, Wrapper
from ._estimate import refuse_other_flight


class Believing(Controller):
    """A law with an `estimate`, the model of the system as it believes it to be."""

    estimate: Model

    @property
    def believed(self) -> Model:
        return self.estimate

    def believing(self, model: Model) -> Self:
        """Return the law with another estimate."""
        return self.altered(estimate=model)

    def altered(self, **fields: Any) -> Self:
        """Return it with other fields."""
        made = copy(self)
        vars(made).update(fields)
        return made


class OfOneMode(Believing):
    """A law with an estimate that flies in one `mode`, whose ideal actuators the estimate has."""

    mode: ManoeuvreMode

    @property
    def made_for(self) -> ManoeuvreMode:
        """The mode that it flies in."""
        return self.mode

    def believing(self, model: Model) -> Self:
        return self.altered(estimate=self.mode.equipped(model))

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` when it was made for another mode, other joints or other actuators."""
        refuse_other_flight(type(self).__name__, self.estimate, self.mode, model, mode)


class AroundEstimate(Wrapper):
    """A law around one with an estimate, which is its own as well."""

    @property
    def estimate(self) -> Model:
        """That of the law inside."""
        found = self.law.believed
        assert found is not None  # checked when it was made
        return found


class AroundInOneMode(AroundEstimate):
    """A law around one with an estimate that flies in one `mode`, whose ideal actuators the estimate has."""

    mode: ManoeuvreMode

    @property
    def made_for(self) -> ManoeuvreMode:
        """The mode that it flies in."""
        return self.mode

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` when it was made for another mode, and where the law inside does."""
        refuse_other_flight(type(self).__name__, self.estimate, self.mode, model, mode)
        self.law.check(model, self.mode_inside(mode))

    def mode_inside(self, mode: ManoeuvreMode) -> ManoeuvreMode:
        """Return the mode that the law inside takes itself to fly in."""
        return mode
