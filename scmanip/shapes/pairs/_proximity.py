"""Where two shapes are nearest to each other."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...spatial import Array


@dataclass(frozen=True, eq=False)
class Proximity:
    """Places of two shapes that are opposite each other, one or several, in N; any scalar.

    gap : (k,) distance [m], negative where one is in the other
    normal : (k, 3) unit vector from the first to the second, so that on_other - on_one = gap normal
    on_one, on_other : (k, 3) the places on the surfaces [m]
    features : (k, m) bare numbers that say of which features of both shapes a place is, where that changes as they move

    >>> deck = Placed(Plane("deck", "ground"), np.zeros(3), np.eye(3))
    >>> ball = Placed(Sphere("ball", "base", 0.5), np.array([0, 0, 0.4]), np.eye(3))
    >>> near = pair_of(deck.shape, ball.shape).proximity(deck, ball)
    >>> near.gap.round(6).tolist(), near.on_other.round(6).tolist(), near.mirrored.normal.round(6)[0, 2].tolist()
    ([-0.1], [[0.0, 0.0, -0.1]], -1.0)
    """

    gap: Array
    normal: Array
    on_one: Array
    on_other: Array
    features: Array = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def mirrored(self) -> Proximity:
        """From the second to the first."""
        return Proximity(self.gap, -self.normal, self.on_other, self.on_one, self.features)
