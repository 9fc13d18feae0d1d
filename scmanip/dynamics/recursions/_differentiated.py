"""Derivatives of H by exact differentiation of its program, in fewer operations than the sums of [Wilde2018] eqs 62-102."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from ...spatial import Array
from ...symbolic import Program
from ...system import Layout, coordinate_rates
from ..sums._equations import Equations
from ..sums._motion import coriolis_matrix, no_quasi_speeds
from ._link_equations import LinkEquations


class DifferentiatedEquations:
    """Names, shapes and the leading joint axis as in `Equations`.

    program : H as a program of q (and of the table of inertias, where that is an input)
    given : values of its inputs; q, qdot : (n_q,), (N,); recursion : gives C, the velocity forces without momentum
    """

    def __init__(
        self, program: Program, given: Mapping[str, Array], layout: Layout, q: Array, qdot: Array, recursion: LinkEquations
    ) -> None:
        self._program, self._given, self._layout = program, given, layout
        self._q, self._qdot, self._recursion = q, qdot, recursion

    def _evaluated(self, program: Program, **directions: Array) -> Array:
        values = {**self._given, **directions}
        return program.evaluate(*(values[i.name] for i in program.inputs))[0]

    @cached_property
    def Hdot(self) -> Array:
        if not len(self._qdot) or "q" not in self._given:
            return np.zeros((len(self._qdot), len(self._qdot)))
        rates = coordinate_rates(self._layout, self._q, self._qdot)
        return self._evaluated(self._program.tangent("H", ["q"]), d_q=rates)

    @cached_property
    def dH_dq(self) -> Array:
        if not len(self._qdot) or "q" not in self._given:
            return np.zeros((len(self._qdot),) * 3)
        gradient = self._evaluated(self._program.jacobian("H", "q"))
        if self._layout.quaternions:
            units = np.eye(self._layout.N, dtype=int)
            gradient = gradient @ np.column_stack([coordinate_rates(self._layout, self._q, unit) for unit in units])
        return np.moveaxis(gradient, -1, 0)

    @cached_property
    def c(self) -> Array:
        return self._recursion.C - self.Hdot @ self._qdot

    @cached_property
    def coriolis_matrix(self) -> Array:
        no_quasi_speeds(self._recursion.parameters)
        return coriolis_matrix(self.dH_dq, self._qdot)


DIFFERENTIATED = frozenset(name for name in vars(DifferentiatedEquations) if not name.startswith("_")) & frozenset(
    vars(Equations)
)
