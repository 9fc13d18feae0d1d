"""Derivatives of H by exact differentiation of its program, in fewer operations than the sums of [Wilde2018] eqs 62-102."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from ..spatial import Array
from ..symbolic import Program
from ._equations import Equations
from ._motion import coriolis_matrix


class DifferentiatedEquations:
    """Names, shapes and the leading joint axis as in `Equations`.

    program : H as a program of q (and of the table of inertias, where that is an input)
    given : values of its inputs; qdot : (N,); C : (N,) velocity forces without momentum
    """

    def __init__(self, program: Program, given: Mapping[str, Array], qdot: Array, C: Array) -> None:
        self._program, self._given, self._qdot, self._C = program, given, qdot, C

    def _evaluated(self, program: Program, **directions: Array) -> Array:
        values = {**self._given, **directions}
        return program.evaluate(*(values[i.name] for i in program.inputs))[0]

    @cached_property
    def Hdot(self) -> Array:
        if not len(self._qdot) or "q" not in self._given:
            return np.zeros((len(self._qdot), len(self._qdot)))
        return self._evaluated(self._program.tangent("H", ["q"]), d_q=self._qdot)

    @cached_property
    def dH_dq(self) -> Array:
        if not len(self._qdot) or "q" not in self._given:
            return np.zeros((len(self._qdot),) * 3)
        return np.moveaxis(self._evaluated(self._program.jacobian("H", "q")), -1, 0)

    @cached_property
    def c(self) -> Array:
        return self._C - self.Hdot @ self._qdot

    @cached_property
    def coriolis_matrix(self) -> Array:
        return coriolis_matrix(self.dH_dq, self._qdot)


DIFFERENTIATED = frozenset(name for name in vars(DifferentiatedEquations) if not name.startswith("_")) & frozenset(
    vars(Equations)
)
