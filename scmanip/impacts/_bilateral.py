"""Rows that hold in both senses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import refuse
from ..spatial import Array, array_problems, frozen
from ._rows import rows_shape


@dataclass(frozen=True, eq=False)
class Bilateral:
    """Active constraints A u + speed = 0, whose rate is A udot + drift = 0; rows may repeat each other [Gillespie2003] eq. 3.

    A : (m, n); speed, drift : (m,), zero where left out

    Raises `InvalidInput` for arrays that do not fit. All is in SI.

    >>> slider = Bilateral(np.array([[0.0, 1.0]]))  # the second speed is held
    >>> slider.speed.tolist(), Bilateral.none(3).A.shape
    ([0.0], (0, 3))
    """

    A: Array
    speed: Any = None
    drift: Any = None

    def __post_init__(self) -> None:
        m, _ = rows_shape("A", self.A)
        zero = np.zeros(m)
        values = {"speed": zero if self.speed is None else self.speed, "drift": zero if self.drift is None else self.drift}
        refuse(problem for key, value in values.items() for problem in array_problems(key, value, (m,)))
        for key, value in {"A": self.A, **values}.items():
            object.__setattr__(self, key, frozen(value))

    @classmethod
    def none(cls, n: int) -> Bilateral:
        """Return no rows in n speeds."""
        return cls(np.zeros((0, n)))
