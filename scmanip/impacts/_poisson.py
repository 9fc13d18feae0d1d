"""Poisson's law of impact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..spatial import Array
from ._enumeration import solved
from ._problem import ContactProblem
from ._restitution import Restitution, joined, phase
from ._solution import Solution


@dataclass(frozen=True)
class Poisson(Restitution):
    """Contacts give back e times the normal impulse of their compression, in a second phase [Pfeiffer1996].

    Compression ends with v_n >= 0. In expansion p_n >= e p_n of the compression and v_n+ >= 0, one of them with equality.
    Friction opposes the slip at the end of its phase.

    Raises `InvalidInput` for numbers out of range.

    >>> floor = Contacts(N=np.array([[0.0, 1.0]]), T=np.array([[1.0, 0.0]]), mu=0.2)
    >>> found = impact(np.eye(2), np.array([3.0, -1.0]), floor, Poisson(0.5))
    >>> found.normal.round(6).tolist(), found.tangential.round(6).tolist()  # 1 of compression, half of it of expansion
    ([1.5], [[-0.3]])
    """

    kind: ClassVar[str] = "poisson"

    def impulses(self, struck: ContactProblem, e: Array) -> Solution:
        compressed = phase(struck, solved(struck))
        after = expansion(struck, compressed, e)
        return joined(compressed, phase(after, solved(after)))


def expansion(struck: ContactProblem, compressed: Solution, e: Array) -> ContactProblem:
    """Return what follows compression: at least e (c,) times its normal impulses are normal."""
    (f,) = compressed.f
    return ContactProblem(struck.W, struck.b + struck.W @ f, struck.mu, struck.slip, e * struck.split(f)[0])
