"""What a mission is built of, when that is not what its file says by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..dynamics import Model
from ..system import System
from ._source import Source


@dataclass(frozen=True, eq=False)
class Hardware:
    """A system, and how models are made of systems.

    source : the system, in place of the one that the mission names
    compiled : makes a model of a system
    believed : what controllers believe in that name no estimate of their own, None for the system that flies
    """

    source: Source
    compiled: Callable[[System], Model]
    believed: System | None = None
