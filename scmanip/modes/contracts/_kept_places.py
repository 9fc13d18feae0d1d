"""The law of constraints that hold places: what is integrated stays there."""

from __future__ import annotations

from collections.abc import Iterator

from ...spatial import Array
from ._residual import Residual

MOST = 1e-6  # m or rad: a thousandth of how near frames have to be that meet


def constraints_hold_their_places(drift: Array) -> Iterator[Residual]:
    """Yield how far (n,) the state was from what constraints hold [m or rad] before it was brought back there.

    >>> drift = next(constraints_hold_their_places(np.array([0.0, 1e-9, 2e-9])))
    >>> drift.name, drift.value
    ('constraint_drift', 2e-09)
    """
    words = "constraint_drift", "way of what constraints hold from where they hold it, before it is brought back", "m or rad"
    yield Residual(*words, drift, 1.0, "1 m or 1 rad", None, MOST)
