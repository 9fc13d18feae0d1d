"""What constraints answer, looked at as it comes: as many rows, names and numbers as they say that they have."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...constraints import Constraint, Rows, SeenSystem
from ...errors import InvalidInput, Problem
from ...spatial import Array
from ._sight import Skeleton


def labels_of(one: Constraint, skeleton: Skeleton) -> tuple[str, ...]:
    """Return what the rows of a constraint are called; raises `InvalidInput` for what are no texts."""
    return _texts(one, "labels", one.labels(skeleton))


def units_of(one: Constraint, skeleton: Skeleton) -> tuple[str, ...]:
    """Return the units of its rows; raises `InvalidInput` for other than one each."""
    said = _texts(one, "units", one.units(skeleton))
    if len(said) != len(one.labels(skeleton)):
        raise InvalidInput(Problem(f"{one.label} units", "one per label", repr(said)))
    return said


def kept_of(one: Constraint, skeleton: Skeleton) -> int:
    """Return how many numbers are kept of a constraint; raises `InvalidInput` for what is no such number."""
    said: Any = one.kept(skeleton)
    if not (isinstance(said, int | np.integer) and said >= 0):
        raise InvalidInput(Problem(f"{one.label} kept", "a whole number >= 0", repr(said)))
    return int(said)


def rows_of(one: Constraint, seen: SeenSystem, kept: Array, t: Any, count: int) -> Rows:
    """Return the rows of a constraint, as many as it has labels; raises `InvalidInput` for anything else."""
    said: Any = one.rows(seen, kept, t)
    if not isinstance(said, Rows):
        raise InvalidInput(Problem(f"{one.label} rows", "Rows", repr(said)))
    wide = (count, len(seen.speeds))
    shapes = {"A": wide, "speed": (count,), "drift": (count,), "position": (count,), "push": wide}
    left_out = [name for name in ("position", "push") if getattr(said, name) is None]
    wrong = [name for name, shape in shapes.items() if name not in left_out and np.shape(getattr(said, name)) != shape]
    if wrong:
        expected = ", ".join(f"{name} of shape {shapes[name]}" for name in wrong)
        found = ", ".join(str(np.shape(getattr(said, name))) for name in wrong)
        raise InvalidInput(Problem(f"{one.label} rows", expected, found))
    return said


def numbers_of(one: Constraint, what: str, said: Any, count: int) -> Array:
    """Return numbers that a constraint says, in the units that it has; raises `InvalidInput` for another number of them."""
    if np.shape(said) != (count,):
        raise InvalidInput(Problem(f"{one.label} {what}", f"numbers of shape ({count},)", repr(said)))
    return np.asarray(said)


def _texts(one: Constraint, what: str, said: Any) -> tuple[str, ...]:
    if not (isinstance(said, tuple | list) and all(isinstance(text, str) for text in said)):
        raise InvalidInput(Problem(f"{one.label} {what}", "a text per row, such as ('line',)", repr(said)))
    return tuple(said)
