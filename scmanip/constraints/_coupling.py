"""A coordinate that follows another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Flaw, Ratio
from ._constraint import Constraint
from ._met import NEAR
from ._quantities import FreedomName, Number, Polynomial, Within
from ._rows import Rows
from ._seen import Seen, Structure


@dataclass(frozen=True, eq=False, repr=False)
class Coupling(Constraint):
    """q_joint = f(q_of), absolute values: a gear, belt, cam, differential. The force is that on `joint`, as tau.

    joint, of : names of joints with one coordinate, or of such coordinates of joints
    ratio, offset : f = ratio q_of + offset; 1 and 0 if not said
    polynomial : or its coefficients, that of the lowest power first
    tolerance : how far from its place q_joint may be found [rad or m]; 1e-3 if not said
    """

    kind: ClassVar[str] = "coupling"

    joint: FreedomName
    of: FreedomName
    ratio: Ratio = 1.0
    offset: Number = 0.0
    polynomial: Polynomial = None
    tolerance: Within = NEAR

    @classmethod
    def between(cls, given: Mapping[str, Any]) -> Iterator[Flaw]:
        """Yield a coordinate that follows itself, and a second way to say how."""
        if given.get("joint") == given.get("of"):
            yield Flaw("of", "another joint", repr(given.get("of")))
        linear = [key for key in ("ratio", "offset") if key in given]
        if linear and "polynomial" in given:
            yield Flaw("polynomial", "polynomial, or ratio and offset", f"polynomial and {' and '.join(linear)}")

    @property
    def coefficients(self) -> tuple[float, ...]:
        """Those of f, that of the lowest power first."""
        return self.polynomial or (self.offset, self.ratio)

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return (self.joint,)

    def unmet(self, seen: Seen) -> Iterator[Flaw]:
        (away,) = seen.coordinates(self.joint) - self._of(seen)[0]
        if self.tolerance is not None and not abs(away) <= self.tolerance:
            expected = f"joint {self.joint!r} within {self.tolerance:g} of what {self.of!r} says"
            yield Flaw("tolerance", expected, f"{away:.6g} beyond")

    def rows(self, seen: Seen, kept: Any, t: Any) -> Rows:
        value, slope, curvature = self._of(seen)
        of = seen.rates(self.of)
        rate = of @ seen.u
        A = seen.rates(self.joint) - slope[:, np.newaxis] * of
        return Rows(A, np.zeros(1), -curvature * rate * rate, seen.coordinates(self.joint) - value)

    def _of(self, seen: Seen) -> tuple[Any, Any, Any]:
        """Return f and its first two derivatives, (1,) each, by Horner's scheme."""
        q = seen.coordinates(self.of)
        value = slope = half = 0 * q
        for coefficient in reversed(self.coefficients):
            value, slope, half = coefficient + q * value, value + q * slope, slope + q * half
        return value, slope, 2 * half
