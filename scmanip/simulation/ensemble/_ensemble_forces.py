"""What the actuators of many runs do at their outputs, by the law and the reference that drove them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...control import Controller, RecordedLaw, Sampled, recorded_law
from ...errors import InvalidInput, Problem, checked
from ...guidance import RecordableReference, ReferenceForm, numbers_at, recorded_form
from ...plant import KEPT, Plant, plant_numbers
from ...spatial import Array
from ...system import State
from ..coordinates._frame import RunCoordinates
from ..coordinates._full_state import FullState
from ..equations._held import HELD
from ..equations._recorded_loop import NOTHING, THRUSTERS, LoopParts
from ..equations._sampled_command import MEMORY
from ..events._outcome import LOST
from ..loop._prepare import stop_times
from ..loop._sample_and_hold import CLOSE
from ._ensemble_samples import EnsembleSamples, Following
from ._known_sets import KnownSets

LOADS = "interface_wrench"
BESIDE = ("ydot", "alarm", "unmet", "pushing", "beyond")  # outputs of loops that are no forces


@checked
def ensemble_forces(
    what: str,
    plant: Plant,
    controller: Controller,
    reference: Any,
    t: Array,
    x: Array,
    parameters: Mapping[str, ArrayLike],
) -> dict[str, Array]:
    """Return parts of the forces of runs of `ensemble` at times t (k,) or (n, k) from packed states x (n, k, n_x).

    what : "tau" (n, k, N), "wrench" (n, k, 6) on a free base, efforts of what turns it, or "interface_wrench" (n, k, n_i, 6),
        as in a `History`; what comes out of the same program is returned as well
    reference, parameters : as given to `ensemble`
    At a corner of the reference, and where a sampled law looks, they are those just before it; where t has it twice, the second
    ones are those just after. Of a sampled law t has all times of sampling up to its end; raises `InvalidInput` otherwise.
    It has no formula of its own.

    >>> starts = scmanip.State.stack([state, history.final])
    >>> many = ensemble(plant, law, starts, reference=reference, t_end_s=1.0, step_s=0.05, output_step_s=0.5)
    >>> ensemble_forces("tau", plant, law, reference, many.t, many.x, {})["tau"].shape
    (2, 3, 4)
    """
    references = list(reference) if isinstance(reference, Sequence) else [reference]
    form = cast(ReferenceForm, recorded_form(references[0]))
    frame, n, k = RunCoordinates(FullState(), plant, NOTHING), len(x), x.shape[1]
    samples = EnsembleSamples.of(plant, controller, form) if isinstance(controller, Sampled) else None
    parts = samples.held(frame) if samples else LoopParts(frame, form, cast(RecordedLaw, recorded_law(controller)))
    turners, known = plant.model.system.turners, [output.name for output in parts.program.outputs if output.name not in BESIDE]
    alone = what in known and (samples or not turners)  # where a law always looks, turners and joints share most of it
    wanted = [what] if alone else known
    wanted = ["ydot", *(["reaction"] if plant.holding else [])] if what == LOADS else wanted
    used = parts.part(*wanted).program.used_inputs
    given = {**parts.numbers(plant.model.layout.neutral()), "bounds": np.zeros(2)}
    for name, own in given.items():
        value = np.asarray(parameters.get(name, own), dtype=float)
        each = value.ndim > own.ndim
        given[name] = np.repeat(value, k, axis=0) if each else np.array(np.broadcast_to(value, own.shape))
    times = np.broadcast_to(t, (n, k))
    given["t"] = times.ravel()
    given["y"] = np.concatenate([x.reshape(n * k, -1), np.zeros((n * k, plant.n_books))], axis=1)
    if samples:
        given["reference"] = NOTHING
        given[HELD] = _commands(samples, references, times, x, parameters).reshape(n * k, -1)
    else:
        alike = len(references) == 1 and np.ndim(t) == 1
        pairs = zip(cycle(references), times[:1] if alike else times, strict=False)
        rows = [_stretches(each, form, own) for each, own in pairs]
        given["reference"] = np.tile(rows[0], (n, 1)) if alike else np.concatenate(rows)
    if THRUSTERS in used:
        given[THRUSTERS] = _sets(parts, given, k)
    evaluated = _loads if what == LOADS else _evaluated
    flat = evaluated(parts, wanted, given, np.arange(n * k))
    for others, some in chosen_anew(parts, given) if plant.holding and wanted != ["tau"] else ():  # no law looks at constraints
        for name, values in evaluated(others, wanted, given, some).items():
            flat[name][some] = values
    found = {name: values.reshape(n, k, *values.shape[1:]) for name, values in flat.items()}
    names = [channel.name for channel in turners.effort_channels]
    found |= dict(zip(names, turners.by_entry(found["efforts"]), strict=True)) if "efforts" in found else {}
    return found if what in found else {what: np.zeros((n, k, *plant.channels.shape(what))), **found}


def _loads(parts: LoopParts, names: Sequence[str], given: Mapping[str, Array], rows: NDArray[np.intp]) -> dict[str, Array]:
    """Return what goes through interfaces (m, n_i, 6) in some rows of what is given; names : of outputs for it."""
    plant, layout, found = parts.frame.plant, parts.frame.layout, _evaluated(parts, names, given, rows)
    udot = np.ascontiguousarray(found["ydot"][:, layout.x_u])
    own = {**plant.inputs, **plant_numbers(plant.model)}
    numbers = {name: given[name][rows] if given[name].ndim > np.ndim(array) else given[name] for name, array in own.items()}
    held = found.get("reaction", np.zeros_like(udot))
    return {LOADS: plant.interface_loads.at(given["y"][rows, : layout.n_x], given["t"][rows], udot, held, numbers)[0]}


def _evaluated(parts: LoopParts, names: Sequence[str], given: Mapping[str, Array], rows: NDArray[np.intp]) -> dict[str, Array]:
    """Return outputs (m, ...) by name of some rows of what is given for all of them, or of each."""
    program, whole = parts.part(*names), len(rows) == len(given["t"])
    inputs, outputs = program.program.inputs, program.program.outputs
    arrays = [
        given[item.name] if whole or given[item.name].ndim == len(item.shape) else given[item.name][rows] for item in inputs
    ]
    results = [np.empty((len(rows), *output.shape)) for output in outputs]
    program.batch(*arrays, *results)
    return {output.name: values for output, values in zip(outputs, results, strict=True)}


def _commands(
    samples: EnsembleSamples,
    references: Sequence[RecordableReference],
    times: Array,
    x: Array,
    parameters: Mapping[str, ArrayLike],
) -> Array:
    """Return the commands (n, k, size) that were held at times (n, k) of runs."""
    law, common = samples.law, times.max(axis=0)
    looks = law.sample_times(float(common[-1]))
    at = np.searchsorted(common, looks - CLOSE / law.rate_Hz)
    if not np.allclose(common[np.minimum(at, len(common) - 1)], looks, rtol=0, atol=CLOSE / law.rate_Hz):
        expected = f"all times at which the law looks, every {1 / law.rate_Hz:g} s"
        raise InvalidInput(Problem("t", expected, "others", hint="ensemble(..., between_corners=1) has them among its outputs"))
    own = samples.command.law.numbers
    numbers = {name: np.asarray(parameters.get(name, array), dtype=float) for name, array in own.items()}
    if samples.command.law.remembers:
        numbers[MEMORY] = samples.command.begins(x[:, 0], numbers)
    following = Following(references)
    said = np.array([samples.said(t, x[:, k], following, numbers) for t, k in zip(looks.tolist(), at, strict=True)])
    twice = np.concatenate([np.zeros((len(times), 1), dtype=bool), np.diff(times, axis=1) == 0], axis=1)
    led = np.searchsorted(looks, times + np.where(twice, CLOSE, -CLOSE) / law.rate_Hz) - 1
    return np.asarray(said[np.maximum(led, 0), np.arange(len(times))[:, None]])


@checked
def forces_are_recorded(plant: Plant, controller: Any, reference: Any) -> bool:
    """Whether `ensemble_forces` serves a plant, a law and a reference.

    >>> forces_are_recorded(plant, law, reference), forces_are_recorded(plant, lambda t, state: [0.0] * 4, reference)
    (True, False)
    """
    law, form = recorded_law(controller), recorded_form(reference)
    known = law is not None and not law.remembers
    return plant.is_recordable and law is not None and known and form is not None and law.can_follow(form)


def _sets(parts: LoopParts, given: Mapping[str, Array], k: int) -> Array:
    """Return numbers (n k, size) of the sets by which thrusters push; each is kept as long as it holds."""
    program, pushers = parts.part("pushing", "beyond"), parts.frame.plant.model.system.pushers
    wanted, beyond = np.empty((len(given["t"]), 6)), np.empty(len(given["t"]))
    program.batch(*(given[item.name] for item in program.program.inputs), wanted, beyond)
    wrenches, sets = wanted.reshape(-1, k, 6), KnownSets(pushers)
    numbers = np.full((*wrenches.shape[:2], 1 + pushers.set_size), np.nan)
    numbers[..., 0] = np.inf
    for column in range(k):
        numbers[:, column, 1:] = numbers[:, max(column - 1, 0), 1:]
        settled = sets.settle(numbers[:, column, 1:], wrenches[:, column])
        numbers[~settled, column, 1:] = np.nan
    return numbers.reshape(len(wanted), -1)


def _stretches(reference: RecordableReference, form: ReferenceForm, t: Array) -> Array:
    """Return the numbers (k, size) of the reference's stretch that each time ends or lies in."""
    stops = np.array(stop_times(float(t[-1]), reference))
    rows = np.array([numbers_at(reference, (a + b) / 2) for a, b in pairwise(stops)])
    after = np.concatenate([[False], np.diff(t) == 0]) & np.isin(t, stops[1:-1])
    return rows.reshape(-1, form.size)[np.clip(np.searchsorted(stops, t) - 1, 0, None) + after]


