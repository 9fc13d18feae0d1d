"""What the actuators of many runs do at their outputs, by the law and the reference that drove them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ..compiled import CompiledProgram, compile_program
from ..control import Controller, RecordedLaw, recorded_law
from ..dynamics import Model
from ..guidance import RecordableReference, ReferenceForm, recorded_form
from ..spatial import Array
from ..symbolic import record
from ._prepare import stop_times


def ensemble_forces(
    model: Model, controller: Controller, reference: Any, t: Array, x: Array, parameters: Mapping[str, ArrayLike]
) -> Array:
    """Return the joint forces (n, k, N) of runs of `ensemble` at times t (k,) from packed states x (n, k, n_x).

    At a corner of the reference they are those just before it.
    parameters : as given to `ensemble`; what belongs to the system is passed over
    """
    law, form = cast(RecordedLaw, recorded_law(controller)), cast(ReferenceForm, recorded_form(reference))
    program, n, k = _program(model, law, form), len(x), len(t)
    numbers: dict[str, Array] = {"t": np.tile(t, n), "x": np.ascontiguousarray(x.reshape(n * k, -1))}
    numbers["reference"] = np.tile(_stretches(reference, form, t), (n, 1))
    for name, own in law.numbers.items():
        given = np.asarray(parameters.get(name, own), dtype=float)
        numbers[name] = (
            np.repeat(given, k, axis=0) if given.ndim > np.ndim(own) else np.broadcast_to(given, np.shape(own)).copy()
        )
    tau = np.empty((n * k, model.layout.N))
    program.batch(*(numbers[item.name] for item in program.program.inputs), tau)
    return tau.reshape(n, k, -1)


def _stretches(reference: RecordableReference, form: ReferenceForm, t: Array) -> Array:
    """Return the numbers (k, size) of the reference's stretch that each time ends or lies in."""
    stops = np.array(stop_times(float(t[-1]), reference))
    rows = np.array([reference.numbers((a + b) / 2) for a, b in pairwise(stops)])
    return rows.reshape(-1, form.size)[np.clip(np.searchsorted(stops, t) - 1, 0, None)]


def _program(model: Model, law: RecordedLaw, form: ReferenceForm) -> CompiledProgram:
    """Return the law along the reference as a program, compiled once for all models of one family."""
    kept, key = model.family.kept, ("command", form, law.key)
    if key not in kept:
        numbers = {name: np.shape(array) for name, array in law.numbers.items()}
        shapes = {"t": (), "x": (model.layout.n_x,), "reference": (form.size,), **numbers}

        def command(*, t: Any, x: Array, reference: Array, **given: Array) -> Mapping[str, Array]:
            return {"command": law.force(x, form.at(t, reference), given)}

        kept[key] = compile_program(record(shapes, command))
    return cast(CompiledProgram, kept[key])
