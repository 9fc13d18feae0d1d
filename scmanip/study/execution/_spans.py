"""Which cases are run together: gaps in what is on the disk, cut into blocks of a good length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...spatial import Array

TARGET_S = 2.0
_FIRST, _MOST, _GROWTH, _LANES = 8, 4096, 4, 8


@dataclass(frozen=True)
class CaseSpan:
    """The cases first to last, and how often they took a worker with them while they ran alone."""

    first: int
    last: int
    deaths: int = 0

    def __len__(self) -> int:
        return self.last - self.first + 1

    def halves(self) -> tuple[CaseSpan, CaseSpan]:
        """Return two spans of half the length."""
        middle = self.first + len(self) // 2
        return CaseSpan(self.first, middle - 1), CaseSpan(middle, self.last)


class Spans:
    """Hands out each case without a row once, in order.

    Blocks get longer until one takes about two seconds; towards the end they get shorter, so that all workers end together.
    The first ones are short: when all cases fail, it shows soon.
    """

    def __init__(self, codes: Array, block: int | None = None) -> None:
        self._codes = codes
        self._given = block
        self._length = block or _FIRST
        self._next = 0
        self._left = int(np.count_nonzero(codes == 0))

    def next(self, slots: int) -> CaseSpan | None:
        """Return the next cases to run, or None when all are handed out; `slots` blocks run at once."""
        first = self._seek()
        if first is None:
            return None
        end = first + self._now(slots)
        present = np.flatnonzero(self._codes[first:end])
        last = first + int(present[0]) - 1 if present.size else min(end, len(self._codes)) - 1
        self._next = last + 1
        self._left -= last - first + 1
        return CaseSpan(first, last)

    def learn(self, cases: int, seconds: float) -> None:
        """Take note of how long a block took."""
        if not self._given and cases >= self._length:
            fitting = cases * TARGET_S / max(seconds, 1e-6)
            self._length = max(1, int(min(fitting, _GROWTH * cases, _MOST)))

    def _seek(self) -> int | None:
        while self._next < len(self._codes):
            ahead = np.flatnonzero(self._codes[self._next : self._next + _MOST] == 0)
            if ahead.size:
                return self._next + int(ahead[0])
            self._next += _MOST
        return None

    def _now(self, slots: int) -> int:
        if self._given:
            return self._given
        share = -(-self._left // (2 * slots))
        length = min(self._length, max(share, _FIRST))
        return length if length < _LANES else -(-length // _LANES) * _LANES
