"""A line on which things arrive some steps after they were sent."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

Sent = TypeVar("Sent")


class Delay(Generic[Sent]):
    """What was sent comes out `steps` later; until then what it began with does."""

    def __init__(self, steps: int, first: Sent) -> None:
        self._line = deque([first] * (steps + 1), maxlen=steps + 1)

    def __call__(self, sent: Sent) -> Sent:
        """Send something, and return what arrives."""
        self._line.append(sent)
        return self._line[0]
