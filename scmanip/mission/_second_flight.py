"""A run once more with finer steps: what its numbers are worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..errors import checked
from ..report import Verdict
from .phases._phase import FlownPhase

_AT_ONCE = 1e-7  # of a phase: events so close have no order


def with_errors(verdicts: Sequence[Verdict], finer: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Return the verdicts of a run with their errors; `finer` : those of its second flight."""
    others = {(verdict.name, verdict.unit): verdict for verdict in finer}
    return tuple(verdict.beside(others.get((verdict.name, verdict.unit))) for verdict in verdicts)


class Told(NamedTuple):
    """What a phase that was flown tells beside numbers, kept without its history.

    name, end : of the phase, and how it ended, in words
    happened : times [s] at which everything happened, by what it was
    t_end_s : how long it took [s]
    """

    name: str
    end: str
    happened: Mapping[str, Sequence[float]]
    t_end_s: float

    @classmethod
    def of(cls, part: FlownPhase) -> Told:
        """Return what a phase tells."""
        return cls(part.phase.name, _end(part), _happened(part), float(part.history.t[-1]))


@checked
def disagreements(flown: Iterable[FlownPhase], finer: Iterable[FlownPhase]) -> Iterator[str]:
    """Yield in what two flights of the same phases differ that no number says: how they ended, and what happened in them.

    >>> list(disagreements(run.flown, run.flown))
    []
    """
    return differing(map(Told.of, flown), map(Told.of, finer))


def differing(flown: Iterable[Told], finer: Iterable[Told]) -> Iterator[str]:
    """Yield the same of what both have told."""
    for one, other in zip(flown, finer, strict=False):
        name, mine, others = one.name, one.happened, other.happened
        if one.end != other.end:
            yield f"phase '{name}' ended as {one.end}, with finer steps as {other.end}"
            return
        for phrase in dict.fromkeys([*mine, *others]):
            count, again = len(mine.get(phrase, ())), len(others.get(phrase, ()))
            if count != again:
                yield f"in phase '{name}' {phrase.rstrip(',')}: {count} times, with finer steps {again} times"
                return
        if not _same_order(mine, others, _AT_ONCE * one.t_end_s):
            yield f"in phase '{name}' what happened has another order with finer steps"


def _end(part: FlownPhase) -> str:
    return f"'{part.history.outcome}'{part.ended_by and f' by event {part.ended_by!r}'}"


def _happened(part: FlownPhase) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {}
    for occurrence in part.history.occurrences:
        times.setdefault(occurrence.phrase, []).append(occurrence.first_s)
    for change in part.history.switches:
        times.setdefault(change.done, []).append(change.t)
    for passage in part.history.passages:
        times.setdefault(f"'{passage.coordinate}' beyond its {passage.side} limit", []).append(passage.t_s)
    return times


def _same_order(one: Mapping[str, Sequence[float]], other: Mapping[str, Sequence[float]], at_once_s: float) -> bool:
    """Whether what happened after something else in one flight did so in the other too."""
    pairs = sorted((t, there) for phrase in one for t, there in zip(one[phrase], other[phrase], strict=True))
    return all(later >= earlier - at_once_s or t - s <= at_once_s for (s, earlier), (t, later) in pairwise(pairs))
