"""Check what a user gives to `simulate` and lay out the run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from inspect import signature
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller, Law, Sampled, as_controller, with_memory
from ...dynamics import Model
from ...errors import Problem, checked, refuse, takes
from ...guidance import (
    JointReference,
    PoseReference,
    RecordableReference,
    ReferenceForm,
    ReferenceMotion,
    Sample,
    check_followed,
    corners_of,
    recorded_form,
)
from ...navigation import Observation
from ...plant import Plant, PlantParts
from ...spatial import Array, is_number, real
from ...system import Layout, State, quaternion_problems, state_problems
from ..coordinates._coordinates import Coordinates
from ..coordinates._frame import RunCoordinates
from ..coordinates._full_state import FullState
from ..coordinates._momentum_reduced import MomentumReduced
from ..equations._pair import LawAndReference
from ..events._event import Event
from ..events._numbers import event_problems, number_problems
from ..events._runaway import runaway
from ..integrators._integrator import Integrator, integrator_problems
from ._counts import MOST_STEPS, command_problems, sample_problems, step_problems
from ._load_switches import LoadSwitches
from ._setup import Setup

SAMPLES = 501
FULL, REDUCED = FullState(), MomentumReduced()
SMALLEST_RTOL = 100 * float(np.finfo(float).eps)
KINDS = {
    "state0": (State, "a State"),
    "integrator": (Integrator, "an integrator object such as DOP853()"),
    "coordinates": (Coordinates | None, "coordinates such as FullState(), or None"),
    "reference": (ReferenceMotion, "a guidance reference such as JointSequence(n_joints), or None"),
}
LARGEST_RTOL = 1e-2  # with larger steps their orders tell nothing of their errors, and one to 1e85 is accepted
LARGEST_ATOL = 1e-6  # of the slowest motion that arms are commanded, 1e-3 rad/s or m/s, a thousandth, as of laws


def prepare(
    parts: Plant | PlantParts,
    controller: Controller | Law | Callable[[float, State], ArrayLike],
    state0: State,
    *,
    reference: ReferenceMotion | None,
    t_end_s: float,
    rtol: float,
    atol: float | None,
    integrator: Integrator,
    output_step_s: float | None,
    events: Sequence[Any],
    coordinates: Coordinates | None,
    progress: Any,
    observation: Observation | None = None,
    called: str = "the run",
) -> Setup:
    """Return the checked run; raises `InvalidInput` with every problem at once, `ModeMismatch` for a wrong pair."""
    form = recorded_form(reference)
    problems = _kind_problems(parts, state0, reference, form, integrator, coordinates)
    problems += number_problems({"t_end_s": t_end_s}, {"atol": atol, "output_step_s": output_step_s}) + _rtol_problems(rtol)
    problems += _atol_problems(atol)
    problems += _event_problems(events)
    if progress is not None and not takes(progress, 1):
        problems.append(Problem("progress", "a function of the time [s] reached, or None", repr(progress)))
    refuse(problems)
    plant = parts if isinstance(parts, Plant) else Plant.of(parts)
    law = as_controller(controller, plant.mode)
    model, state0 = plant.model, plant.at_rest(state0)
    law.check(model, plant.mode)
    refuse(_look_problems(law))
    problems = [replace(problem, key="state0") for problem in state_problems(state0, plant.layout)]
    problems += [] if problems else plant.start_problems(state0)
    if not problems:
        law = law.begun(state0).holding(plant.holds, state0)
        plant, state0 = with_memory(plant, law, state0)
    sampled = law if isinstance(law, Sampled) else None
    pair = LawAndReference.of(plant, law, form, integrator)
    if coordinates is None:
        # unseen by Python, which would have to take the shorter vector apart each time
        unseen = pair is not None and not pair.asks and sampled is None
        kept = not (plant.contacts or plant.memory or REDUCED.obstacle(plant.model, plant.mode, plant.loads))
        coordinates = REDUCED if unseen and kept else FULL
    else:
        coordinates.check(plant)
    problems += _reference_problems(reference, form, model)
    problems += _count_problems(model, sampled, integrator, t_end_s, output_step_s)
    refuse(problems + observation_problems(observation, law))
    if observation is not None and sampled is not None:
        observation.check(model, sampled.rate_Hz, begins_s=plant.clock_s)
    frame = RunCoordinates(coordinates, plant, coordinates.constants(model, state0))
    y_0 = frame.start(state0)
    return Setup(
        plant,
        law,
        sampled,
        state0,
        runaway(state0),
        reference,
        integrator,
        frame,
        y_0,
        rtol,
        frame.tolerances(state0, y_0, default_atol(rtol) if atol is None else atol),
        sample_times(t_end_s, output_step_s),
        stop_times(t_end_s, reference, sampled),
        progress,
        pair,
        (*events, LoadSwitches(plant)) if plant.loading.switches else tuple(events),
        observation=None if observation is None or observation.is_truth else observation,
        called=called,
    )


def sample_times(t_end_s: float, output_step_s: float | None) -> Array:
    """Return output times (n,) [s] with both ends: every `output_step_s` and the end, or 501 uniform points."""
    if output_step_s is None:
        return np.linspace(0.0, t_end_s, SAMPLES)
    steps = math.floor(t_end_s / output_step_s * (1 + 1e-12))
    rest = t_end_s - steps * output_step_s > 1e-9 * output_step_s
    times = np.arange(steps + 1 + rest, dtype=np.float64)
    times *= output_step_s
    times[-1] = t_end_s
    return times


@checked
def stop_times(t_end_s: float, reference: ReferenceMotion | None, law: Sampled | None = None) -> tuple[float, ...]:
    """Return the times [s] where the integrator starts, restarts and ends: 0, the reference's corners, samples, the end.

    >>> stop_times(2.5, reference)
    (0.0, 1.0, 2.5)
    """
    corners = corners_of(reference)
    if law is not None:
        corners = (*(c for c in corners if not law.is_sample(c)), *law.sample_times(t_end_s).tolist())
    return _stops(corners, float(t_end_s))


@lru_cache(maxsize=16)
def _stops(corners: tuple[float, ...], t_end_s: float) -> tuple[float, ...]:
    sliver = 1e-12 * t_end_s
    last = t_end_s - sliver
    return (0.0, *[c for c in sorted(set(corners)) if sliver < c < last], t_end_s)


def _kind_problems(
    parts: Plant | PlantParts, state0: Any, reference: Any, form: ReferenceForm | None, integrator: Any, coordinates: Any
) -> list[Problem]:
    """Return a problem for every argument of the wrong kind; the most common is a class instead of an object."""
    given = {"state0": state0, "integrator": integrator, "coordinates": coordinates}
    if reference is not None and form is None:
        given["reference"] = reference
    problems = [] if isinstance(parts, Plant) else parts.problems
    problems = problems + (integrator_problems(integrator) if isinstance(integrator, Integrator) else [])
    return problems + [
        Problem(key, KINDS[key][1], repr(value))
        for key, value in given.items()
        if isinstance(value, type) or not isinstance(value, KINDS[key][0])
    ]


def _rtol_problems(rtol: Any) -> list[Problem]:
    if is_number(rtol) and SMALLEST_RTOL <= rtol <= LARGEST_RTOL:
        return []
    hint = "it is the error of each step in parts of the state, and an estimate of larger ones is none"
    return [Problem("rtol", f"a number from {SMALLEST_RTOL:.2g} to {LARGEST_RTOL:g}", repr(rtol), hint=hint)]


def default_atol(rtol: float) -> float:
    """Return the absolute tolerance that goes with a relative one where none is given.

    >>> default_atol(1e-10), default_atol(1e-4)
    (1e-10, 1e-06)
    """
    return min(rtol, LARGEST_ATOL)


def _atol_problems(atol: Any) -> list[Problem]:
    if atol is None or not (is_number(atol) and atol > LARGEST_ATOL):
        return []
    hint = "it is the error of each step in m, rad, m/s, rad/s and so on, and larger ones are those of slow motion itself"
    return [Problem("atol", f"a number > 0 and at most {LARGEST_ATOL:g}", repr(atol), hint=hint)]


def _look_problems(law: Controller) -> Iterator[Problem]:
    """Yield a law that must be sampled and is not."""
    if law.looks_seldom and not isinstance(law, Sampled):
        hint = f"Sampled({law.kind}, rate_Hz=...)"
        yield Problem("controller", "a sampled law, of one that goes from look to look", law.kind, hint=hint)


def _count_problems(
    model: Model, sampled: Sampled | None, integrator: Integrator, t_end_s: float, output_step_s: float | None
) -> list[Problem]:
    """Return a problem for every number that asks for more than memory or patience has."""
    problems = sample_problems("output_step_s", t_end_s, output_step_s, model.layout.n_x)
    if sampled is not None:
        problems += command_problems("controller rate_Hz", t_end_s, sampled.rate_Hz)
    if integrator.length_s is not None:
        most = max(MOST_STEPS, integrator.max_steps)
        problems += step_problems(f"{type(integrator).__name__} step_s", t_end_s, integrator.length_s, most)
    return problems


def observation_problems(observation: Any, law: Controller) -> list[Problem]:
    """Return what is wrong with what a law is to see: no observation, or a law that looks always."""
    if observation is None:
        return []
    if not isinstance(observation, Observation):
        return [Problem("observation", "an Observation of sensors and estimators, or None for the truth", repr(observation))]
    if observation.is_truth or isinstance(law, Sampled):
        return []
    hint = "sensors look at times of their own: Sampled(law, rate_Hz=...)"
    return [Problem("observation", "a law that is sampled", law.kind, hint=hint)]


def _event_problems(events: Any) -> list[Problem]:
    if isinstance(events, Sequence) and all(isinstance(event, Event) for event in events):
        return [problem for event in events for problem in event_problems(event)]
    return [Problem("events", "a sequence of events such as JointLimits()", repr(events))]


def _reference_problems(reference: ReferenceMotion | None, form: ReferenceForm | None, model: Model) -> list[Problem]:
    if reference is None:
        return []
    key, kept = ("fits", form and form.described), model.family.kept
    if form is not None and key in kept and _is_row(cast(RecordableReference, reference).numbers(0.0), form.size):
        return []
    problems = _sample_problems(reference, model)
    if not (problems or form is None or model.layout.quaternions):
        kept[key] = True
    return problems


def _sample_problems(reference: ReferenceMotion, model: Model) -> list[Problem]:
    """Return what is wrong with what a reference says first."""
    if not takes(reference.at, 1):
        return [Problem("reference", "at(t)", f"{type(reference).__name__}.at{signature(reference.at)}")]
    sample: Any = reference.at(0.0)
    if isinstance(sample, JointReference):
        return _joint_problems(sample, model.layout)
    if not isinstance(sample, PoseReference):
        return [Problem("reference at t = 0 s", "a JointReference or a PoseReference", repr(sample))]
    model.system.frame(sample.frame)
    if sample.relative_to is not None:
        check_followed(model, sample.relative_to)
    sizes = {"position_m": 3, "twist": 6, "twist_dot": 6} | ({} if sample.attitude_xyzw is None else {"attitude_xyzw": 4})
    return _size_problems(sample, sizes)


def _joint_problems(sample: JointReference, layout: Layout) -> list[Problem]:
    problems = _size_problems(sample, {"q": layout.n_q, "qdot": layout.N, "qddot": layout.N})
    return problems or quaternion_problems("reference q at t = 0 s", np.asarray(sample.q), layout)


def _size_problems(sample: Sample, sizes: Mapping[str, int]) -> list[Problem]:
    """Return a problem for every part that is not so many finite numbers."""
    return [
        Problem(f"reference {key} at t = 0 s", f"{size} finite numbers", repr(getattr(sample, key)))
        for key, size in sizes.items()
        if not _is_row(getattr(sample, key), size)
    ]


def _is_row(numbers: Any, size: int) -> bool:
    """Whether these are so many finite numbers."""
    try:
        row = real(numbers)
    except (TypeError, ValueError):
        return False
    return row.shape == (size,) and (math.isfinite(row @ row) or bool(np.isfinite(row).all()))
