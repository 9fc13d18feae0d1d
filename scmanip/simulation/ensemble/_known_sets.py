"""Active sets of thrusters for many wrenches, each looked for once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...actuators import Pushers
from ...spatial import Array
from ..loop._active_sets import TOLERANCE

MOST = 32  # sets that are tried before another one is looked for
SPARE = 1e-6  # of the largest force, by which the shares of a set are away from their bounds where no other set holds


class KnownSets:
    """Sets that held for some wrench, the latest first. A set is looked for where none of them is the one that holds.

    Where several hold at once each run has the one that it finds from its own last one, whatever the others have.
    """

    def __init__(self, pushers: Pushers) -> None:
        self._pushers = pushers
        self._known: list[Array] = []

    def settle(self, numbers: Array, wanted: Array) -> NDArray[np.bool_]:
        """Let each of the rows (n, size) be a set that is the optimum for its wrench (n, 6); those that are so stay.

        Return (n,) whether there is one; rows without are left as they are, as are those of wrenches that are not finite.
        """
        left = np.flatnonzero(np.isfinite(wanted).all(axis=1) & ~self._holds(numbers, wanted))
        none = list[int]()
        for known in [*self._known]:
            left = self._given(known, numbers, wanted, left)
        while left.size:
            case = int(left[0])
            found = self.found(numbers[case], wanted[case])
            if found is None:
                none.append(case)
                left = left[1:]
            else:
                alike = (wanted[left] == wanted[case]).all(axis=1) & (numbers[left] == numbers[case]).all(axis=1)
                alike[0] = True
                numbers[left[alike]] = found  # what asks for the same from the same set would find the same
                left = self._given(found, numbers, wanted, left[~alike])
        settled = np.ones(len(numbers), dtype=bool)
        settled[none] = False
        return settled

    def _given(self, known: Array, numbers: Array, wanted: Array, left: NDArray[np.intp]) -> NDArray[np.intp]:
        """Give a set to those for which it is the optimum, and return the others."""
        if not left.size:
            return left
        fits = self._holds(known, wanted[left]) & (self._pushers.spare(known, wanted[left]) > SPARE)
        numbers[left[fits]] = known
        return left[~fits]

    def found(self, last: Array, wanted: Array) -> Array | None:
        """Return the set (size,) for a wrench (6,), looked for from another one if that is any; None where there is none."""
        found = self._pushers.active_set(wanted, last if np.isfinite(last).all() and last.any() else None)
        if found is None or not self._holds(found.packed, wanted[np.newaxis])[0]:
            return None
        self._known = [found.packed, *self._known][:MOST]
        return found.packed

    def _holds(self, sets: Array, wanted: Array) -> NDArray[np.bool_]:
        return np.asarray(self._pushers.beyond(sets, wanted) <= TOLERANCE)
