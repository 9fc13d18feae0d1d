"""Friction of Coulomb, made smooth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import refuse
from ...spatial import Array, coefficient_problems, positive_problems, sqrt
from ._friction import ContactFriction


@dataclass(frozen=True)
class Coulomb(ContactFriction):
    """F = -mu push slip / sqrt(slip^2 + stick^2): what would stick creeps instead, slower than the scale of speeds `stick_m_s`.

    Coulomb's law, by a smooth step of our own.

    coefficient : mu >= 0, a bare number
    stick_m_s : > 0 [m/s]; at it the force is 0.71 of what slides, and what needs a part h of that creeps at
        h / sqrt(1 - h^2) of it

    Raises `InvalidInput` for numbers out of range.

    >>> (Coulomb(0.3).force(10.0, np.array([0.5, 0, 0]), np.zeros(0)).round(4) + 0).tolist()
    [-3.0, 0.0, 0.0]
    """

    coefficient: float
    stick_m_s: float = 1e-3

    def __post_init__(self) -> None:
        problems = coefficient_problems("friction coefficient", self.coefficient)
        refuse(problems + positive_problems("friction stick_m_s", self.stick_m_s))

    def force(self, push: Any, slip: Array, stretch: Array) -> Array:
        del stretch
        return -(self.coefficient * push / sqrt(slip @ slip + self.stick_m_s**2)) * slip
