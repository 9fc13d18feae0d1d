"""Keys that say the same in several units."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

_UNITS = {"_deg_s": ("_rad_s", math.pi / 180), "_deg": ("_rad", math.pi / 180), "_rpm": ("_rad_s", math.tau / 60)}
_UNITS |= {"_km": ("_m", 1000.0), "_Nm_deg": ("_Nm_rad", 180 / math.pi), "_Nms_deg": ("_Nms_rad", 180 / math.pi)}
_LONGEST_FIRST = sorted(_UNITS, key=len, reverse=True)


@lru_cache(maxsize=1024)
def in_si(key: str) -> tuple[str, float]:
    """Return a key in SI, and the size of its unit there."""
    for unit in _LONGEST_FIRST:
        if key.endswith(unit):
            si, size = _UNITS[unit]
            return key.removesuffix(unit) + si, size
    return key, 1.0


def set_alone(table: dict[str, Any], key: str, value: Any) -> None:
    """Set a key of a table in place of what it says of the same in another unit; entries joint by joint stay."""
    for other in [name for name, given in table.items() if in_si(name)[0] == in_si(key)[0] and not isinstance(given, dict)]:
        del table[other]
    table[key] = value
