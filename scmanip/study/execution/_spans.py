"""Which cases are run together: gaps in what is on the disk, cut into blocks of a good length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...spatial import Array

TARGET_S, LONGEST_S = 2.0, 20.0
_FIRST, _MOST, _GROWTH, _LANES = 8, 4096, 4, 8
_NEAR, _PAYS = 0.7, 1.25  # of the most cases per second; how many more are worth longer blocks
_SEEN = 8  # lengths of which it is known what they took


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

    Blocks get longer until one takes about two seconds, and on where that makes many more cases per second, as where cases are
    flown together: what a block takes beside its cases may be more than that. Towards the end they get shorter, so that all
    workers end together. The first ones are short: when all cases fail, it shows soon.
    """

    def __init__(self, codes: Array, block: int | None = None) -> None:
        self._codes = codes
        self._given = block
        self._length = block or _FIRST
        self._rates = dict[int, float]()
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
        if self._given:
            return
        took = max(seconds, 1e-6)
        self._rates.pop(cases, None)
        self._rates = dict([*self._rates.items()][1 - _SEEN :]) | {cases: cases / took}
        fitting = max(1, int(min(cases * TARGET_S / took, _GROWTH * cases, _MOST)))
        shorter = max((size for size in self._rates if size <= cases / 2), default=cases)
        if took <= TARGET_S:
            self._length = max(fitting, self._length)
        elif took > LONGEST_S:
            self._length = fitting
        elif len(self._rates) == 1:
            self._length = max(1, min(fitting, cases // 2))
        elif cases == max(self._rates) and self._rates[cases] > _PAYS * self._rates[shorter]:
            self._length = min(2 * cases, _MOST)
        else:
            self._length = max(fitting, self._shortest)

    @property
    def _shortest(self) -> int:
        """The length of the shortest blocks that made nearly as many cases per second as any."""
        best = max(self._rates.values())
        return min(size for size, rate in self._rates.items() if rate >= _NEAR * best)

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
