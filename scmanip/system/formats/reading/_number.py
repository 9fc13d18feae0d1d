"""A number as text of files of other tools."""

from __future__ import annotations

import math
import re

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def number(text: str) -> float:
    """Return a finite number."""
    if not _NUMBER.fullmatch(text.strip()) or not math.isfinite(float(text)):
        raise ValueError(text)
    return float(text)
