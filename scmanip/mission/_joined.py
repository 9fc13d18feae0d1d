"""The histories of several phases as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..environment import External
from ..modes import Flying
from ..simulation import History, Outcome
from ..spatial import Array
from ..system import State

_RUNNING = ("t", "work", "dissipated", "impulse", "propellant_kg")


def joined(histories: Sequence[History]) -> History:
    """Return the history of phases that follow one another; a single one is returned as it is.

    Where their modes differ the whole is said to be `Flying`, whose balances of momentum and impulse hold in all of them.
    Time runs on, and so do the totals of work, dissipation, impulse and propellant; what happened has mission times. The
    instant between two phases is there twice, as the end of one and the start of the next, because joint forces may jump.
    """
    if len(histories) == 1:
        return histories[0]
    first, last = histories[0], histories[-1]
    parts: dict[str, Any] = {
        field.name: np.concatenate([getattr(history, field.name) for history in histories])
        for field in fields(History)
        if isinstance(getattr(first, field.name), np.ndarray)
    }
    parts |= {name: _running(histories, name) for name in _RUNNING}
    parts["states"] = State.stack([history.states[i] for history in histories for i in range(len(history.t))])
    parts["occurrences"] = tuple(
        occurrence.later(float(start))
        for start, history in zip(starts(histories), histories, strict=True)
        for occurrence in history.occurrences
    )
    parts["external"] = _external(histories)
    parts["steps"] = sum(history.steps for history in histories)
    parts["mode"] = first.mode if one_mode(histories) else Flying()
    return replace(first, **parts, outcome=last.outcome, advice=_advice(last, starts(histories)[-1]))


def _advice(last: History, start_s: float) -> str:
    """Return the advice of the last phase, which began at `start_s` [s]; an event by mission time."""
    if last.outcome is Outcome.EVENT:
        now = [o.later(start_s) for o in last.occurrences if o.first_s == o.last_s == last.t[-1]]
        return "; ".join(map(str, now))
    timed = last.advice and last.outcome is not Outcome.TIMEOUT
    return f"{last.advice} (times since the phase began, at t = {start_s:.9g} s)" if timed else last.advice


def one_mode(histories: Sequence[History]) -> bool:
    """Whether all phases were flown in one mode."""
    return len({repr(history.mode) for history in histories}) == 1


def stretches(histories: Sequence[History]) -> list[tuple[float, History]]:
    """Return the phases with those that follow one another in one mode joined, each with its start in mission time [s]."""
    groups: list[list[History]] = []
    for history in histories:
        if groups and one_mode([groups[-1][0], history]):
            groups[-1].append(history)
        else:
            groups.append([history])
    parts = [joined(group) for group in groups]
    return list(zip(starts(parts), parts, strict=True))


def starts(histories: Sequence[History]) -> list[float]:
    """Return when each of several histories starts that follow one another, in mission time [s]."""
    return [float(start) for start in np.cumsum([0.0, *(history.t[-1] for history in histories[:-1])])]


def phase_numbers(histories: Sequence[History]) -> NDArray[np.intp]:
    """Return (n,) the number from 0 of the phase to which each sample of the joined history belongs."""
    return np.repeat(np.arange(len(histories)), [len(history.t) for history in histories])


def _external(histories: Sequence[History]) -> External | None:
    """Return the books of the environment; None in free space."""
    books = [history.external for history in histories if history.external is not None]
    return External.joined(books, [history.t for history in histories], histories[0].mass_kg) if books else None


def _running(histories: Sequence[History], name: str) -> Array:
    """Return a series that starts at 0 in every phase as one that runs on."""
    parts: list[Array] = []
    for history in histories:
        series: Array = getattr(history, name)
        parts.append(series + parts[-1][-1] if parts else series)
    return np.concatenate(parts)
