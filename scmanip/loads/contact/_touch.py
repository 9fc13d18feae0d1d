"""One place at which two shapes may touch."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...spatial import Array


class Touch(NamedTuple):
    """Where and how two shapes are opposite each other, in N; any scalar.

    label : its name among the places of the pair
    depth, rate : how deep the second is in the first [m], and how fast it goes deeper [m/s]
    normal : (3,) from the first to the second
    at : (3,) between the two places [m]
    slip : (3,) velocity of the second on the first across the normal [m/s]
    """

    label: str
    depth: Any
    rate: Any
    normal: Array
    at: Array
    slip: Array
