"""How a kind of shape is to another kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...spatial import Array
from ._proximity import Proximity


@dataclass(frozen=True)
class Pair:
    """The distance between shapes of two kinds.

    proximity : (`Placed` of the first, `Placed` of the second) -> where they are nearest
    points : names of the places where they are so, as many as `proximity` has, and in its order
    is_formula : whether it is a closed form over any scalar; otherwise of numbers, in Python alone
    held : (both, number of a place, its features) -> that place alone, of the features of a `Proximity` before; None where
        places are of the same features for ever
    n_features : how many numbers say of which features a place is

    >>> one = Placed(Sphere("one", "base", 0.5), np.zeros(3), np.eye(3))
    >>> other = Placed(Sphere("other", "ground", 0.2), np.array([1.0, 0, 0]), np.eye(3))
    >>> near = pair_of(one.shape, other.shape).proximity(one, other)
    >>> near.gap.round(6).tolist(), near.normal.tolist()
    ([0.3], [[1.0, 0.0, 0.0]])
    """

    proximity: Callable[[Any, Any], Proximity]
    points: tuple[str, ...] = ("",)
    is_formula: bool = True
    held: Callable[[Any, Any, int, Array], Proximity] | None = None
    n_features: int = 0

    def place(self, one: Any, other: Any, number: int, features: Array) -> Proximity:
        """Return one of the places alone, of the features (n_features,), bare numbers, that it had when it was found."""
        if self.held is not None:
            return self.held(one, other, number, features)
        near, its = self.proximity(one, other), slice(number, number + 1)
        return Proximity(near.gap[its], near.normal[its], near.on_one[its], near.on_other[its])

    @property
    def mirrored(self) -> Pair:
        """The same from the second to the first."""
        held = self.held
        back = None if held is None else lambda one, other, number, features: held(other, one, number, features).mirrored
        near = lambda one, other: self.proximity(other, one).mirrored  # noqa: E731 - beside the one above
        return Pair(near, self.points, self.is_formula, back, self.n_features)
