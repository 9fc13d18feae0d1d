"""The histories of several phases as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...channels import Nature
from ...loads import EXTERNAL, External
from ...modes import InTurn
from ...spatial import Array
from ...system import State
from ..events._outcome import Outcome
from ._history import History


def joined(histories: Sequence[History]) -> History:
    """Return the history of phases that follow one another; a single one is returned as it is.

    Where their modes differ the whole is flown in them `InTurn`, of which balances hold that hold in all modes.
    Time runs on, and so do totals such as those of work, dissipation, impulse and propellant; what happened has mission times.
    The instant between two phases is there twice, as the end of one and the start of the next, because the joint forces may
    jump. A series is put together when it is first read.
    """
    if len(histories) == 1:
        return histories[0]
    first, last = histories[0], histories[-1]
    return History(
        first.channels,
        _Binding(histories),
        system=first.system,
        mode=first.mode if one_mode(histories) else InTurn([history.mode for history in histories]),
        outcome=last.outcome,
        advice=_advice(last, starts(histories)[-1]),
        steps=sum(history.steps for history in histories),
    )


class _Binding:
    """The books of several histories as one."""

    def __init__(self, histories: Sequence[History]) -> None:
        self._histories = histories

    def finely(self) -> History | None:
        """Return the history that the phases have together at many more times."""
        return joined([history.finely for history in self._histories])

    def nodes(self) -> Array:
        """Return which samples of that history each step has."""
        before = np.cumsum([0, *(len(history.finely.t) for history in self._histories)])
        return np.concatenate([first + history.nodes for first, history in zip(before, self._histories, strict=False)])

    def page(self, name: str) -> dict[str, Any]:
        """Return a series of the joined history."""
        if name in EXTERNAL:
            return EXTERNAL.series(self._whole("external"))
        return {name: self._whole(name)}

    def _whole(self, name: str) -> Any:
        histories, channel = self._histories, self._histories[0].channels.get(name)
        if name == "states":
            return State.stack([history.states[i] for history in histories for i in range(len(history.t))])
        if name in ("occurrences", "passages"):
            timed = zip(starts(histories), histories, strict=True)
            return tuple(entry.later(start) for start, history in timed for entry in getattr(history, name))
        if name in ("external", "demand"):
            return _books([getattr(history, name) for history in histories], histories)
        runs_on = channel is not None and channel.kind is Nature.INTEGRAL
        return _running(histories, name) if runs_on else np.concatenate([getattr(h, name) for h in histories])


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


def _books(books: Sequence[External | None], histories: Sequence[History]) -> External | None:
    """Return the books of all phases as one, with nothing in phases that have none; None where none has any."""
    if all(book is None for book in books):
        return None
    times = [history.t for history in histories]
    filled = [External.of(np.zeros((len(t), External.COLUMNS))) if b is None else b for b, t in zip(books, times, strict=True)]
    return External.joined(filled, times, histories[0].mass_kg)


def _running(histories: Sequence[History], name: str) -> Array:
    """Return a series that starts at 0 in every phase as one that runs on."""
    parts: list[Array] = []
    for history in histories:
        series: Array = getattr(history, name)
        parts.append(series + parts[-1][-1] if parts else series)
    return np.concatenate(parts)
