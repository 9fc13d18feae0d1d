"""A law that says what it was told, for plants whose command comes from outside."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...control import RecordedLaw
from ...guidance import JointReference, ReferenceForm
from ...spatial import Array

HELD = "command"
NOTHING = np.empty(0)


@dataclass(frozen=True)
class Held(RecordedLaw):
    """A command (size,) that is numbers."""

    size: int

    @property
    def key(self) -> Hashable:
        """Laws of one size are equal."""
        return "held", self.size

    @property
    def numbers(self) -> Mapping[str, Array]:
        """The command."""
        return {HELD: np.zeros(self.size)}

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        """Return them."""
        del x, wanted
        return numbers[HELD]


@dataclass(frozen=True)
class NoReference(ReferenceForm):
    """Nothing to follow."""

    @property
    def size(self) -> int:
        """No numbers."""
        return 0

    def at(self, t: Any, numbers: Array) -> JointReference:
        """Return an empty reference."""
        del t, numbers
        return JointReference(NOTHING, NOTHING, NOTHING)
