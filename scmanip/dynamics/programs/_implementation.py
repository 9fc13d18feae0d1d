"""How a model's equations become programs [Wilde2018] Figure 3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...errors import expect
from ...spatial import Array
from ...system import Body, System
from ..sums._parameters import moved_mass


def inertia_table(system: System) -> Array:
    """Return (n_b, 10): per body mass [kg], centre of mass (3) [m], inertia xx yy zz xy xz yz about it [kg m^2].

    Components in the moved joint frame, which is the body's own frame except for Denavit-Hartenberg links.
    """
    expect("system", system, System, "a System")
    return np.array([inertia_row(body) for body in system.bodies])


def inertia_row(body: Body) -> Array:
    """Return the row (10,) of a body in `inertia_table`."""
    com, I = moved_mass(body)
    return np.array([body.mass_kg, *com, I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])


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

    patterns: ClassVar[tuple[str, ...]] = ()

    def table(self, system: System) -> Array | None:
        """Return the input that holds inertias, None where there is none."""
        return None

    def beside(self, symbols: Sequence[str]) -> list[str]:
        """Return those paths of numbers that are not in the table."""
        return list(symbols)


@dataclass(frozen=True)
class RunTimeInertia:
    """Masses, centres of mass and inertias are an input of the programs, so that other hardware needs no new ones.

    patterns : of the numbers of a system that they are
    """

    patterns: ClassVar[tuple[str, ...]] = ("body.*.mass_kg", "body.*.com_m", "body.*.inertia_kg_m2")

    def table(self, system: System) -> Array | None:
        """Return the input that holds them, (n_b, 10) as `inertia_table` gives it."""
        return inertia_table(system)

    def beside(self, symbols: Sequence[str]) -> list[str]:
        """Return those paths of numbers that are not in the table."""
        keys = tuple(pattern.rpartition(".")[2] for pattern in self.patterns)
        return [path for path in symbols if not (path.startswith("body.") and path.rpartition(".")[2].startswith(keys))]


Implementation = Full | Partial | Reference
Inertia = FoldedInertia | RunTimeInertia
