"""The right-hand side of a run as one program: plant, law and reference over recorded scalars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..compiled import Ode, compile_ode
from ..control import RecordedLaw
from ..dynamics import Model, RunTimeInertia
from ..guidance import ReferenceForm
from ..spatial import Array
from ..symbolic import Program, record
from ._frame import Frame

INERTIA = "inertia"


@dataclass(frozen=True, eq=False)
class RecordedLoop:
    """A closed loop, compiled.

    names : of the parameters of `ode`, in order: "bounds" on the largest speed and on the sum of accelerations, beyond which
        alarms go off, "reference" and "constants", and whatever numbers law and plant have
    """

    ode: Ode
    names: tuple[str, ...]


def recorded_loop(frame: Frame, form: ReferenceForm, law: RecordedLaw, n: int) -> RecordedLoop:
    """Return the loop for vectors y (n,), recorded and compiled at its first use for all models of one family."""
    key = ("closed loop", frame.coordinates, form, law.key)
    kept = frame.model.family.kept
    if key not in kept:
        program = _program(frame, form, law.beside(frame.model), n)
        names = tuple(item.name for item in program.inputs if item.name not in ("t", "y"))
        kept[key] = RecordedLoop(compile_ode(program), names)
    return kept[key]


def plant_numbers(model: Model) -> dict[str, Array]:
    """Return the numbers of the plant: its table of inertias where that is an input."""
    derivation = model.symbolic.derivation
    return {INERTIA: derivation.inertia_table} if isinstance(derivation.inertia, RunTimeInertia) else {}


def _program(frame: Frame, form: ReferenceForm, law: RecordedLaw, n: int) -> Program:
    numbers = {name: np.shape(array) for name, array in {**plant_numbers(frame.model), **law.numbers}.items()}
    own = {"bounds": (2,), "reference": (form.size,), "constants": frame.constants.shape}
    shapes = {"t": (), "y": (n,), **own, **numbers}
    return record(shapes, lambda **given: _rates(frame, form, law, **given))


def _rates(
    frame: Frame,
    form: ReferenceForm,
    law: RecordedLaw,
    *,
    t: Any,
    y: Array,
    bounds: Array,
    reference: Array,
    constants: Array,
    **numbers: Array,
) -> Mapping[str, Array]:
    layout, plant = frame.model.layout, _Plant(frame.model, numbers)
    x = frame.packed(t, y, constants, plant.quantities)
    tau = law.force(x, form.at(t, reference), numbers)
    (udot,) = plant.quantities(["forward_dynamics"], x, tau=tau)
    u = x[layout.x_u]
    powers = [tau @ u[layout.joints], plant.damped_power(x)]
    motion = frame.rate(y, x, udot, np.zeros(layout.n_w))
    suspects = frame.coordinates.accelerations(layout, udot)
    return {
        "ydot": np.concatenate([motion, powers]),
        "alarm": np.array([*(abs(speed) - bounds[0] for speed in u), abs(np.sum(suspects)) - bounds[1]]),
    }


class _Plant:
    """The system that moves, over recorded scalars."""

    def __init__(self, model: Model, numbers: Mapping[str, Array]) -> None:
        self._model, self._derivation = model, model.symbolic.derivation
        self._table = {INERTIA: numbers[INERTIA]} if INERTIA in numbers else {}

    def quantities(self, names: Sequence[str], x: Array, **given: Array) -> list[Array]:
        """Return quantities at a packed state."""
        outputs = self._derivation.packed_outputs(names, x, {**given, **self._table})
        return [outputs[name] for name in names]

    def damped_power(self, x: Array) -> Any:
        """Return what the dampers take [W]."""
        system, layout = self._model.system, self._model.layout
        power = np.array([freedom.damping for freedom in system.freedoms]) @ x[layout.x_u][layout.joints] ** 2
        dampers = np.array([spring.damping_Ns_m for spring in system.springs])
        if not dampers.any():
            return power
        return power + dampers @ self.quantities(["springs.rate"], x)[0] ** 2
