"""A program, or formulas made of it, as a function of NumPy arrays, by SymPy's `lambdify`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidInput, Problem
from ..listing._listing import Input


@dataclass(frozen=True, eq=False)
class NumpyFunction:
    """Takes one array per input, in order, and returns an array; a tuple of arrays for several outputs.

    Every array has the shape of its input, or all have one more axis in front, the cases, which the result then has too.

    inputs : name and shape of every argument; shapes : of the results
    source : the Python text that runs, in generated names

    >>> function = record({"q": (2,)}, lambda q: {"x": q[0] * q[1]}).function()
    >>> function, float(function([2.0, 3.0])), function([[2.0, 3.0], [4.0, 5.0]]).tolist()
    (NumpyFunction(q (2,) -> ()), 6.0, [6.0, 20.0])
    """

    inputs: tuple[Input, ...]
    shapes: tuple[tuple[int, ...], ...]
    source: str
    _entries: Callable[..., Any]

    def __call__(self, *arrays: Any) -> Any:
        given = [np.asarray(a) for a in arrays]
        wanted = [i.shape for i in self.inputs]
        cases = given[0].shape[:1] if given and given[0].ndim == len(wanted[0]) + 1 else ()
        if [a.shape for a in given] != [(*cases, *shape) for shape in wanted]:
            expected = ", ".join(f"{i.name} {i.shape}" for i in self.inputs)
            raise InvalidInput(Problem("arrays", expected, ", ".join(str(a.shape) for a in given)))
        flat = [x for a, i in zip(given, self.inputs, strict=True) for x in a.reshape((*cases, i.size)).T]
        with np.errstate(all="ignore"):
            found = self._entries(*flat)
        results = tuple(_array(entries, cases, shape) for entries, shape in zip(found, self.shapes, strict=True))
        return results if len(results) > 1 else results[0]

    def __repr__(self) -> str:
        given = ", ".join(f"{i.name} {i.shape}" for i in self.inputs)
        return f"NumpyFunction({given} -> {', '.join(map(str, self.shapes))})"


def numpy_function(
    inputs: Sequence[Input], symbols: Sequence[Any], steps: Sequence[tuple[Any, Any]], outputs: Sequence[Any]
) -> NumpyFunction:
    """Return formulas as a function.

    symbols : SymPy symbols of the entries of the inputs; steps : (symbol, expression), each in these and earlier ones
    outputs : (shape, expressions) in all of them. No name goes into the text that is made: all are generated.
    """
    import sympy

    if len(set(symbols)) < len(symbols):
        raise InvalidInput(Problem("names", "names that differ", ", ".join(map(str, symbols))))
    dummies = [sympy.Symbol(f"x{k}") for k in range(len(symbols))]
    generated = dict(zip(symbols, dummies, strict=True))
    generated |= {symbol: sympy.Symbol(f"z{k}") for k, (symbol, _) in enumerate(steps)}
    listed = [(generated[symbol], expression.xreplace(generated)) for symbol, expression in steps]
    wanted = [[e.xreplace(generated) for e in entries] for _, entries in outputs]
    function = sympy.lambdify(
        dummies, wanted, [OWN, "numpy"], cse=lambda expressions: (listed, expressions), printer=_printer()
    )
    return NumpyFunction(tuple(inputs), tuple(shape for shape, _ in outputs), function.__doc__ or "", function)


def _printer() -> Any:
    """Return SymPy's printer for NumPy, with numbers in full, and decisions and extremes of arrays of different shapes."""
    from sympy.printing.numpy import NumPyPrinter

    class AnyShapes(NumPyPrinter):  # type: ignore[misc]
        def _print_Float(self, e: Any) -> str:
            return repr(float(e))

        def _print_Min(self, e: Any) -> str:
            return reduce(lambda a, b: f"minimum({a}, {b})", map(self._print, e.args))

        def _print_Max(self, e: Any) -> str:
            return reduce(lambda a, b: f"maximum({a}, {b})", map(self._print, e.args))

        def _print_Piecewise(self, e: Any) -> str:
            (if_true, condition), (if_false, _) = e.args
            return f"where({self._print(condition)}, {self._print(if_true)}, {self._print(if_false)})"

    return AnyShapes({"fully_qualified_modules": False, "inline": True, "allow_unknown_functions": True})


OWN: dict[str, Callable[..., Any]] = {
    "minimum": np.minimum,
    "maximum": np.maximum,
    "where": np.where,
}


def _array(entries: Sequence[Any], cases: tuple[int, ...], shape: tuple[int, ...]) -> NDArray[Any]:
    """Return numbers, or arrays over the cases, as one array (cases, *shape)."""
    rows = np.array([np.broadcast_to(x, cases) for x in entries])
    return np.moveaxis(rows, 0, -1).reshape((*cases, *shape)) if len(entries) else np.zeros((*cases, *shape))
