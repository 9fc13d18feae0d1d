"""Whether what is to be held together is where it should be."""

from __future__ import annotations

from collections.abc import Iterator

from ..actuators import Flaw

NEAR = 1e-3  # m or rad: typed coordinates have so many digits, and what remains is kept as found


def beyond(key: str, tolerance: float | None, distance: float) -> Iterator[Flaw]:
    """Yield a distance [m or rad] that is more than what the key of a tolerance says; None is no limit.

    >>> list(beyond("tolerance_m", 1e-3, 2e-4))
    []
    >>> next(beyond("tolerance_m", 1e-3, 0.02)).found
    '0.02 m'
    """
    if tolerance is not None and not distance <= tolerance:
        unit = key.rpartition("_")[2]
        yield Flaw(key, f"frames that meet within {tolerance:g} {unit}", f"{distance:.6g} {unit}")
