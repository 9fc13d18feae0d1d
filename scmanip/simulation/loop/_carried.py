"""What a law and events take along where a run goes on under other constraints."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...navigation import Known
from ...spatial import Array


class Carried(NamedTuple):
    """The memory of a law, and of a sampled one the times [s] and commands so far, the last of which is held.

    known : what was known, each with its time [s], where laws do not see the truth; what no output shows is left out
    since : since when [s] the numbers of events are positive that have to last; None without events
    """

    memory: Any
    times: tuple[float, ...] = ()
    commands: tuple[Array, ...] = ()
    known: tuple[tuple[float, Known], ...] = ()
    since: Array | None = None
