"""Where contacts of a plant are, and what they do at a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from ..compiled import CompiledProgram, compile_program, described
from ..dynamics import shape_gaps, sight
from ..errors import Problem
from ..shapes import pair_of
from ..spatial import Array
from ..symbolic import record
from ..system import State
from ._holding import Holding
from ._numbers import plant_numbers
from ._rigid_contact import ContactPlace

if TYPE_CHECKING:
    from ._plant import Plant


@dataclass(frozen=True, eq=False)
class ContactPrograms:
    """Programs of the contacts of a plant, compiled once for equal plants.

    In SI throughout: packed states x (n_x,) as `State.x`, forces [N], times [s]; features are bare numbers.

    >>> plant.touching.places  # none without `Plant.contacts`
    {}
    """

    plant: Plant

    @cached_property
    def places(self) -> dict[str, ContactPlace]:
        """Where they may touch, by name."""
        plant = self.plant
        return {name: place for contact in plant.contacts for name, place in contact.places(plant.model.system).items()}

    def gaps(self, x: Array) -> Array:
        """Return the distances (k,) of `places` at a packed state [m]."""
        return self._found(x)[0]

    def features(self, x: Array) -> dict[str, Array]:
        """Return of which features of shapes each place is, by name, at a packed state; none where that never changes."""
        return dict(zip(self.places, np.split(self._found(x)[1], np.cumsum(self._n_features)[:-1]), strict=True))

    def _found(self, x: Array) -> tuple[Array, Array]:
        gaps, features = np.empty(len(self.places)), np.empty(sum(self._n_features))
        self._gap_program(x, *plant_numbers(self.plant.model).values(), gaps, *([features] if len(features) else []))
        return gaps, features

    @cached_property
    def _n_features(self) -> list[int]:
        return [pair_of(*place.contact.shapes(self.plant.model.system)).n_features for place in self.places.values()]

    @cached_property
    def _gap_program(self) -> CompiledProgram:
        plant, model = self.plant, self.plant.model
        kept, pairs = model.family.kept, [(contact.one, contact.other) for contact in plant.contacts]
        shapes = described([contact.shapes(model.system) for contact in plant.contacts])
        key = "gaps", model.symbolic.derivation.description, shapes
        if key not in kept:

            def program(*, x: Array, **numbers: Array) -> Mapping[str, Array]:
                gaps, features = shape_gaps(model.system, sight(model.symbolic.derivation, x, numbers), pairs)
                return {"gaps": gaps, **({"features": features} if len(features) else {})}

            given = {name: np.shape(array) for name, array in plant_numbers(model).items()}
            kept[key] = compile_program(record({"x": (plant.layout.n_x,), **given}, program))
        return cast(CompiledProgram, kept[key])

    def slides(self, state: State, t: float) -> tuple[Array, float]:
        """Return how closed contacts slide (k, 3), each a `ContactSlide` along axes of its own, and what friction leaves.

        That is a fraction, of what normal forces do to speeds: 1 without friction and falls to 0 where it jams.
        """
        plant, holding = self.plant, cast(Holding, self.plant.holding)
        m, names = len(holding.chosen.rows), self._names
        slides, pushed, frictionless = np.empty((len(names), 3)), np.empty((m, m)), np.empty((m, m))
        program = plant.held_program("slides", lambda given: holding.slides(names, **given))
        arrays = state.x, holding.kept, np.asarray(t + plant.clock_s), *plant_numbers(plant.model).values()
        program(*arrays, slides, pushed, frictionless)
        return slides, float(np.linalg.det(np.linalg.solve(frictionless, pushed)))

    def forces(self, x: Array, t: Array, reaction: Array) -> tuple[Array, Array]:
        """Return what closed contacts give their second shapes (n, k, 3) [N] in N at packed states (n, n_x) and times (n,).

        With it their normal forces (n, k) [N], negative where they would pull.

        reaction : (n, n_u) the generalized forces that they and constraints give together, friction aside
        """
        plant, holding, names = self.plant, cast(Holding, self.plant.holding), self._names
        forces, pushes, more = (
            np.empty((len(x), len(names), 3)),
            np.empty((len(x), len(names))),
            {"reaction": (plant.layout.n_u,)},
        )
        program = plant.held_program("contact forces", lambda given: holding.contact_forces(names, **given), **more)
        arrays = np.ascontiguousarray(x), holding.kept, t + plant.clock_s, *plant_numbers(plant.model).values(), reaction
        program.batch(*arrays, forces, pushes)
        return forces, pushes

    def problems(self, state: State) -> list[Problem]:
        """Return a problem for every place that is in the other shape."""
        found = []
        for (name, (contact, *_)), gap in zip(self.places.items(), self.gaps(state.x), strict=True):
            if not gap >= -contact.within_m:
                expected = f"contact '{name}': '{contact.other}' inside '{contact.one}' by at most {contact.within_m:g} m"
                found.append(Problem("state0", f"{expected} at the start", f"{-gap:.6g} m"))
        return found

    @property
    def _names(self) -> list[str]:
        return [one.name for one in self.plant.closed]
