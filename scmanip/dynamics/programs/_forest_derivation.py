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
from ._derivation import INERTIA, NOTHING, Derivation
from ._forest import Ask, Forest, in_tree
from ._forest_equations import ForestEquations
from ._forms import Form, FormOf
from ._quantities import INPUT_ORDER, AskedQuantity, Inputs


@dataclass(frozen=True, eq=False)
class ForestDerivation(Derivation):
    """Those of a base and of bodies that are free of it. What is about one tree is about that of the base."""

    @cached_property
    def parts(self) -> tuple[Derivation, ...]:
        """Those of every tree, in which numbers that are inputs have the paths that they have in the tree."""
        pairs = zip(self.system.trees, self._paths, strict=True)
        return tuple(Derivation(tree.system, self.kinematics, self.inertia, tuple(own)) for tree, own in pairs)

    @cached_property
    def _paths(self) -> tuple[dict[str, str], ...]:
        """Per tree, the paths in it of the numbers that are inputs, each with that in the whole."""
        return tuple(tree.paths(self.symbols) for tree in self.system.trees)

    def _of_tree(self, k: int, numbers: Mapping[str, Array]) -> dict[str, Array]:
        """Return those of the numbers that belong to a tree, by their names in it."""
        table = {INERTIA: numbers[INERTIA][self.system.trees[k].bodies]} if INERTIA in numbers else {}
        return {**table, **{own: numbers[path] for own, path in self._paths[k].items() if path in numbers}}

    @cached_property
    def inertia_program(self) -> Program:
        return self.parts[0].inertia_program

    @cached_property
    def _geometry(self) -> Hashable:
        bodies = [body.name for body in self.system.bodies]
        return described(bodies), tuple(part._geometry for part in self.parts)

    def at(self, x: Array, numbers: Mapping[str, Array] = NOTHING) -> Any:
        """Return the equations of every tree by the paper's sums, a `ForestEquations`."""
        made: dict[int, Any] = {}
        parts = self._opened_parts(numbers)

        def ask(k: int, name: str, own: Array, given: Inputs) -> Mapping[str, Array]:
            asked = AskedQuantity.of(name)
            return {text: array for text, array, _ in asked.outputs(made[k], parts[k].point(asked, given), given)}

        forest = self._forest(x, ask, numbers)
        for k, (part, own) in enumerate(zip(parts, forest.states, strict=True)):
            made[k] = part.at(own.x)
        return ForestEquations(self.system, x, list(made.values()), forest)

    def _opened_parts(self, numbers: Mapping[str, Array]) -> list[Derivation]:
        """Return those of every tree with numbers of any scalar."""
        return [part.opened(self._of_tree(k, numbers)) for k, part in enumerate(self.parts)]

    def _forest(self, x: Array, ask: Ask, numbers: Mapping[str, Array]) -> Forest:
        """Return what puts the trees together at a packed state."""
        parameters = [part.parameters for part in self._opened_parts(numbers)]
        return Forest(self.system, x, ask, parameters, self.opened(numbers).system.gravity_m_s2)

    def choice(self, asked: AskedQuantity) -> Choice:
        """Return the counts of all forms that give a quantity, of the base's tree or of that on which a frame is."""
        k, name = in_tree(self.system, asked)
        return self.parts[k].choice(AskedQuantity.of(name))

    def form(self, asked: AskedQuantity) -> Form:
        """Return the form that gives a quantity; every tree takes its own, and this is that of which `choice` counts."""
        k, name = in_tree(self.system, asked)
        return self.parts[k].form(AskedQuantity.of(name))

    def packed_outputs(
        self, names: Sequence[str], x: Array, given: Mapping[str, Array], form_of: FormOf | None = None
    ) -> dict[str, Array]:
        numbers = self.given_numbers(given)

        def ask(k: int, name: str, own: Array, inputs: Inputs) -> Mapping[str, Array]:
            return self.parts[k].packed_outputs([name], own, {**inputs, **self._of_tree(k, numbers)}, form_of)

        inputs = {key: value for key, value in given.items() if key not in numbers}
        forest = self._forest(x, ask, numbers)
        return {text: array for name in names for text, array in forest.outputs(AskedQuantity.of(name), inputs).items()}

    def _outputs(
        self, asked: Sequence[AskedQuantity], given: Mapping[str, Any], turn: BaseTurn | None, form_of: FormOf | None = None
    ) -> dict[str, Array]:
        """Return them with the base at the origin and not turned, in whose axes free bodies lie as q says."""
        layout, zero = self.system.layout, np.zeros(3)
        base = [] if layout.fixed else [zero, NOT_TURNED]
        speeds = [] if layout.fixed else [given[key] for key in ("v_0", "omega_0")]
        states = [given["actuator_states"]] if layout.states else []
        x = np.concatenate([*base, given["q"], *speeds, given["qdot"], *states])
        inputs = {key: given[key] for key in (*self.numbers, *INPUT_ORDER) if key in given}
        return self.packed_outputs([a.text for a in asked], x, inputs, form_of)

    def _forms(self, asked: Sequence[AskedQuantity]) -> Any:
        return None
