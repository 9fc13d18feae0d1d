"""Times of statements, taken in turns so that all of them see the same machine."""

from __future__ import annotations

import timeit
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

SLICE_S = 2e-3  # one turn of one statement: shorter than the time slices of a shared machine


@dataclass(frozen=True)
class Pace:
    """How much is measured.

    turns : of each statement; states : for comparisons of numbers; processes : fresh interpreters per measurement
    """

    turns: int
    states: int
    processes: int


THOROUGH, QUICK = Pace(turns=51, states=1000, processes=7), Pace(turns=11, states=100, processes=3)


@dataclass(frozen=True)
class Times:
    """Seconds per evaluation: the median over all turns, and the best of them."""

    median: float
    best: float


class Call:
    """A statement whose names are local variables, as in a user's own loop.

    cases : evaluations that one execution makes
    """

    def __init__(self, statement: str, *, cases: int = 1, **names: Any) -> None:
        setup = "; ".join(f"{name} = given_{name}" for name in names) or "pass"
        self._timer = timeit.Timer(statement, setup, globals={f"given_{name}": value for name, value in names.items()})
        self._cases = cases
        self._repeats = 1
        self._timer.timeit(1)
        while (spent := self._timer.timeit(self._repeats)) < SLICE_S / 4:
            self._repeats *= 4
        self._repeats = max(1, round(self._repeats * SLICE_S / spent))

    def turn(self) -> float:
        """Return the seconds per evaluation of one turn, after one that is not counted where many make a turn."""
        if self._repeats > 1:
            self._timer.timeit(1)
        return self._timer.timeit(self._repeats) / self._repeats / self._cases


def timed(calls: Mapping[str, Call], turns: int) -> dict[str, Times]:
    """Return the times of all calls, which take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(turns):
        for name, call in calls.items():
            seconds[name].append(call.turn())
    return {name: Times(median(values), min(values)) for name, values in seconds.items()}
