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
class HeldCommand(RecordedLaw):
    """A command (size,) that is numbers."""

    size: int

    @property
    def key(self) -> Hashable:
        """Laws of one size are equal."""
        return "held", self.size

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {HELD: np.zeros(self.size)}

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        del x, wanted
        return numbers[HELD]


@dataclass(frozen=True)
class AskedFor(HeldCommand):
    """The same where machine code asks for the command before every evaluation (`Ode.asking`).

    flowing : of how many numbers, which the law remembers as part of the state, it asks for the rates as well
    """

    flowing: int = 0

    @property
    def key(self) -> Hashable:
        return "asked", self.size, self.flowing

    @property
    def numbers(self) -> Mapping[str, Array]:
        """The command and those rates, behind what is needed to ask for them."""
        return {ASKED: np.zeros(SLOTS + self.size + self.flowing)}

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        """Return the command."""
        del x, wanted
        return numbers[ASKED][SLOTS : SLOTS + self.size]

    def said(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        del memory
        return self.force(x, wanted, numbers), numbers[ASKED][SLOTS + self.size :]


@dataclass(frozen=True)
class NoReference(ReferenceForm):
    """Nothing to follow."""

    size = 0

    def at(self, t: Any, numbers: Array) -> JointReference:
        del t, numbers
        return JointReference(NOTHING, NOTHING, NOTHING)
