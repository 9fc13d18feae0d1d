"""One manoeuvre in several modes on one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ...analysis import base_displacement, base_rotation
from ...errors import checked
from ...modes import stored_momentum
from ...simulation import History
from ...spatial import Array
from ._summary import Summary, measured

_HEADINGS = (
    "mode",
    "base rotation",
    "base displacement",
    "joint torque",
    "stored momentum",
    "impulse",
    "angular impulse",
    "outcome",
)


@checked
def comparison(title: str, histories: Mapping[str, History], outcomes: Mapping[str, str] | None = None) -> Summary:
    """Return what each of several runs did to the base and took for it, largest values, a row per run.

    histories : by what they are called, such as their modes
    outcomes : a word for each, such as "ok" or "FAILED"; how the runs ended without

    >>> table = comparison("one slew, twice", {"floating": history, "again": history})
    >>> table.title, len(table.rows)
    ('one slew, twice', 3)
    """
    words = {name: str(history.outcome) for name, history in histories.items()} if outcomes is None else outcomes
    rows = [(name, *_cells(history), words[name]) for name, history in histories.items()]
    return Summary(title, (_HEADINGS, *rows), headings=())


def _cells(history: History) -> Iterator[str]:
    history = history.finely
    yield measured(float(base_rotation(history).max()), "rad")
    yield measured(float(base_displacement(history).max()), "m")
    turning = [i for i, freedom in enumerate(history.system.freedoms) if freedom.unit == "rad"]
    yield measured(float(np.abs(history.tau[:, turning]).max(initial=0.0)), "N m")
    yield measured(_largest(stored_momentum(history)), "N m s") if history.system.turners else "-"
    yield measured(_largest(history.impulse[:, :3]), "N s") if history.mode.pushed else "-"
    yield measured(_largest(history.impulse[:, 3:]), "N m s") if history.mode.pushed else "-"


def _largest(rows: Array) -> float:
    return float(np.linalg.norm(rows, axis=1).max())
