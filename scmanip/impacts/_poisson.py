"""Poisson's law of impact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..spatial import Array
from ._enumeration import solved
from ._problem import Problem
from ._restitution import Restitution, joined, phase
from ._solution import Solution


@dataclass(frozen=True)
class Poisson(Restitution):
    """Contacts give back e times the normal impulse of their compression, in a second phase [Pfeiffer1996].

    Compression ends with v_n >= 0. In expansion p_n >= e p_n of the compression and v_n+ >= 0, one of them with equality.
    Friction opposes the slip at the end of its phase.
    """

    kind: ClassVar[str] = "poisson"

    def impulses(self, struck: Problem, e: Array) -> Solution:
        """Return the impulses."""
        compressed = phase(struck, solved(struck))
        after = expansion(struck, compressed, e)
        return joined(compressed, phase(after, solved(after)))


def expansion(struck: Problem, compressed: Solution, e: Array) -> Problem:
    """Return what follows compression: at least e (c,) times its normal impulses are normal."""
    (f,) = compressed.f
    return Problem(struck.W, struck.b + struck.W @ f, struck.mu, struck.slip, e * struck.split(f)[0])
