"""How a kind of shape is to another kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._proximity import Proximity


@dataclass(frozen=True)
class Pair:
    """The distance between shapes of two kinds.

    proximity : (`Placed` of the first, `Placed` of the second) -> where they are nearest
    points : names of the places where they are so, as many as `proximity` has, and in its order
    is_formula : whether it is a closed form over any scalar; otherwise of numbers, in Python alone
    lasts : whether a place is of the same features of both while they move, as what stays closed must be
    """

    proximity: Callable[[Any, Any], Proximity]
    points: tuple[str, ...] = ("",)
    is_formula: bool = True
    lasts: bool = True

    @property
    def mirrored(self) -> Pair:
        """The same from the second to the first."""
        return Pair(lambda one, other: self.proximity(other, one).mirrored, self.points, self.is_formula, self.lasts)
