"""What every environment offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ..dynamics import Geometry, Model
from ..spatial import Array
from ._body_wrenches import BodyWrenches


class Environment(ABC):
    """What acts on the bodies from outside, as a function of where they are, how they lie, and time; any scalar."""

    @abstractmethod
    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` with a sentence when `model` cannot be in this environment."""

    @abstractmethod
    def wrenches(self, geometry: Geometry, r_0: Array, t: Any) -> BodyWrenches:
        """Return what acts on every body at t [s]; r_0 : (3,) base CoM in N [m]. Must not branch on values: it is recorded."""

    @property
    def epoch(self) -> tuple[Environment, float]:
        """An equal environment and how much later [s] this one's clock is; the same one for all that differ in that alone."""
        return self, 0.0

    @abstractmethod
    def later(self, seconds: float) -> Environment:
        """Return the same environment with t counted from `seconds` later on."""
