"""What the actuators of many runs do at their outputs, by the law and the reference that drove them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ..compiled import CompiledProgram, compile_program, described
from ..control import Controller, RecordedLaw, recorded_law
from ..guidance import RecordableReference, ReferenceForm, recorded_form
from ..modes import Situation
from ..plant import INERTIA, Plant, plant_numbers
from ..spatial import Array
from ..symbolic import record
from ._prepare import stop_times


def ensemble_forces(
    what: str,
    plant: Plant,
    controller: Controller,
    reference: Any,
    t: Array,
    x: Array,
    parameters: Mapping[str, ArrayLike],
) -> dict[str, Array]:
    """Return parts of the forces of runs of `ensemble` at times t (k,) from packed states x (n, k, n_x).

    what : "tau" (n, k, N), "wrench" (n, k, 6) on a free base, or efforts of what turns it, as in a `History`; what comes
        out of the same program is returned as well
    parameters : as given to `ensemble`
    At a corner of the reference they are those just before it; where t has it twice, the second ones are those just after.
    """
    law, form = cast(RecordedLaw, recorded_law(controller)), cast(ReferenceForm, recorded_form(reference))
    program, n, k = _program(what, plant, law, form), len(x), len(t)
    numbers = {"t": np.tile(t, n), "x": np.ascontiguousarray(x.reshape(n * k, -1)), "clock": plant.clock}
    numbers["reference"] = np.tile(_stretches(reference, form, t), (n, 1))
    for name, own in {**plant_numbers(plant.model), **law.numbers}.items():
        given = np.asarray(parameters.get(name, own), dtype=float)
        single = np.ascontiguousarray(np.broadcast_to(given, np.shape(own))) if given.ndim <= np.ndim(own) else None
        numbers[name] = np.repeat(given, k, axis=0) if single is None else single
    outputs = program.program.outputs
    results = [np.empty((n * k, *output.shape)) for output in outputs]
    program.batch(*(numbers[item.name] for item in program.program.inputs), *results)
    found = {output.name: rows.reshape(n, k, *output.shape) for output, rows in zip(outputs, results, strict=True)}
    turners = plant.model.system.turners
    names = [channel.name for channel in turners.effort_channels]
    return found | dict(zip(names, turners.by_entry(found["efforts"]), strict=True)) if turners else found


def forces_are_recorded(plant: Plant, controller: Any, reference: Any) -> bool:
    """Whether `ensemble_forces` serves a plant, a law and a reference."""
    law, form = recorded_law(controller), recorded_form(reference)
    return plant.is_recordable and law is not None and form is not None and law.can_follow(form)


def _stretches(reference: RecordableReference, form: ReferenceForm, t: Array) -> Array:
    """Return the numbers (k, size) of the reference's stretch that each time ends or lies in."""
    stops = np.array(stop_times(float(t[-1]), reference))
    rows = np.array([reference.numbers((a + b) / 2) for a, b in pairwise(stops)])
    after = np.concatenate([[False], np.diff(t) == 0]) & np.isin(t, stops[1:-1])
    return rows.reshape(-1, form.size)[np.clip(np.searchsorted(stops, t) - 1, 0, None) + after]


def _program(what: str, plant: Plant, law: RecordedLaw, form: ReferenceForm) -> CompiledProgram:
    """Return forces as a program, compiled once for all models of one family; with turners all parts share most of it."""
    model, kept = plant.model, plant.model.family.kept
    key = ("forces", None if model.layout.states else what, plant.key, described(form), law.key)
    if key not in kept:
        numbers = {name: np.shape(array) for name, array in {**plant_numbers(model), **law.numbers}.items()}
        shapes = {"t": (), "x": (model.layout.n_x,), "reference": (form.size,), "clock": plant.clock.shape, **numbers}

        def forces(*, t: Any, x: Array, reference: Array, clock: Array, **given: Array) -> Mapping[str, Array]:
            now = Situation.recorded(model, x, {INERTIA: given[INERTIA]} if INERTIA in given else {})
            force = plant.force(now, law.force(x, form.at(t, reference), given))
            still = {"wrench": 0.0 * x[:6]} if what == "wrench" else {}
            return still | plant.motion(now, force, t, np.zeros(plant.n_books), clock).outputs

        program = record(shapes, forces)
        kept[key] = compile_program(program if model.layout.states else program.only(what))
    return cast(CompiledProgram, kept[key])
