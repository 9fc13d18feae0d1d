"""How shapes that touch hold each other against sliding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ...spatial import Array


class ContactFriction(ABC):
    """The force across the normal, of the force along it and of how the second shape slides on the first; any scalar.

    Laws are frozen dataclasses. None may branch on values. Vectors are in N, and so is a state of three numbers, which
    turns with the first shape.

    states : names of own states of each place of touch, with their units: none, or the components of one vector

    >>> class Viscous(ContactFriction):
    ...     def force(self, push, slip, stretch):
    ...         return -2.0 * push * slip
    >>> float(Viscous().force(10.0, np.array([0.1, 0, 0]), np.zeros(0))[0]), Viscous().states
    (-2.0, {})
    """

    states: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def force(self, push: Any, slip: Array, stretch: Array) -> Array:
        """Return the force (3,) on the second shape, in N [N].

        push : along the normal [N], 0 apart; slip : (3,) velocity of the second on the first across the normal, in N [m/s]
        stretch : (k,) own states, in the units that `states` says
        """

    def rates(self, push: Any, slip: Array, stretch: Array) -> Array:
        """Return the time derivative (k,) of own states, in their units per second; arguments as of `force`, in N and SI."""
        del push, slip, stretch
        return np.zeros(0)


class Frictionless(ContactFriction):
    """No force across the normal, by definition.

    >>> np.abs(Frictionless().force(10.0, np.array([0.1, 0, 0]), np.zeros(0))).tolist()
    [0.0, 0.0, 0.0]
    """

    def force(self, push: Any, slip: Array, stretch: Array) -> Array:
        del push, stretch
        return 0.0 * slip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frictionless)

    def __hash__(self) -> int:
        return hash(Frictionless)

    def __repr__(self) -> str:
        return "Frictionless()"
