"""Laws that say what they are told, for plants whose command comes from outside."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...compiled import SLOTS
from ...control import RecordedLaw
from ...guidance import JointReference, ReferenceForm
from ...spatial import Array

HELD = "command"
ASKED = "asked"
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
class AskedFor(Held):
    """The same where machine code asks for the command before every evaluation (`Ode.asking`)."""

    @property
    def key(self) -> Hashable:
        """Laws of one size are equal."""
        return "asked", self.size

    @property
    def numbers(self) -> Mapping[str, Array]:
        """The command, behind what is needed to ask for it."""
        return {ASKED: np.zeros(SLOTS + self.size)}

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        """Return it."""
        del x, wanted
        return numbers[ASKED][SLOTS:]


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
