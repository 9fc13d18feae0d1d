"""Checks at the doors of this room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import InvalidInput, Problem
from ..spatial import is_number


def finite(key: str, value: Any) -> Sequence[Problem]:
    """Return a problem unless `value` is a finite number."""
    return () if is_number(value) else (Problem(key, "a finite number", repr(value)),)


def above_zero(key: str, value: Any) -> Sequence[Problem]:
    """Return a problem unless `value` is a finite number > 0."""
    return () if is_number(value) and value > 0 else (Problem(key, "a finite number > 0", repr(value)),)


def refuse(*found: Sequence[Problem]) -> None:
    """Raise `InvalidInput` with all problems, if there are any."""
    problems = [problem for some in found for problem in some]
    if problems:
        raise InvalidInput(problems)
