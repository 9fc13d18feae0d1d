"""Which cases are run together: gaps in what is on the disk, cut into blocks of a good length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...spatial import Array

TARGET_S, LONGEST_S = 2.0, 20.0
_FIRST, _MOST, _GROWTH, _LANES = 8, 4096, 4, 8
_PAYS = 3.0  # how much longer all cases of a block take than what it takes beside them, if that is not too long
_ALIKE = 1e-9  # relative variance of lengths that are one
_KEPT = 0.7  # of the weight of what blocks took, with each that comes


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

    Blocks get longer until one takes about two seconds, and on where that is mostly what a block takes beside its cases, as
    where cases are flown together. Towards the end they get shorter, so that all workers end together. The first ones are
    short: when all cases fail, it shows soon.
    """

    def __init__(self, codes: Array, block: int | None = None) -> None:
        self._codes = codes
        self._given = block
        self._length = block or _FIRST
        self._normal, self._right, self._lengths = np.zeros((2, 2)), np.zeros(2), set[int]()
        self._beside = 0.0, 0.0
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

    def learn(self, cases: int, seconds: float, *, first: bool = False) -> None:
        """Take note of how long a block took; of the `first` one of a worker, which gets ready, nothing but that it is long."""
        if self._given or (first and seconds <= LONGEST_S):
            return
        took = max(seconds, 1e-6)
        if first:
            self._length = max(1, int(cases * TARGET_S / took))
            return
        row = np.array([1.0, cases]) / took
        self._normal, self._right = _KEPT * self._normal + np.outer(row, row), _KEPT * self._right + row
        self._lengths.add(cases)
        fitting = int(cases * TARGET_S / took)
        if len(self._lengths) > 1:
            self._beside = self._known_beside()
            fitting = self._fitting(*self._beside)
        elif took > TARGET_S:
            fitting = (cases // 2 if took <= LONGEST_S else fitting) or 2  # tells whether it is its cases that take so long
        self._length = max(1, min(fitting, _GROWTH * cases, _MOST))

    def _known_beside(self) -> tuple[float, float]:
        """Return what a block takes beside its cases, and for each of them [s], nearest in ratio to what the latest took."""
        weights, known = np.diag(self._normal), np.array(self._beside if any(self._beside) else (0.0, 1.0))
        if np.linalg.det(self._normal) <= _ALIKE * weights.prod():  # nothing new on what comes of which: only on their sum
            scale = known @ self._right / (known @ self._normal @ known)
            return float(scale * known[0]), float(scale * known[1])
        beside, each = np.linalg.solve(self._normal, self._right).tolist()
        if beside < 0:
            return 0.0, float(self._right[1] / self._normal[1, 1])
        return (beside, each) if each > 0 else (float(self._right[0] / self._normal[0, 0]), 0.0)

    def _fitting(self, beside_s: float, each_s: float) -> int:
        """Return the length of blocks that take about two seconds, or longer where most of those would be beside the cases."""
        if not each_s:
            return _MOST
        seconds = max(TARGET_S, min((1 + _PAYS) * beside_s, LONGEST_S), 2 * beside_s)
        return int((seconds - beside_s) / each_s)

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
        share, (beside_s, each_s) = -(-self._left // (2 * slots)), self._beside
        least = min(int(beside_s / each_s), _MOST) if each_s else _FIRST  # shorter ones would hardly end sooner
        length = min(self._length, max(share, _FIRST, least))
        return length if length < _LANES else -(-length // _LANES) * _LANES
