"""Which of the equations gives a quantity, at one recorded state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from ..spatial import Array, RotationForm
from ..symbolic import Program
from ..system import Layout
from ._articulated_bodies import ArticulatedArm
from ._differentiated import DIFFERENTIATED, DifferentiatedEquations
from ._equations import Equations
from ._link_equations import OFFERED, LinkEquations
from ._links import Links
from ._quantities import Asked

NOT_TURNED = np.array([0, 0, 0, 1])


class Sources:
    """The recursions where they exist, derivatives of the program of H for its own, the paper's sums elsewhere.

    links : constants; form : how rotations are carried; layout : which entries of q are quaternions
    state : q, qdot, v_0, omega_0 in base axes
    long_arm : whether forward dynamics goes by articulated bodies
    inertia_program : gives H as a program, with the values of its inputs
    """

    def __init__(
        self,
        links: Links,
        form: RotationForm,
        layout: Layout,
        state: Mapping[str, Array],
        *,
        long_arm: bool,
        inertia_program: Callable[[], tuple[Program, Mapping[str, Array]]],
    ) -> None:
        self._links, self._form, self._layout, self._state = links, form, layout, state
        self._long_arm, self._inertia_program = long_arm, inertia_program

    def of(self, asked: Asked) -> Equations | LinkEquations | ArticulatedArm | DifferentiatedEquations:
        """Return the equations that give a quantity."""
        source = asked.quantity.source
        if self._long_arm and source == "forward_dynamics":
            return ArticulatedArm(self.recursion)
        if source in DIFFERENTIATED:
            return self.differentiated
        return self.recursion if source in OFFERED else self.sums

    @cached_property
    def differentiated(self) -> DifferentiatedEquations:
        """Derivatives of the program of H."""
        program, given = self._inertia_program()
        return DifferentiatedEquations(program, given, self._layout, self._state["q"], self._state["qdot"], self.recursion)

    @cached_property
    def recursion(self) -> LinkEquations:
        """Recursions in link axes."""
        return LinkEquations(self._links, self._form, **self._state)

    @cached_property
    def sums(self) -> Equations:
        """The paper's sums over links."""
        return Equations(self._links.parameters, self._form, attitude=NOT_TURNED, r_0=np.zeros(3), **self._state)
