"""From vectors of reduced coordinates to packed states, compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...compiled import CompiledProgram, compile_program
from ...dynamics import Model
from ...plant import plant_numbers
from ...spatial import Array
from ...symbolic import record
from ._coordinates import Coordinates


class Unpacking:
    """The map (t, y) -> x of one model's coordinates and constants, and its exact derivative along a trajectory.

    The programs are recorded once for all models of one family.
    """

    def __init__(self, coordinates: Coordinates, model: Model, constants: Array) -> None:
        self._coordinates, self._model, self._size = coordinates, model, model.layout.n_x
        self._shared = constants, *plant_numbers(model).values()

    def one(self, t: float, y: Array) -> Array:
        """Return the packed state x (n_x,) of a vector y (n,) at `t`."""
        x = np.empty(self._size)
        self._placed.function(np.array(t), y, *self._shared, x)
        return x

    of_unit = one

    def many(self, t: Array, y: Array) -> Array:
        """Return the packed states (k, n_x) of vectors (k, n) at times (k,)."""
        return self._placed.rows(len(t), t, y, *self._shared)["x"]

    def rates(self, t: Array, y: Array, y_dot: Array) -> Array:
        """Return the time derivatives (k, n_x) of the packed states of vectors (k, n) that change by y_dot (k, n)."""
        still = [np.zeros(array.shape) for array in self._shared]
        given = (t, y, *self._shared, np.ones(len(t)), y_dot, *still)
        (x_dot,) = self._kept("place along", self._along).rows(len(t), *given).values()
        return x_dot

    @cached_property
    def _placed(self) -> CompiledProgram:
        return self._kept("place", self._place)

    def _kept(self, what: str, made: Any) -> CompiledProgram:
        kept, key = self._model.family.kept, (what, self._coordinates.described)
        if key not in kept:
            kept[key] = made()
        compiled: CompiledProgram = kept[key]
        return compiled

    def _place(self) -> CompiledProgram:
        coordinates, model = self._coordinates, self._model

        def place(*, t: Any, y: Array, constants: Array, **table: Array) -> dict[str, Array]:
            return {"x": coordinates.packed(model.layout, t, y, constants, recorded_quantities(model, table))}

        table = {name: np.shape(array) for name, array in plant_numbers(model).items()}
        shapes = {"t": (), "y": (coordinates.places(model.layout).size,), "constants": self._shared[0].shape, **table}
        key = "place", coordinates.described, tuple(shapes.items())
        return compile_program(model.family.program(key, lambda: record(shapes, place)))

    def _along(self) -> CompiledProgram:
        return compile_program(self._placed.program.tangent("x"))


def recorded_quantities(model: Model, table: Mapping[str, Array]) -> Any:
    """Return a function that gives quantities of a model by name, over recorded scalars."""

    def quantities(names: Sequence[str], x: Array) -> list[Array]:
        outputs = model.symbolic.derivation.packed_outputs(names, x, table)
        return [outputs[name] for name in names]

    return quantities
