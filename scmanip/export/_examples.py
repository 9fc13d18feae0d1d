"""Recorded states: inputs of a program with what comes out, which code in another language must give again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem, refuse
from ..spatial import Array
from ..symbolic import Program

COUNT = 20
DRAWN = 10 * COUNT  # at random, of which the first that give finite results are taken
RELATIVE = 1e-12  # of the largest entry of an output
ROUNDING = 100  # times what longer numbers change


@dataclass(frozen=True, eq=False)
class Examples:
    """Twenty states.

    inputs, outputs : (20, *shape) each, in the order of the program
    tolerances : per output, by how much its entries may differ
    """

    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]
    tolerances: tuple[float, ...]


def recorded(program: Program, given: Mapping[str, ArrayLike]) -> Examples:
    """Return states with what a program makes of them.

    given : input name -> (n, *shape), at least 20 for all; the others are drawn from normal distributions. Raises
    `InvalidInput` for arrays of other inputs or shapes, and where fewer than 20 states give finite results.
    """
    candidates = _inputs(program, given)
    count = min(map(len, candidates), default=COUNT)
    candidates = [array[:count] for array in candidates]
    finite = _finite(_results(program, candidates, count), count)
    if len(finite) < COUNT:
        raise InvalidInput(Problem("examples", f"{COUNT} states with finite results", f"{len(finite)} of {count}"))
    inputs = tuple(array[finite[:COUNT]] for array in candidates)
    short, long = (_results(program, [a.astype(dtype) for a in inputs], COUNT) for dtype in (np.float64, np.longdouble))
    tolerances = tuple(map(_tolerance, short, long))
    return Examples(inputs, tuple(array.astype(float) for array in long), tolerances)


def _inputs(program: Program, given: Mapping[str, ArrayLike]) -> list[Array]:
    shapes = {i.name: i.shape for i in program.inputs}
    arrays = {name: np.asarray(array, dtype=float) for name, array in given.items()}
    refuse(
        Problem(f"examples of {name!r}", f"(n, *{shapes.get(name, 'an input of the program')})", f"shape {array.shape}")
        for name, array in arrays.items()
        if name not in shapes or array.shape[1:] != shapes[name] or not array.shape
    )
    rng = np.random.default_rng(0)
    return [arrays[name] if name in arrays else rng.normal(size=(DRAWN, *shape)) for name, shape in shapes.items()]


def _results(program: Program, inputs: list[Array], count: int) -> tuple[Array, ...]:
    if inputs:
        return program.evaluate(*inputs)
    return tuple(np.repeat(array[None], count, axis=0) for array in program.evaluate())


def _finite(outputs: tuple[Array, ...], count: int) -> Array:
    """Return the numbers of the states of which all results are finite."""
    sound = [np.isfinite(array.reshape(count, -1)).all(axis=1) for array in outputs]
    return np.flatnonzero(np.all(sound, axis=0)) if sound else np.arange(count)


def _tolerance(short: Array, long: Array) -> float:
    """Return by how much the entries of an output may differ: what is solved has larger errors, what cancels only such."""
    return float(RELATIVE * np.abs(long).max(initial=0.0) + ROUNDING * np.abs(short - long).max(initial=0.0))
