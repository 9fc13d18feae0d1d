"""What is left of a loop that was advanced step by step: samples, and what was given to it."""

from __future__ import annotations

import numpy as np

from ...spatial import Array


class Flown:
    """Samples and inputs, in order of time."""

    def __init__(self) -> None:
        self._inputs: dict[int, list[tuple[slice, Array]]] = {}
        self._times: list[float] = []
        self._rows: list[Array] = []

    def keep(self, t: float, y: Array) -> None:
        """Keep a sample; it takes the place of one at the same time."""
        if self._times and self._times[-1] == t:
            self._times.pop(), self._rows.pop()
        self._times.append(t)
        self._rows.append(y.copy())

    def give(self, step: int, place: slice, y: Array) -> None:
        """Keep a part of y that was set before a step."""
        self._inputs.setdefault(step, []).append((place, y[place].copy()))

    def replay(self, step: int, y: Array) -> None:
        """Set in y (n,) what was set before a step."""
        for place, values in self._inputs.get(step, ()):
            y[place] = values

    @property
    def arrays(self) -> tuple[Array, Array]:
        """Times (k,) [s] and rows (k, n)."""
        return np.array(self._times), np.array(self._rows)
