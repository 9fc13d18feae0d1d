"""A program and its rates over any scalar, for use in formulas and in other programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._derivative import along
from ._evaluate import NUMPY
from ._functions import arctan2, less, maximum, minimum, select
from ._scalar import Value
from .listing._listing import Listing

OVER_ANY: dict[str, Callable[..., Any]] = {
    **NUMPY,
    "atan2": arctan2,
    "min": minimum,
    "max": maximum,
    "less": less,
    "select": select,
}


def moved(listing: Listing, arrays: Sequence[Any], rates: Sequence[Any]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return every output of a program and its rate, for arrays of the shapes of its inputs and their rates."""
    entries: list[Value] = [x for array in arrays for x in np.ravel(array)]
    moving = enumerate(x for rate in rates for x in np.ravel(rate))
    seeds = {k: x for k, x in moving if not (isinstance(x, float) and x == 0)}
    values = [*entries, *listing.constants]
    for step in listing.steps:
        values.append(OVER_ANY[step.op](*(values[k] for k in step.args)))
    found = []
    for output in listing.outputs:
        its = along(listing, values, seeds, output)
        pair = [values[k] for k in output.values], [its.get(k, 0.0) for k in output.values]
        found.append(tuple(_array(entries).reshape(output.shape) for entries in pair))
    return found  # type: ignore[return-value]


def _array(entries: list[Any]) -> NDArray[Any]:
    """Return an array of numbers where all are such."""
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    plain = all(isinstance(x, int | float | complex | np.number) for x in entries)
    return np.array(entries) if plain else array
