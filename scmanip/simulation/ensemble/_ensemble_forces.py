"""What the actuators of many runs do at their outputs, by the law and the reference that drove them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller, RecordedLaw, recorded_law
from ...guidance import RecordableReference, ReferenceForm, recorded_form
from ...plant import Plant
from ...spatial import Array
from ..coordinates._frame import Frame
from ..coordinates._full_state import FullState
from ..equations._recorded_loop import NOTHING, THRUSTERS, LoopParts
from ..loop._active_sets import TOLERANCE
from ..loop._prepare import stop_times

BESIDE = ("ydot", "alarm", "unmet", "pushing", "beyond")  # outputs of loops that are no forces


def ensemble_forces(
    what: str,
    plant: Plant,
    controller: Controller,
    reference: Any,
    t: Array,
    x: Array,
    parameters: Mapping[str, ArrayLike],
) -> dict[str, Array]:
    """Return parts of the forces of runs of `ensemble` at times t from packed states x (n, k, n_x).

    reference, t : one and (k,) for all runs, or one per run and (n, k)
    what : "tau" (n, k, N), "wrench" (n, k, 6) on a free base, or efforts of what turns it, as in a `History`; what comes
        out of the same program is returned as well
    parameters : as given to `ensemble`
    At a corner of the reference they are those just before it; where t has it twice, the second ones are those just after.
    """
    references = list(reference) if isinstance(reference, Sequence) else [reference]
    law, form = cast(RecordedLaw, recorded_law(controller)), cast(ReferenceForm, recorded_form(references[0]))
    parts, (n, k) = LoopParts(Frame(FullState(), plant, NOTHING), form, law), x.shape[:2]
    turners, known = plant.model.system.turners, [output.name for output in parts.program.outputs if output.name not in BESIDE]
    program = parts.part(*(known if turners or what not in known else [what]))  # with turners all parts share most of it
    given = {**parts.numbers(plant.model.layout.neutral()), "bounds": np.zeros(2)}
    for name, own in given.items():
        value = np.asarray(parameters.get(name, own), dtype=float)
        each = value.ndim > own.ndim
        given[name] = np.repeat(value, k, axis=0) if each else np.ascontiguousarray(np.broadcast_to(value, own.shape))
    given["t"], given["reference"] = np.broadcast_to(t, (n, k)).ravel(), _stretches(references, form, t, n)
    given["y"] = np.concatenate([x.reshape(n * k, -1), np.zeros((n * k, plant.n_books))], axis=1)
    if plant.burns and (turners or what != "tau"):
        given[THRUSTERS] = _sets(parts, given, k)
    outputs = program.program.outputs
    results = [np.empty((n * k, *output.shape)) for output in outputs]
    program.batch(*(given[item.name] for item in program.program.inputs), *results)
    found = {output.name: rows.reshape(n, k, *output.shape) for output, rows in zip(outputs, results, strict=True)}
    names = [channel.name for channel in turners.effort_channels]
    found |= dict(zip(names, turners.by_entry(found["efforts"]), strict=True)) if turners else {}
    return {what: np.zeros((n, k, *plant.channels.shape(what)))} | found


def forces_are_recorded(plant: Plant, controller: Any, reference: Any) -> bool:
    """Whether `ensemble_forces` serves a plant, a law and a reference."""
    law, form = recorded_law(controller), recorded_form(reference)
    return plant.is_recordable and law is not None and form is not None and law.can_follow(form)


def _sets(parts: LoopParts, given: Mapping[str, Array], k: int) -> Array:
    """Return numbers (n k, size) of the sets by which thrusters push; each is kept as long as it holds."""
    program, pushers = parts.part("pushing", "beyond"), parts.frame.plant.model.system.pushers
    wanted, beyond = np.empty((len(given["t"]), 6)), np.empty(len(given["t"]))
    program.batch(*(given[item.name] for item in program.program.inputs), wanted, beyond)
    numbers = np.full((len(wanted), 1 + pushers.set_size), np.nan)
    numbers[:, 0] = np.inf
    for row, wrench in enumerate(wanted):
        last = numbers[row - 1, 1:] if row % k else numbers[row, 1:]
        if not np.isfinite(wrench).all():
            continue
        if pushers.by_set(last, wrench)[1] <= TOLERANCE:
            numbers[row, 1:] = last
        elif (found := pushers.active_set(wrench, None if np.isnan(last).any() else last)) is not None:
            numbers[row, 1:] = found.packed
    return numbers


def _stretches(references: Sequence[RecordableReference], form: ReferenceForm, t: Array, n: int) -> Array:
    """Return the numbers (n k, size) of the stretch of each run's reference that each of its times ends or lies in."""
    rows = np.atleast_2d(t)
    if len(rows) == len(references) == 1:
        return np.tile(_own_stretches(references[0], form, rows[0]), (n, 1))
    own = references if len(references) == n else [*references] * n
    return np.concatenate(
        [_own_stretches(each, form, times) for each, times in zip(own, np.broadcast_to(rows, (n, rows.shape[1])), strict=True)]
    )


def _own_stretches(reference: RecordableReference, form: ReferenceForm, t: Array) -> Array:
    """Return the numbers (k, size) of the reference's stretch that each time (k,) ends or lies in."""
    stops = np.array(stop_times(float(t[-1]), reference))
    rows = np.array([reference.numbers((a + b) / 2) for a, b in pairwise(stops)])
    after = np.concatenate([[False], np.diff(t) == 0]) & np.isin(t, stops[1:-1])
    return rows.reshape(-1, form.size)[np.clip(np.searchsorted(stops, t) - 1, 0, None) + after]
