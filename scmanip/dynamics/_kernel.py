"""The fast door: packed state in, arrays out, no objects made."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import InvalidState, Problem
from ..spatial import Array
from ..system import Layout, State
from ._quantities import quantity

Evaluate = Callable[..., tuple[Array, ...]]
INPUT_ORDER = ("tau", "wrench", "udot", "qddot")


class Kernel:
    """Callable `(x, inputs..., outputs...)` that fills the outputs in place and returns nothing.

    inputs, outputs : names in the order of the call, such as ("tau",) and ("forward_dynamics",)
    """

    def __init__(self, layout: Layout, names: tuple[str, ...], evaluate: Evaluate) -> None:
        needed = {key for name in names for key in quantity(name)[0].inputs}
        self.names = names
        self.inputs = tuple(key for key in INPUT_ORDER if key in needed)
        self._layout, self._evaluate = layout, evaluate

    def __call__(self, x: Array, *arrays: Array) -> None:
        """Evaluate at the packed state x (n_x,); the last arrays are overwritten with the results."""
        state = State.unpack(x, self._layout)
        inputs = dict(zip(self.inputs, arrays, strict=False))
        outputs = arrays[len(self.inputs) :]
        results: list[Array] = []
        for name in self.names:
            needed = quantity(name)[0].inputs
            if any(key not in inputs for key in needed):
                break
            results += self._evaluate(name, state, **{key: inputs[key] for key in needed})
        if len(outputs) != len(results):
            expected = f"{len(self.inputs)} inputs and the outputs of {', '.join(self.names)}"
            raise InvalidState(Problem("kernel", expected, f"{len(arrays)} arrays after x"))
        _fill(outputs, results)

    def __repr__(self) -> str:
        return f"Kernel({', '.join(map(repr, self.names))})"


def _fill(outputs: tuple[Array, ...], results: list[Array]) -> None:
    for number, (out, result) in enumerate(zip(outputs, results, strict=True)):
        if not isinstance(out, np.ndarray) or out.shape != result.shape or out.dtype != np.float64:
            found = f"shape {out.shape} of {out.dtype}" if isinstance(out, np.ndarray) else repr(type(out))
            raise InvalidState(Problem(f"kernel output {number}", f"float64 array of shape {result.shape}", found))
        out[...] = result
