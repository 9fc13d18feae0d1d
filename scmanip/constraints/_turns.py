"""Ways that follow from turns, over any scalar."""

from __future__ import annotations

from typing import Any

from ..spatial import cos, present, sin


def beyond_turn(way: Any, pitch: float, c: Any, s: Any) -> Any:
    """Return pitch sin(way / pitch - turn): how far a way is from the pitch times a turn, of which c and s are cosine and sine.

    Whole turns are counted by the way; its rate is that of the way less pitch times that of the turn where it is zero.
    """
    if not present(pitch):
        return way
    return pitch * (sin(way / pitch) * c - cos(way / pitch) * s)
