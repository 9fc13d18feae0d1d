"""How a recorded loop changes at one instant, in machine code, with its derivatives: for integrators that step in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from ...compiled import CompiledProgram, compile_program
from ...spatial import Array
from ..integrators._integrator import Rate
from ..integrators._jacobian import KnownJacobian, jacobian
from ._recorded_loop import LARGE, LoopParts

DIRECTION = "d_y"
REFERENCE, BOUNDS = "reference", "bounds"


class CodedRate(KnownJacobian):
    """The rates of a loop, by its program; where an alarm goes off, and where they are no numbers, those of Python.

    suspect : whether accelerations in the latest evaluation were so large that M is worth a look
    """

    def __init__(self, parts: LoopParts, q: Array, bound: float, python: Rate) -> None:
        self.suspect = False
        self._python, self._n = python, parts.frame.size
        self._rates, self._tangents = parts.part("ydot", "alarm"), tangents(parts)
        self._given: dict[str, Array] = {
            **parts.numbers(q),
            BOUNDS: np.array([bound, LARGE]),
            REFERENCE: np.zeros(parts.form.size),
        }
        self._ydot, self._alarm = (np.empty(output.shape) for output in self._rates.program.outputs)

    @property
    def follows(self) -> bool:
        """Whether there is a reference."""
        return self._given[REFERENCE].size > 0

    def enter(self, numbers: Mapping[str, Array]) -> None:
        """Go on with these inputs of the loop."""
        self._given |= {name: np.asarray(array, dtype=np.float64) for name, array in numbers.items()}

    def __call__(self, t: float, y: Array) -> Array:
        """Return the rate (n,) of y (n,) at `t` [s]."""
        self._rates(*self._inputs(self._rates, {"t": np.array(t), "y": y}), self._ydot, self._alarm)
        self.suspect = not self._alarm[-1] <= 0
        if self._alarm[:-1].max(initial=0.0) <= 0 and np.isfinite(self._ydot).all():
            return self._ydot.copy()
        return self._python(t, y)

    def jacobian(self, t: float, y: Array) -> Array:
        """Return its derivatives (n, n), exact but for rounding; where they are no numbers, differences of Python's."""
        rows = self._inputs(self._tangents, {"t": np.array(t), "y": y, DIRECTION: np.eye(self._n)})
        (columns,) = self._tangents.rows(self._n, *rows).values()
        return columns.T if np.isfinite(columns).all() else jacobian(self._python, t, y)

    def _inputs(self, program: CompiledProgram, own: Mapping[str, Array]) -> list[Array]:
        given = {**self._given, **own}
        return [np.asarray(given[item.name], order="C") for item in program.program.inputs]


def tangents(parts: LoopParts) -> CompiledProgram:
    """Return the rates of change of a loop's rates along a direction "d_y" (n,), compiled at its first use."""
    kept, key = parts.frame.model.family.kept, ("tangents", parts.key)
    if key not in kept:
        kept[key] = compile_program(parts.program.only("ydot").tangent("ydot", ["y"]), in_batches=True)
    return cast(CompiledProgram, kept[key])
