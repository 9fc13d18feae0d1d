"""Running a program on numbers with NumPy: one case, or a batch of cases."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput, Problem
from .listing._listing import Listing


def size(x: Any) -> Any:
    """Return |x|, of complex numbers as it is differentiated: by the sign of their real part."""
    return np.where(np.real(x) < 0, -x, x) if np.iscomplexobj(x) else np.abs(x)


NUMPY: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "atan2": np.arctan2,
    "exp": np.exp,
    "tanh": np.tanh,
    "abs": size,
    "min": np.minimum,
    "max": np.maximum,
    "less": operator.lt,
    "select": np.where,
}
BLOCK = 1024  # cases at a time: the values of a long program then stay in the cache


def evaluated(listing: Listing, arrays: Sequence[Any]) -> tuple[NDArray[Any], ...]:
    """Return the outputs of a program for arrays of the shapes of its inputs, or with one more axis in front."""
    numbers = [np.asarray(a) for a in arrays]
    dtype = np.result_type(np.float64, *(a.dtype for a in numbers))
    batch = _batch(listing, numbers)
    flat = [a.astype(dtype).reshape(*batch, i.size) for a, i in zip(numbers, listing.inputs, strict=True)]
    outputs = tuple(np.empty((*batch, *o.shape), dtype) for o in listing.outputs)
    blocks = [slice(k, k + BLOCK) for k in range(0, batch[0], BLOCK)] if batch else [...]
    with np.errstate(all="ignore"):
        for block in blocks:
            values = values_of(listing, [x for a in flat for x in a[block].T], np.float64, NUMPY)
            for output, array in zip(listing.outputs, outputs, strict=True):
                columns = array[block].reshape(*array[block].shape[: len(batch)], len(output.values))
                for k, value in enumerate(output.values):
                    columns[..., k] = values[value]
                array[block] = columns.reshape(array[block].shape)
    return outputs


def values_of(
    listing: Listing, entries: list[Any], number: Callable[[float], Any], operations: Mapping[str, Callable[..., Any]]
) -> list[Any]:
    """Return every value of the program, in the order of their numbers, over scalars of someone's choice.

    entries : of all inputs; number : makes a scalar of a constant; operations : what each operation is over these scalars
    """
    values = entries + [number(c) for c in listing.constants]
    for step in listing.steps:
        values.append(operations[step.op](*[values[k] for k in step.args]))
    return values


def _batch(listing: Listing, arrays: list[NDArray[Any]]) -> tuple[int, ...]:
    """Return () for one case or (cases,) for a batch, once the shapes are right."""
    shapes, wanted = [a.shape for a in arrays], [i.shape for i in listing.inputs]
    batch = shapes[0][:1] if shapes and wanted and len(shapes[0]) == len(wanted[0]) + 1 else ()
    if shapes != [(*batch, *shape) for shape in wanted]:
        expected = ", ".join(map(str, wanted))
        hint = "or each with the same number of cases in front"
        raise InvalidInput(Problem("arrays", f"shapes {expected}", ", ".join(map(str, shapes)), hint=hint))
    return batch
