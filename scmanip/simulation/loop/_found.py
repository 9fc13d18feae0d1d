"""What a switch finds where a run goes on behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...plant import Plant
from ...system import State


class FoundStart(NamedTuple):
    """The plant and the state before what is switched at the start of a stretch.

    blow : what impacts and push-offs make of another plant, state and time [s], with the names of what touches; None without
    """

    plant: Plant
    state: State
    blow: Callable[[Plant, State, float], tuple[State, tuple[str, ...]]] | None = None
