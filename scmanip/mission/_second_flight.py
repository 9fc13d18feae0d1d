"""A run once more with finer steps: what its numbers are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..report import Verdict
from .phases._phase import FlownPhase

_AT_ONCE = 1e-7  # of a phase: events so close have no order


def with_errors(verdicts: Sequence[Verdict], finer: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Return the verdicts of a run with their errors; `finer` : those of its second flight."""
    others = {(verdict.name, verdict.unit): verdict for verdict in finer}
    return tuple(verdict.beside(others.get((verdict.name, verdict.unit))) for verdict in verdicts)


def disagreements(flown: Sequence[FlownPhase], finer: Sequence[FlownPhase]) -> Iterator[str]:
    """Yield in what two flights of the same phases differ that no number says: how they ended, and what happened in them.

    >>> list(disagreements(run.flown, run.flown))
    []
    """
    for one, other in zip(flown, finer, strict=False):
        name, ends = one.phase.name, [_end(part) for part in (one, other)]
        if ends[0] != ends[1]:
            yield f"phase '{name}' ended as {ends[0]}, with finer steps as {ends[1]}"
            return
        mine, others = _happened(one), _happened(other)
        for phrase in dict.fromkeys([*mine, *others]):
            count, again = len(mine.get(phrase, ())), len(others.get(phrase, ()))
            if count != again:
                yield f"in phase '{name}' {phrase.rstrip(',')}: {count} times, with finer steps {again} times"
                return
        if not _same_order(mine, others, _AT_ONCE * float(one.history.t[-1])):
            yield f"in phase '{name}' what happened has another order with finer steps"


def _end(part: FlownPhase) -> str:
    return f"'{part.history.outcome}'{part.ended_by and f' by event {part.ended_by!r}'}"


def _happened(part: FlownPhase) -> dict[str, list[float]]:
    """Return the times at which everything happened, by what it was."""
    times: dict[str, list[float]] = {}
    for occurrence in part.history.occurrences:
        times.setdefault(occurrence.phrase, []).append(occurrence.first_s)
    for change in part.history.switches:
        times.setdefault(change.done, []).append(change.t)
    for passage in part.history.passages:
        times.setdefault(f"'{passage.coordinate}' beyond its {passage.side} limit", []).append(passage.t_s)
    return times


def _same_order(one: dict[str, list[float]], other: dict[str, list[float]], at_once_s: float) -> bool:
    """Whether what happened after something else in one flight did so in the other too."""
    pairs = sorted((t, there) for phrase in one for t, there in zip(one[phrase], other[phrase], strict=True))
    return all(later >= earlier - at_once_s or t - s <= at_once_s for (s, earlier), (t, later) in pairwise(pairs))
