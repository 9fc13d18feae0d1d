"""What happened in a run, and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ._look import Look

CLOSE = 1e-7  # of the step in which a limit begins or ceases to act: that closely the time is found


class Occurrence(NamedTuple):
    """What happened, from and to when [s]; `str(...)` of it is a sentence.

    >>> str(Occurrence("a wheel was at its limit", 1.0, 2.5))
    'a wheel was at its limit from t = 1 s to t = 2.5 s'
    """

    phrase: str
    first_s: float
    last_s: float

    def later(self, start_s: float) -> Occurrence:
        """Return it on a clock that showed `start_s` [s] when this one started."""
        return Occurrence(self.phrase, self.first_s + start_s, self.last_s + start_s)

    def __str__(self) -> str:
        if self.first_s == self.last_s:
            return f"{self.phrase} at t = {self.first_s:.9g} s"
        return f"{self.phrase} from t = {self.first_s:.6g} s to t = {self.last_s:.6g} s"


def limit_events(look: Look) -> tuple[Occurrence, ...]:
    """Return one occurrence per limit of an actuator and stretch of time in which it acts, in order of time.

    What begins and ends between two neighbouring places of the look, a fifth of a step at most, is not seen.
    """
    t, acting = look.samples.t, look.samples.limits
    found: list[tuple[str, int, int]] = []
    for phrase in dict.fromkeys(phrase for phrases in acting for phrase in phrases):
        acts = np.array([False, *(phrase in phrases for phrases in acting), False])
        edges = np.flatnonzero(acts[1:] != acts[:-1])
        found += [(phrase, int(first), int(after)) for first, after in edges.reshape(-1, 2)]
    begun = _changes(look, [(phrase, first) for phrase, first, _ in found if first > 0])
    ceased = _changes(look, [(phrase, after) for phrase, _, after in found if after < len(t)])
    events = [
        Occurrence(phrase, begun.get((phrase, first), (0.0, float(t[0])))[1], ceased.get((phrase, after), (float(t[-1]),))[0])
        for phrase, first, after in found
    ]
    return tuple(sorted(events, key=lambda event: event.first_s))


def _changes(look: Look, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], tuple[float, float]]:
    """Return, per phrase and number of the sample up to which it changed whether it acts, times just before and after that.

    A change at the start of the bracket, where a held command or a corner of the reference jumps, is looked for first.
    """
    if not places:
        return {}
    phrases, numbers = [phrase for phrase, _ in places], np.array([number for _, number in places])
    low, high = look.samples.t[numbers - 1].copy(), look.samples.t[numbers].copy()
    after = np.array([phrase in look.samples.limits[number] for phrase, number in places])
    close = CLOSE * look.sizes[look.step_of(high)]
    middle = low + close
    while (open_ := np.flatnonzero((high - low > close) & (low < middle) & (middle < high))).size:
        acts = np.array([phrases[k] in limits for k, limits in zip(open_, look.at(middle[open_]).limits, strict=True)])
        same = acts == after[open_]
        high[open_[same]], low[open_[~same]] = middle[open_[same]], middle[open_[~same]]
        middle = (low + high) / 2
    return {place: (float(a), float(b)) for place, a, b in zip(places, low, high, strict=True)}
