"""Checks of what comes with many states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, InvalidState, Problem, expect, refuse
from ...spatial import Array, real
from ...system import Layout, State, quaternion_problems, unknown_values


def cases_of(states: State, layout: Layout) -> int:
    """Return how many states there are; raises `InvalidInput` for what is no batch of this system."""
    expect("states", states, State, "a State that is a batch")
    if states.hardware.ndim != 2 or states.hardware.shape[1] != layout.n_x:
        expected = f"a batch with a leading axis, {layout.n_x} numbers per state"
        raise InvalidState(Problem("states", expected, f"shape {states.hardware.shape}", hint="use State.stack"))
    refuse(quaternion_problems("states", states.hardware[:, layout.x_q], layout), InvalidState)
    return len(states.hardware)


def check_counts(numbers: Mapping[str, Array], values: Mapping[str, Array], n: int) -> None:
    """Raise `InvalidInput` unless values are one per state, or one for all; numbers : the system's own."""
    many = {key: value for key, value in values.items() if value.ndim > numbers[key].ndim}
    refuse([Problem(key, f"one for each of {n} states", f"{len(v)}") for key, v in many.items() if len(v) != n], InvalidInput)


def values_of_cases(numbers: Mapping[str, Array], values: Mapping[str, ArrayLike]) -> dict[str, Array]:
    """Return numbers of many cases, (n, ...) or one for all, as floats; raises `InvalidInput` for others.

    numbers : those that are inputs, by their names, with the system's own values
    """
    expect("values", values, Mapping, "values by the paths of numbers")
    found = {str(name).removeprefix("system."): value for name, value in values.items()}
    problems = unknown_values(found, numbers)
    problems += [p for name, value in found.items() if name in numbers for p in case_problems(name, value, numbers[name].shape)]
    refuse(problems, InvalidInput)
    return {name: np.ascontiguousarray(real(value)).reshape(np.shape(value)) for name, value in found.items()}


def case_problems(key: str, value: Any, shape: tuple[int, ...], *, alone: bool = True) -> list[Problem]:
    """Return what keeps values from being finite numbers of every case (n, *shape), or with `alone` of all of them (*shape)."""
    each = ", ".join(map(str, ("n", *shape)))
    expected = f"finite numbers of shape ({each}{',' * (not shape)})" + f" or {shape}" * alone
    try:
        array = real(value)
    except (TypeError, ValueError):
        return [Problem(key, expected, repr(value))]
    fits = array.shape[1:] == shape and array.ndim == len(shape) + 1
    if not (fits or (alone and array.shape == shape)):
        return [Problem(key, expected, f"shape {array.shape}")]
    return [] if np.isfinite(array).all() else [Problem(key, expected, "numbers that are not finite")]


def check_out(out: Any, shape: tuple[int, ...]) -> None:
    """Raise `InvalidState` unless `out` is a result array of that shape that can be filled."""
    if isinstance(out, np.ndarray) and out.dtype == np.float64 and out.shape == shape and out.flags.writeable:
        return
    found = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
    raise InvalidState(Problem("out", f"writeable float64 array of shape {shape}", found))
