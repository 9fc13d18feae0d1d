"""How many numbers a value has, and what their columns are called."""

from __future__ import annotations

from ._case import Value


def width_of(value: Value) -> int | None:
    """Return how many numbers a value has, None for a single number or text."""
    return len(value) if isinstance(value, tuple) else None


def columns_of(path: str, width: int | None) -> list[str]:
    """Return the names of the columns of a value: its path, or path[0], path[1] ..."""
    return [path] if width is None else [f"{path}[{k}]" for k in range(width)]
