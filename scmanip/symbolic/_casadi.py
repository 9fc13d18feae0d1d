"""A program as a CasADi function, for optimisers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from itertools import chain, count
from math import prod
from typing import Any

from ..errors import InvalidInput, MissingExtra, Problem
from ._evaluate import values_of
from .listing._listing import Listing


def casadi_function(listing: Listing, name: str) -> Any:
    """Return a `casadi.Function` of the same inputs and outputs, over CasADi's own scalars.

    Arrays of one axis are columns there; of more than two axes the rows hold the first, the columns all others in C order.
    Names that CasADi has no place for become words, all of them different.
    """
    casadi = _casadi()
    if not casadi.Function.check_name(name):
        raise InvalidInput(Problem("name", "a letter, then letters, digits and single _", repr(name)))
    names = _names(casadi, [*(i.name for i in listing.inputs), *(o.name for o in listing.outputs)])
    arrays = [casadi.SX.sym(word, *_size(i.shape)) for word, i in zip(names, listing.inputs, strict=False)]
    entries = [scalar for array in arrays for scalar in casadi.vec(array.T).elements()]
    values = values_of(listing, entries, casadi.SX, _operations(casadi))
    outputs = [_array(casadi, [values[k] for k in output.values], output.shape) for output in listing.outputs]
    return casadi.Function(name, arrays, outputs, names[: len(arrays)], names[len(arrays) :])


def _operations(casadi: Any) -> dict[str, Callable[..., Any]]:
    named = {op: getattr(casadi, op) for op in ("sqrt", "sin", "cos", "tan", "atan2", "exp", "tanh")}
    sums = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "neg": operator.neg}
    return (
        named
        | sums
        | {
            "abs": casadi.fabs,
            "min": casadi.fmin,
            "max": casadi.fmax,
            "less": operator.lt,
            "select": casadi.if_else,
        }
    )


def _array(casadi: Any, entries: list[Any], shape: tuple[int, ...]) -> Any:
    rows, columns = _size(shape)
    return casadi.reshape(casadi.vertcat(casadi.SX(0, 1), *entries), columns, rows).T


def _size(shape: tuple[int, ...]) -> tuple[int, int]:
    return (shape[0] if shape else 1), prod(shape[1:])


def _names(casadi: Any, given: Iterable[str]) -> list[str]:
    """Return names that CasADi takes, in order; those of paths are their words."""
    taken: list[str] = []
    for name in given:
        word = casadi.Function.fix_name(name.encode("ascii", "replace").decode())
        others = (f"{word}{k}" for k in count(2))
        taken.append(next(option for option in chain([word], others) if option not in taken))
    return taken


def _casadi() -> Any:
    """Return the module."""
    try:
        import casadi
    except ImportError:
        raise MissingExtra("a function of CasADi", "opt") from None
    return casadi
