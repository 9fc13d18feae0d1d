"""How a model's equations become programs [Wilde2018] Figure 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Full:
    """Full symbolic implementation: every quantity is one program of the state."""


@dataclass(frozen=True)
class Partial:
    """Partial symbolic implementation: transforms, H0, H0m, Hm and H0^-1 are programs, the rest is composed of numbers."""


@dataclass(frozen=True)
class Reference:
    """No programs: the paper's sums evaluated on floats as they stand. Slow, and what everything else is checked against."""


@dataclass(frozen=True)
class FoldedInertia:
    """Masses, centres of mass and inertias are constants of the programs, regrouped and folded."""

    inputs: ClassVar[frozenset[str]] = frozenset()


@dataclass(frozen=True)
class RunTimeInertia:
    """Masses, centres of mass and inertias are an input of the programs, so that other hardware needs no new ones.

    inputs : what fields are called, in their metadata, that are inputs
    """

    inputs: ClassVar[frozenset[str]] = frozenset({"inertia"})


Implementation = Full | Partial | Reference
Inertia = FoldedInertia | RunTimeInertia
