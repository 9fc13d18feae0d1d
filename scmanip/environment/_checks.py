"""Checks at the doors of this room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import InvalidInput, Problem


def finite(key: str, value: Any) -> Sequence[Problem]:
    """Return a problem unless `value` is a finite number."""
    return () if _is_finite(value) else (Problem(key, "a finite number", repr(value)),)


def above_zero(key: str, value: Any) -> Sequence[Problem]:
    """Return a problem unless `value` is a finite number > 0."""
    return () if _is_finite(value) and value > 0 else (Problem(key, "a finite number > 0", repr(value)),)


def refuse(*found: Sequence[Problem]) -> None:
    """Raise `InvalidInput` with all problems, if there are any."""
    problems = [problem for some in found for problem in some]
    if problems:
        raise InvalidInput(problems)


def _is_finite(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and bool(np.isfinite(value))
