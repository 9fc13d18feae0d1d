"""Numbers that a user gives, as they are or as problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem, misfits
from ...spatial import Array, is_number, real


def event_problems(event: Any) -> list[Problem]:
    """Return what is wrong with what an event says of itself, before it is asked for anything."""
    if wrong := misfits(event):
        return wrong
    said: dict[str, tuple[bool, str]] = {
        "ends": (isinstance(event.ends, bool), "True or False"),
        "called": (isinstance(event.called, str), "a text"),
        "lasts": (is_number(event.lasts) and event.lasts >= 0, "a finite number >= 0 [s]"),
    }
    return [
        Problem(f"{type(event).__name__}.{name}", expected, repr(getattr(event, name)))
        for name, (fits, expected) in said.items()
        if not fits
    ]


def phrases_of(event: Any, model: Any) -> tuple[str, ...]:
    """Return what has happened where an event does, one phrase per number; raises `InvalidInput` for what are no texts."""
    said = event.names(model)
    if not (isinstance(said, tuple | list) and all(isinstance(each, str) for each in said)):
        raise InvalidInput(Problem(f"names of event '{event.called}'", "a text per number, such as ('it passed',)", repr(said)))
    return tuple(said)


def row_of(event: Any, said: Any, shape: tuple[int, ...], *, names: str = "values") -> Array:
    """Return the numbers of an event, of a shape and in its units; raises `InvalidInput` for anything else."""
    try:
        row = real(said)
    except (TypeError, ValueError):
        row = None
    if row is None or row.shape != shape:
        expected = f"numbers of shape {shape}, one per name"
        raise InvalidInput(Problem(f"{names} of event '{event.called}'", expected, repr(said)))
    return row


def numbers(key: str, value: ArrayLike) -> Array:
    """Return an array of any shape; raises `InvalidInput` for what is no numbers."""
    try:
        return real(value)
    except (TypeError, ValueError):
        raise InvalidInput(Problem(key, "numbers", repr(value))) from None


def number_problems(needed: Mapping[str, Any], optional: Mapping[str, Any]) -> list[Problem]:
    """Return a problem for every number that is not finite and > 0; optional ones may be None."""
    wrong = [key for key, v in needed.items() if not (is_number(v) and v > 0)]
    wrong += [key for key, v in optional.items() if v is not None and not (is_number(v) and v > 0)]
    return [Problem(key, "a finite number > 0", repr({**needed, **optional}[key])) for key in wrong]


def refuse_number(key: str, value: Any, count: int) -> None:
    """Raise `InvalidInput` for what is no number of one of `count` things, from 0 or, below 0, from the end."""
    if not (isinstance(value, int | np.integer) and -count <= value < count):
        raise InvalidInput(Problem(key, f"a whole number from 0 to {count - 1}", repr(value)))
