"""From phase to phase: in the order of the file, or by a branch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ...errors import Problem
from ._phase import Phase


def following(phases: Sequence[Phase], number: int, branch: str = "") -> int:
    """Return the number of the phase after a phase, `len(phases)` after the last.

    branch : the phase that is to follow; without one it is the next to which no branch leads
    """
    led_to = {name for phase in phases for name in phase.events.ways.values()}
    later = range(number + 1, len(phases))
    return next((k for k in later if (phases[k].name == branch if branch else phases[k].name not in led_to)), len(phases))


def longest_s(phases: Sequence[Phase]) -> float:
    """Return the duration [s] of the longest way through phases whose branches lead forward."""

    @lru_cache
    def from_(number: int) -> float:
        if number == len(phases):
            return 0.0
        ways = phases[number].events.ways.values()
        return phases[number].t_end_s + max(from_(following(phases, number, way)) for way in ("", *ways))

    return from_(0)


def way_problems(phases: Sequence[Phase]) -> Iterator[Problem]:
    """Yield branches to phases that are not there, or that come before."""
    for number, phase in enumerate(phases):
        later = [other.name for other in phases[number + 1 :]]
        for by, name in phase.events.ways.items():
            if name not in later:
                key = f"phases[{number}].events branch by {by}"
                yield Problem(key, f"a later phase, one of {', '.join(later) or 'none'}", repr(name))
