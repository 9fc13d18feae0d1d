"""The histories of several phases as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..environment import External
from ..simulation import History
from ..spatial import Array
from ..system import State

_RUNNING = ("t", "work", "dissipated", "impulse", "propellant_kg")


def joined(histories: Sequence[History]) -> History:
    """Return the history of phases that follow one another in one mode; a single one is returned as it is.

    Time runs on, and so do the totals of work, dissipation, impulse and propellant. The instant between two phases is there
    twice, as the end of one and the start of the next, because the joint forces may jump.
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
    parts["events"] = tuple(f"{event} of phase {k}" for k, history in enumerate(histories, 1) for event in history.events)
    parts["external"] = _external(histories)
    parts["steps"] = sum(history.steps for history in histories)
    return replace(first, **parts, outcome=last.outcome, advice=last.advice)


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
