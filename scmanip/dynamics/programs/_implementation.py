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

    Raises `InvalidInput` for what is no `System`.

    >>> inertia_table(system).shape, inertia_table(system)[:, 0].tolist()
    ((5, 10), [100.0, 10.0, 10.0, 10.0, 10.0])
    """
    expect("system", system, System, "a System")
    return np.array([inertia_row(body) for body in system.bodies])


def inertia_row(body: Body) -> Array:
    """Return the row (10,) of a body in `inertia_table`, in the units and axes that it has there.

    >>> inertia_row(system.bodies[1]).shape, inertia_row(system.bodies[1])[:2].tolist()
    ((10,), [10.0, 0.5])
    """
    com, I = moved_mass(body)
    return np.array([body.mass_kg, *com, I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])


@dataclass(frozen=True)
class Full:
    """Full symbolic implementation: every quantity is one program of the state.

    >>> compile_model(system, implementation=Full()).implementation == model.implementation
    True
    """


@dataclass(frozen=True)
class Partial:
    """Partial symbolic implementation: transforms, H0, H0m, Hm and H0^-1 are programs, the rest is composed of numbers.

    >>> rod = scmanip.Body("rod", 3.0, [0.0, 1.0, 1.0], [0.5, 0, 0], "base", scmanip.Joint("pin", "revolute"))
    >>> pendulum = scmanip.System("pendulum", scmanip.Body("base", 0.0, [0, 0, 0]), [rod], fixed=True)
    >>> at = scmanip.State(q=[0.3], qdot=[0.0])
    >>> compile_model(pendulum, implementation=Partial()).H(at).round(6).tolist()  # 1 + 3 0.5^2
    [[1.75]]
    """


@dataclass(frozen=True)
class Reference:
    """No programs: the paper's sums evaluated on floats as they stand. Slow, and what everything else is checked against.

    >>> reference = compile_model(system, implementation=Reference())
    >>> bool(np.allclose(reference.H(state), model.H(state), rtol=1e-12))
    True
    """


@dataclass(frozen=True)
class FoldedInertia:
    """Masses, centres of mass and inertias are constants of the programs, regrouped and folded.

    >>> "body.link4.mass_kg" in derive(system, inertia=FoldedInertia()).symbols
    False
    """

    patterns: ClassVar[tuple[str, ...]] = ()

    def table(self, system: System) -> Array | None:
        """Return the input that holds inertias (n_b, 10) in SI, None where there is none."""
        return None

    def beside(self, symbols: Sequence[str]) -> list[str]:
        """Return those paths of numbers that are not in the table."""
        return list(symbols)


@dataclass(frozen=True)
class RunTimeInertia:
    """Masses, centres of mass and inertias are an input of the programs, so that other hardware needs no new ones.

    patterns : of the numbers of a system that they are

    >>> symbolic = derive(system, inertia=RunTimeInertia())
    >>> [(i.name, i.shape) for i in symbolic.H.program.inputs]
    [('inertia', (5, 10)), ('q', (4,))]
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
