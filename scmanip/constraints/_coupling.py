"""A coordinate that follows another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Flaw
from ..errors import checked
from ..spatial import Array
from ._constraint import Constraint
from ._met import NEAR
from ._quantities import FreedomName, FreedomNames, Number, Polynomial, Ratios, Within
from ._rows import Rows
from ._seen import SeenSystem, Structure


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Coupling(Constraint):
    """q_joint = f(q_of), absolute values but for a tolerance: a gear, belt, cam, or of several joints a differential.

    The force is that on `joint`, as tau. By definition of the coupling a row of [Gillespie2003] eq. 3.

    joint, of : names of joints with one coordinate, or of such coordinates of joints; `of` may be several, (p) names
    ratio, offset : f = ratio q_of + offset; 1 and 0 if not said. Of several ratio_1 q_of_1 + ... + offset, a ratio each
    polynomial : or its coefficients, that of the lowest power first, of one
    tolerance : how far from its place q_joint may be found [rad or m], and stays; 1e-3 if not said

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> from scmanip.dynamics import Reference, compile_model
    >>> belt = Coupling("belt", joint="joint2", of="joint1", ratio=-1.0)
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], constraints=[belt])
    >>> led = compile_model(arm, implementation=Reference()).constrained("belt")
    >>> led.A(state)[0, 6:].tolist()  # qdot_2 + qdot_1 = 0
    [1.0, 1.0, 0.0, 0.0]
    """

    kind: ClassVar[str] = "coupling"

    joint: FreedomName
    of: FreedomNames
    ratio: Ratios = 1.0
    offset: Number = 0.0
    polynomial: Polynomial = None
    tolerance: Within = NEAR

    @classmethod
    def between(cls, given: Mapping[str, Any]) -> Iterator[Flaw]:
        """Yield a coordinate that follows itself, a second way to say how, and ratios that are not one for each coordinate."""
        of, ratio = (_each(given.get(key)) for key in ("of", "ratio"))
        if given.get("joint") in of:
            yield Flaw("of", "other joints" if len(of) > 1 else "another joint", repr(given["joint"]))
        linear = [key for key in ("ratio", "offset") if key in given]
        if linear and "polynomial" in given:
            yield Flaw("polynomial", "polynomial, or ratio and offset", f"polynomial and {' and '.join(linear)}")
        elif "polynomial" in given and len(of) > 1:
            yield Flaw("polynomial", "ratio and offset of several joints", "polynomial")
        elif "ratio" in given and len(ratio) not in (1, len(of)):
            yield Flaw("ratio", f"{len(of)} numbers, one for each of `of`", str(len(ratio)))

    @property
    def terms(self) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """Names of coordinates, and the coefficients of what each adds, that of the lowest power first."""
        first, *others = _each(self.of)
        if self.polynomial is not None:
            return ((first, self.polynomial),)
        ratios = np.broadcast_to(np.asarray(self.ratio), (1 + len(others),)).tolist()
        pairs = zip(others, ratios[1:], strict=True)
        return (first, (self.offset, ratios[0])), *((name, (0.0, ratio)) for name, ratio in pairs)

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return (self.joint,)

    def units(self, structure: Structure) -> tuple[str, ...]:
        return structure.efforts(structure.freedoms(self.joint))

    def kept(self, structure: Structure) -> int:
        return 1

    def found(self, seen: SeenSystem, t: float) -> Array:
        return np.asarray(seen.coordinates(self.joint) - sum(_value(seen, *term)[0] for term in self.terms))

    def unmet(self, seen: SeenSystem) -> Iterator[Flaw]:
        (away,) = self.found(seen, 0.0)
        if self.tolerance is not None and not abs(away) <= self.tolerance:
            of = ", ".join(map(repr, _each(self.of)))
            yield Flaw("tolerance", f"joint {self.joint!r} within {self.tolerance:g} of what {of} says", f"{away:.6g} beyond")

    def rows(self, seen: SeenSystem, kept: Any, t: Any) -> Rows:
        A, drift, position = seen.rates(self.joint), np.zeros(1), seen.coordinates(self.joint)
        for name, coefficients in self.terms:
            value, slope, curvature = _value(seen, name, coefficients)
            of = seen.rates(name)
            rate = of @ seen.u
            A, drift, position = A - slope[:, np.newaxis] * of, drift - curvature * rate * rate, position - value
        return Rows(A, np.zeros(1), drift, position - kept)


def _each(value: Any) -> list[Any]:
    """Return what may be several as a list."""
    return list(value) if isinstance(value, list | tuple) else [value]


def _value(seen: SeenSystem, name: str, coefficients: Sequence[float]) -> tuple[Any, Any, Any]:
    """Return a polynomial of a coordinate and its first two derivatives, (1,) each, by Horner's scheme."""
    q = seen.coordinates(name)
    value = slope = half = 0 * q
    for coefficient in reversed(coefficients):
        value, slope, half = coefficient + q * value, value + q * slope, slope + q * half
    return value, slope, 2 * half
