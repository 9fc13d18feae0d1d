"""The equations of every form, at one recorded state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ...spatial import Array, RotationForm
from ...symbolic import Program
from ...system import Layout
from ..recursions._articulated_bodies import ArticulatedArm
from ..recursions._composite_bodies import NOT_TURNED
from ..recursions._differentiated import DifferentiatedEquations
from ..recursions._inertia_rates import InertiaRates
from ..recursions._link_equations import LinkEquations
from ..recursions._links import Links
from ..recursions._motion_derivatives import MotionDerivatives
from ..recursions._regressor import Regressor
from ..recursions._schur_complement import SchurComplement
from ..sums._equations import Equations
from ._forms import Form


class Sources:
    """Equations that share what they have in common, each made when first asked for.

    links : constants; rotations : how they are carried; layout : which entries of q are quaternions
    state : q, qdot, v_0, omega_0 in base axes
    inertia_program : gives H as a program for a form of its derivatives, with the values of its inputs
    attitude : (4,) of the base in N, in whose axes some forms give what they give
    """

    def __init__(
        self,
        links: Links,
        rotations: RotationForm,
        layout: Layout,
        state: Mapping[str, Array],
        inertia_program: Callable[[Form], tuple[Program, Mapping[str, Array]]],
        attitude: Array,
    ) -> None:
        self._links, self._rotations, self._layout, self._state = links, rotations, layout, state
        self._inertia_program, self.attitude = inertia_program, attitude

    def of(self, form: Form) -> Any:
        """Return the equations of a form."""
        made = self._made.get(form)
        if made is None:
            made = self._made[form] = _MAKERS[form](self) if form in _MAKERS else self.recursion
        return made

    @cached_property
    def _made(self) -> dict[Form, Any]:
        return {}

    def differentiated(self, form: Form) -> DifferentiatedEquations:
        """Derivatives of the program of H that a form of theirs is made of."""
        return DifferentiatedEquations(
            *self._inertia_program(form), self._layout, self._state["q"], self._state["qdot"], self.recursion
        )

    @cached_property
    def recursion(self) -> LinkEquations:
        """Recursions in link axes."""
        return LinkEquations(self._links, self._rotations, **self._state)

    @cached_property
    def sums(self) -> Equations:
        """The paper's sums over links."""
        return Equations(self._links.parameters, self._rotations, attitude=NOT_TURNED, r_0=np.zeros(3), **self._state)


_MAKERS: dict[Form, Callable[[Sources], Any]] = {
    Form.SUMS: lambda sources: sources.sums,
    Form.MOVING: lambda sources: InertiaRates(sources.recursion),
    Form.DIFFERENTIATION: lambda sources: sources.differentiated(Form.DIFFERENTIATION),
    Form.WRITTEN: lambda sources: sources.differentiated(Form.WRITTEN),
    Form.COMPLEMENT: lambda sources: SchurComplement(sources.recursion),
    Form.BODIES: lambda sources: Regressor(sources.recursion),
    Form.PAIRS: lambda sources: MotionDerivatives(sources.recursion, sources.attitude),
    Form.ARTICULATED_BODIES: lambda sources: ArticulatedArm(sources.recursion),
}
