"""What happened in a run, and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..modes import GeneralizedForce


class Occurrence(NamedTuple):
    """What happened, from and to when [s]; `str(...)` of it is a sentence."""

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


def limit_events(t: Sequence[float], forces: Sequence[GeneralizedForce]) -> tuple[Occurrence, ...]:
    """Return one occurrence per limit and stretch of samples at which it acts, in order of time.

    t : (n,) times of the samples [s]; what begins and ends between two of them is not seen
    """
    begun: dict[str, float] = {}
    found: list[Occurrence] = []
    last = 0.0
    for time, limits in [*((time, force.limits) for time, force in zip(t, forces, strict=True)), (t[-1], ())]:
        for phrase in [phrase for phrase in begun if phrase not in limits]:
            found.append(Occurrence(phrase, begun.pop(phrase), last))
        for phrase in limits:
            begun.setdefault(phrase, time)
        last = time
    return tuple(sorted(found, key=lambda occurrence: occurrence.first_s))
