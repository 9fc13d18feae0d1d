"""How hard two shapes push each other apart."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class NormalLaw(ABC):
    """The force along the normal, of how deep one shape is in the other [m] and how fast it goes deeper [m/s]; any scalar.

    Laws are frozen dataclasses, so that equal contacts share their programs. None may branch on values.

    >>> class Linear(NormalLaw):
    ...     def force(self, depth, rate):
    ...         return self.elastic(depth)
    ...
    ...     def elastic(self, depth):
    ...         return 1e4 * max(depth, 0.0)
    ...
    ...     def grip(self, depth, rate):
    ...         return 1.0
    >>> Linear().force(1e-3, 0.0)
    10.0
    """

    @abstractmethod
    def force(self, depth: Any, rate: Any) -> Any:
        """Return the force [N], >= 0, and 0 where depth <= 0."""

    @abstractmethod
    def elastic(self, depth: Any) -> Any:
        """Return the part of it that is given back, of depth alone [N]; the rest is lost."""

    @abstractmethod
    def grip(self, depth: Any, rate: Any) -> Any:
        """Return a number that is < 0 where the law would pull and its force is 0 instead, as smooth as it is."""
