"""The law of Hunt and Crossley: loss that grows with depth, so that the force begins and ends at zero."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...errors import Problem, refuse
from ...spatial import coefficient_problems, is_number, positive_problems, sqrt
from ...symbolic import maximum
from ._normal_law import NormalLaw

MOST_EXPONENT = 5.0


@dataclass(frozen=True)
class HuntCrossley(NormalLaw):
    """F = k depth^n (1 + c rate), nowhere below 0 [Hunt1975].

    stiffness : k > 0 [N/m^n]
    exponent : n, a bare number, 1, 1.5, 2, ... up to 5; 1.5 is that of Hertz for two balls
    damping_s_m : c >= 0 [s/m]

    Raises `InvalidInput` for numbers out of range.

    >>> law = HuntCrossley.bouncing(1e5, restitution=0.6, speed_m_s=0.1)
    >>> [round(float(law.force(1e-3, rate)), 4) for rate in (-0.1, 0.0, 0.1)]  # leaving, still, coming
    [0.0795, 3.1623, 6.2451]
    """

    stiffness: float
    exponent: float = 1.5
    damping_s_m: float = 0.0

    def __post_init__(self) -> None:
        problems = positive_problems("stiffness", self.stiffness) + coefficient_problems("damping_s_m", self.damping_s_m)
        n = self.exponent
        if not (is_number(n) and 1 <= n <= MOST_EXPONENT and float(2 * n).is_integer()):
            problems.append(Problem("exponent", f"1, 1.5, 2, ... up to {MOST_EXPONENT:g}", repr(n)))
        refuse(problems)

    @classmethod
    def bouncing(cls, stiffness: float, exponent: float = 1.5, *, restitution: float, speed_m_s: float) -> HuntCrossley:
        """Return the law after which what comes at `speed_m_s` > 0 leaves with `restitution` times it, 0 < restitution <= 1.

        stiffness : k [N/m^n]; exponent, restitution : bare numbers

        With nothing else acting v dv / (1 + c v) = -k/m depth^n d(depth), and each side is integrated: with d = c speed
        (1 + e) d = ln((1 + d) / (1 - e d)), whatever k, m and n are. For e near 1 that is c = 3 (1 - e) / (2 speed).
        """
        problems = positive_problems("speed_m_s", speed_m_s)
        if not (is_number(restitution) and 0 < restitution <= 1):
            problems.append(Problem("restitution", "a number above 0, at most 1", repr(restitution)))
        refuse(problems)
        return cls(stiffness, exponent, _loss(float(restitution)) / speed_m_s)

    def force(self, depth: Any, rate: Any) -> Any:
        return self.elastic(depth) * maximum(self.grip(depth, rate), 0.0)

    def elastic(self, depth: Any) -> Any:
        """Return k depth^n [N]."""
        inside = maximum(depth, 0.0)
        root = sqrt(inside) if self.exponent % 1 else 1.0
        return self.stiffness * inside ** int(self.exponent) * root

    def grip(self, depth: Any, rate: Any) -> Any:
        """Return 1 + c rate."""
        del depth
        return 1.0 + self.damping_s_m * rate


def _loss(e: float) -> float:
    """Return d > 0 of (1 + e) d = ln((1 + d) / (1 - e d)), below 1 / e; 0 for e = 1."""
    if e > 1 - 1e-6:
        return 1.5 * (1 - e)  # the next term is below rounding of the logarithms
    low, high = (1 - e) / 2, 1 / e
    while low < (middle := (low + high) / 2) < high:
        less = (1 + e) * middle > math.log1p(middle) - math.log1p(-e * middle)
        low, high = (middle, high) if less else (low, middle)
    return low
