"""A stretch of a run that was flown."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...spatial import Array
from ..loop._setup import Setup
from ..loop._track import Track


@dataclass(frozen=True, eq=False)
class Stretch:
    """What is left of it to be flown again with derivatives.

    times : (n,) of its samples [s]; kept : which of them the whole run has
    """

    setup: Setup
    track: Track
    times: Array
    kept: slice = field(default_factory=lambda: slice(None))
