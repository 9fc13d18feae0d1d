"""Where many runs start, turn corners and end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np

from ...control import Sampled
from ...errors import InvalidInput, Problem
from ...guidance import RecordableReference
from ...spatial import Array, real
from ..loop._prepare import stop_times
from ._ensemble_pace import EnsemblePace


class Turns(NamedTuple):
    """Start, corners and end [s] of runs, by the clock of the first of them.

    pace : the clocks of all, where a law that always looks leads them to ends of their own
    ends_s : (n,) their ends, where a sampled law does so; the last time is one of sampling then
    """

    times: tuple[float, ...]
    pace: EnsemblePace | None = None
    ends_s: Array | None = None

    @classmethod
    def of(cls, t_end_s: Any, references: Sequence[RecordableReference], sampled: Sampled | None, n: int) -> Turns:
        """Return those of n runs; raises `InvalidInput` where stretches of some have no likes in others."""
        if np.ndim(t_end_s) == 0:
            return cls(stop_times(t_end_s, None if sampled else references[0], sampled))
        ends = np.array(np.broadcast_to(t_end_s, n), dtype=np.float64)
        if sampled is not None:
            return cls(stop_times(sampled.next_look(float(ends.max())), None, sampled), ends_s=ends)
        turns = [stop_times(end, reference) for end, reference in zip(ends.tolist(), cycle(references), strict=False)]
        other = next((own for own in turns if len(own) != len(turns[0])), None)
        if other is not None:
            expected, found = f"references with {len(turns[0]) - 2} corners before their ends", f"one with {len(other) - 2}"
            hint = "a Sampled law follows any; otherwise call simulate in a loop"
            raise InvalidInput(Problem("reference", expected, found, hint=hint))
        return cls(turns[0], EnsemblePace.of(turns))


def latest(t_end_s: Any) -> Any:
    """Return the last of the ends that runs have; one for all as it is. Raises `InvalidInput` for what is none."""
    words = "a number > 0, or one per run (n,)"
    try:
        if np.ndim(t_end_s) == 0:
            return t_end_s
        ends = np.array(real(t_end_s))
    except (TypeError, ValueError):
        raise InvalidInput(Problem("t_end_s", words, repr(t_end_s))) from None
    if ends.ndim != 1 or not ends.size or not (np.isfinite(ends) & (ends > 0)).all():
        raise InvalidInput(Problem("t_end_s", words, repr(t_end_s)))
    return float(ends.max())


def same_cases(cases: int | None, t_end_s: Any) -> int | None:
    """Return how many runs parameters and ends are for; raises `InvalidInput` where they disagree."""
    if np.ndim(t_end_s) == 0:
        return cases
    if cases not in (None, len(t_end_s)):
        raise InvalidInput(Problem("t_end_s", f"one for all, or {cases}, as the parameters have cases", f"{len(t_end_s)}"))
    return len(t_end_s)