def chosen_anew(parts: LoopParts, given: Mapping[str, Array]) -> Iterator[tuple[LoopParts, NDArray[np.intp]]]:
    """Yield a loop with other dependent speeds, and the numbers of the states that need one, as long as some do.

    given : what programs of the loop take, for all states or of each (n, ...), "t" and "y" of each
    """
    frame = parts.frame
    plant, n = frame.plant, len(given["t"])
    x, kept = given["y"][:, : frame.layout.n_x], np.array(np.broadcast_to(given[KEPT], (n, given[KEPT].shape[-1])))
    clock, numbers = given["t"] + given["clock"][..., 0], plant_numbers(plant.model)
    left = np.flatnonzero(np.isfinite(x).all(axis=1))
    while True:
        own = {name: given[name] if given[name].ndim == one.ndim else given[name][left] for name, one in numbers.items()}
        alarms = plant.brought_back_each(x[left], clock[left], kept[left], own)[3][:, 0]
        left = left[~(alarms <= 0)]
        if not left.size:
            return
        first = left[0]
        try:
            state = State.renormalised(x[first], frame.layout)
            plant = plant.held_anew(state, float(clock[first]) - plant.clock_s, kept[first, :-1])
        except LOST:
            return
        kept[left, -1] = np.where(left == first, np.inf, plant.inputs[KEPT][-1])
        yield replace(parts, frame=replace(frame, plant=plant)), left
