"""Friction of bristles, which bend before they slide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...errors import Problem, refuse
from ...spatial import Array, coefficient_problems, positive_problems, sqrt
from ...symbolic import less, select
from ._friction import ContactFriction


@dataclass(frozen=True)
class Bristle(ContactFriction):
    """LuGre friction [CanudasDeWit1995] in proportion to the force along the normal: it holds without creeping.

    F = -push mu / b (z + tau z'), z' = slip - |slip| z / (b s), s = 1 + (mu_static / mu - 1) / (1 + (slip / v_s)^2).
    Bristles that touch nothing come back by themselves, z' = -z / tau.

    coefficient : mu > 0 of sliding, a bare number; static_coefficient : a bare number >= mu, mu unless said
    deflection_m : b > 0 [m], by which they bend where all slides
    relaxation_s : tau > 0 [s]
    stribeck_m_s : v_s > 0 [m/s], at which half of what is static is left

    Raises `InvalidInput` for numbers out of range.

    >>> brush = Bristle(0.3, deflection_m=1e-4, relaxation_s=1e-3)
    >>> bent, slip = np.array([1e-4, 0, 0]), np.zeros(3)
    >>> (brush.force(10.0, slip, bent).round(6) + 0).tolist()  # it holds without slip
    [-3.0, 0.0, 0.0]
    """

    states: ClassVar[Mapping[str, str]] = {"x": "m", "y": "m", "z": "m"}

    coefficient: float
    deflection_m: float
    relaxation_s: float
    static_coefficient: float | None = None
    stribeck_m_s: float = field(default=1e-3)

    def __post_init__(self) -> None:
        problems = coefficient_problems("friction coefficient", self.coefficient)
        positive = ("deflection_m", "relaxation_s", "stribeck_m_s", *(() if problems else ("coefficient",)))
        for name in positive:
            problems += positive_problems(f"friction {name}", getattr(self, name))
        static = self.static_coefficient
        if static is not None and not problems:
            problems += coefficient_problems("friction static_coefficient", static)
            if not problems and static < self.coefficient:
                problems = [
                    Problem("friction static_coefficient", f"at least the coefficient {self.coefficient:g}", f"{static:g}")
                ]
        refuse(problems)

    def force(self, push: Any, slip: Array, stretch: Array) -> Array:
        bent = stretch + self.relaxation_s * self._bending(slip, stretch)
        return -(push * self.coefficient / self.deflection_m) * bent

    def rates(self, push: Any, slip: Array, stretch: Array) -> Array:
        """Return z' (3,) in N [m/s]."""
        return select(less(0.0, push), self._bending(slip, stretch), -stretch / self.relaxation_s)

    def _bending(self, slip: Array, stretch: Array) -> Array:
        square = slip @ slip
        more = 0.0 if self.static_coefficient is None else self.static_coefficient / self.coefficient - 1
        strength = 1 + more / (1 + square / self.stribeck_m_s**2)
        return slip - (sqrt(square) / (self.deflection_m * strength)) * stretch
