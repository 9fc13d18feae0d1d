"""The equations of a system of several trees, each of which is recorded as if it were alone."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...compiled import described
from ...spatial import Array
from ...symbolic import Program
from ..recursions._composite_bodies import NOT_TURNED
from ._base_turn import BaseTurn
from ._choice import Choice
from ._derivation import Derivation
from ._forest import Forest, in_tree
from ._forest_equations import ForestEquations
from ._forms import Form, FormOf
from ._quantities import INPUT_ORDER, Asked, Inputs


@dataclass(frozen=True, eq=False)
class ForestDerivation(Derivation):
    """Those of a base and of bodies that are free of it. What is about one tree is about that of the base."""

    @cached_property
    def parts(self) -> tuple[Derivation, ...]:
        """Those of every tree."""
        return tuple(Derivation(tree.system, self.kinematics, self.inertia) for tree in self.system.trees)

    @cached_property
    def inertia_program(self) -> Program:
        """H of the base's tree."""
        return self.parts[0].inertia_program

    @cached_property
    def _geometry(self) -> Hashable:
        bodies = [body.name for body in self.system.bodies]
        return described(bodies), tuple(part._geometry for part in self.parts)

    def at(self, x: Array, inertia: Array | None = None) -> Any:
        """Return the equations of every tree by the paper's sums, a `ForestEquations`."""
        made: dict[int, Any] = {}

        def ask(k: int, name: str, own: Array, given: Inputs) -> Mapping[str, Array]:
            asked, part = Asked.of(name), self.parts[k]
            inputs = {key: value for key, value in given.items() if key != "inertia"}
            return {text: array for text, array, _ in asked.outputs(made[k], part.point(asked, given), inputs)}

        forest = Forest(self.system, x, ask, inertia)
        for k, (part, tree, own) in enumerate(zip(self.parts, self.system.trees, forest.states, strict=True)):
            made[k] = part.at(own.x, None if inertia is None else inertia[tree.bodies])
        return ForestEquations(self.system, x, list(made.values()), forest)

    def choice(self, asked: Asked) -> Choice:
        """Return the counts of all forms that give a quantity, of the base's tree or of that on which a frame is."""
        k, name = in_tree(self.system, asked)
        return self.parts[k].choice(Asked.of(name))

    def form(self, asked: Asked) -> Form:
        """Return the form that gives a quantity; every tree takes its own, and this is that of which `choice` counts."""
        k, name = in_tree(self.system, asked)
        return self.parts[k].form(Asked.of(name))

    def packed_outputs(
        self, names: Sequence[str], x: Array, given: Mapping[str, Array], form_of: FormOf | None = None
    ) -> dict[str, Array]:
        """Return the outputs of the names, in inertial components, for a packed state x (n_x,) and inputs of any scalar."""

        def ask(k: int, name: str, own: Array, inputs: Inputs) -> Mapping[str, Array]:
            return self.parts[k].packed_outputs([name], own, inputs, form_of)

        inputs = {key: value for key, value in given.items() if key != "inertia"}
        forest = Forest(self.system, x, ask, given.get("inertia"))
        return {text: array for name in names for text, array in forest.outputs(Asked.of(name), inputs).items()}

    def _outputs(
        self, asked: Sequence[Asked], given: Mapping[str, Any], turn: BaseTurn | None, form_of: FormOf | None = None
    ) -> dict[str, Array]:
        """Return them with the base at the origin and not turned, in whose axes free bodies lie as q says."""
        layout, zero = self.system.layout, np.zeros(3)
        base = [] if layout.fixed else [zero, NOT_TURNED]
        speeds = [] if layout.fixed else [given[key] for key in ("v_0", "omega_0")]
        states = [given["actuator_states"]] if layout.states else []
        x = np.concatenate([*base, given["q"], *speeds, given["qdot"], *states])
        inputs = {key: given[key] for key in (*INPUT_ORDER, "inertia") if key in given}
        return self.packed_outputs([a.text for a in asked], x, inputs, form_of)

    def _forms(self, asked: Sequence[Asked]) -> Any:
        """Leave it to every tree."""
        return None
