"""What constraints say of the speeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..spatial import Array


@dataclass(frozen=True, eq=False)
class Rows:
    """A u + speed = 0 and, once differentiated, A udot + drift = 0, in SI and over any scalar [Gillespie2003] eq. 3.

    A : (k, n_u); speed : (k,), eq. 3 calls it C
    drift : (k,) the rate of A u + speed where udot = 0
    position : (k,) what would be zero with everything in its place, and whose rate there is A u + speed; None where the motion
        alone is constrained
    push : (k, n_u) the generalized forces of the rows' multipliers, where friction adds to A; None where they are A

    >>> one = Rows(np.array([[1.0, -1.0]]), np.zeros(1), np.zeros(1))
    >>> Rows.below([one, one], n_u=2).A.tolist()
    [[1.0, -1.0], [1.0, -1.0]]
    """

    A: Array
    speed: Array
    drift: Array
    position: Array | None = None
    push: Array | None = None

    @classmethod
    def below(cls, each: Sequence[Rows], n_u: int) -> Rows:
        """Return several one below the other; their position form is 0 where one has none."""
        positions = [np.zeros(len(rows.A)) if rows.position is None else rows.position for rows in each]
        rubs = any(rows.push is not None for rows in each)
        return cls(
            np.concatenate([np.zeros((0, n_u)), *(rows.A for rows in each)]),
            np.concatenate([np.zeros(0), *(rows.speed for rows in each)]),
            np.concatenate([np.zeros(0), *(rows.drift for rows in each)]),
            np.concatenate([np.zeros(0), *positions]),
            np.concatenate([rows.A if rows.push is None else rows.push for rows in each]) if rubs else None,
        )
