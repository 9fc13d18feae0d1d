"""A program and its rates over any scalar, for use in formulas and in other programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._derivative import CHAIN_RULE, Rule, along
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


def moved(
    listing: Listing, arrays: Sequence[Any], each: Sequence[Sequence[Any]], rules: Mapping[str, Rule] = CHAIN_RULE
) -> tuple[list[NDArray[Any]], list[list[NDArray[Any]]]]:
    """Return every output of a program for arrays of the shapes of its inputs, and per direction its rate for their rates."""
    entries: list[Value] = [x for array in arrays for x in np.ravel(array)]
    values = [*entries, *listing.constants]
    for step in listing.steps:
        values.append(OVER_ANY[step.op](*(values[k] for k in step.args)))
    found = []
    for rates in each:
        moving = enumerate(x for rate in rates for x in np.ravel(rate))
        its = along(listing, values, {k: x for k, x in moving if not _is_zero(x)}, listing.outputs, rules)
        found.append([_array([its.get(k, 0.0) for k in o.values]).reshape(o.shape) for o in listing.outputs])
    return [_array([values[k] for k in o.values]).reshape(o.shape) for o in listing.outputs], found


def _is_zero(x: Any) -> bool:
    return isinstance(x, int | float | np.number) and x == 0


def _array(entries: list[Any]) -> NDArray[Any]:
    """Return an array of numbers where all are such."""
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    plain = all(isinstance(x, int | float | complex | np.number) for x in entries)
    return np.array(entries) if plain else array
