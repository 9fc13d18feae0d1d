"""How large what is left of a law is at every sample, and the parts of its balance, by one program for each law."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

import numpy as np

from ...compiled import CompiledProgram, compile_program
from ...spatial import Array, sqrt
from ...symbolic import record

Balanced: TypeAlias = tuple[Array, Sequence[Array]]
Formula: TypeAlias = Callable[..., Balanced]


def sizes(formula: Formula, given: Mapping[str, Array]) -> dict[str, Array]:
    """Return what is left of a law at n samples, "deviation" (n, k), with its size "left" (n,), and sizes of "demanded" (n,)
    and of "parts" (n, j).

    formula : over any scalar, of a first sample by name and of a sample by name: what is left, and the parts
    given : series (n, k) by name, and (k,) what is the same at all samples; `demanded` among them, which no formula has
    """
    arrays = {name: np.asarray(array, dtype=np.float64) for name, array in given.items()}
    firsts = [array[0] if array.ndim > 1 else array for array in arrays.values()]
    program = _program(formula, tuple((name, array.shape[-1]) for name, array in arrays.items()))
    return program.rows(max(len(array) for array in arrays.values() if array.ndim > 1), *arrays.values(), *firsts)


@cache
def _program(formula: Formula, widths: tuple[tuple[str, int], ...]) -> CompiledProgram:
    def found(**numbers: Array) -> dict[str, Array]:
        first, demanded = {name: numbers.pop(f"{name}_0") for name, _ in widths}, numbers.pop("demanded")
        left, parts = formula(first, **numbers)
        of_each = {"left": _size(left), "demanded": _size(demanded)}
        return {"deviation": left, **of_each, "parts": np.array([_size(part) for part in parts])}

    shapes = {name: (width,) for name, width in widths} | {f"{name}_0": (width,) for name, width in widths}
    return compile_program(record(shapes, found), in_batches=True)


def _size(vector: Array) -> Array:
    size: Array = np.abs(vector[0]) if len(vector) == 1 else sqrt(vector @ vector)
    return size
