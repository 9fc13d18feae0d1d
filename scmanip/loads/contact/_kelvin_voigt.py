"""The law of Kelvin and Voigt: a spring beside a damper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import refuse
from ...spatial import coefficient_problems, positive_problems
from ...symbolic import less, maximum, select
from ._normal_law import NormalLaw


@dataclass(frozen=True)
class KelvinVoigt(NormalLaw):
    """F = k depth + c rate where shapes touch, nowhere below 0; it begins with a jump of c times the speed.

    By definition of a body of Kelvin and Voigt, cut off where it would pull.

    stiffness_N_m : k > 0 [N/m]
    damping_Ns_m : c >= 0 [N s/m]

    Raises `InvalidInput` for numbers out of range.

    >>> law = KelvinVoigt(1e4, damping_Ns_m=100.0)
    >>> [round(float(law.force(1e-3, rate)), 6) for rate in (-0.5, 0.0, 0.1)]  # it never pulls
    [0.0, 10.0, 20.0]
    """

    stiffness_N_m: float
    damping_Ns_m: float = 0.0

    def __post_init__(self) -> None:
        problems = positive_problems("stiffness_N_m", self.stiffness_N_m)
        refuse(problems + coefficient_problems("damping_Ns_m", self.damping_Ns_m))

    def force(self, depth: Any, rate: Any) -> Any:
        return select(less(0.0, depth), maximum(self.stiffness_N_m * self.grip(depth, rate), 0.0), 0.0)

    def elastic(self, depth: Any) -> Any:
        """Return k depth [N]."""
        return self.stiffness_N_m * maximum(depth, 0.0)

    def grip(self, depth: Any, rate: Any) -> Any:
        """Return depth + c / k rate [m]."""
        return depth + self.damping_Ns_m / self.stiffness_N_m * rate
