"""Check what a user gives to `simulate` and lay out the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..control import Controller, Law, as_controller
from ..dynamics import Model
from ..environment import Environment
from ..errors import InvalidInput, Problem
from ..guidance import JointReference, Reference
from ..modes import ManoeuvreMode, with_wheels_at_rest
from ..spatial import Array
from ..system import Layout, State, quaternion_problems, state_problems
from ._coordinates import Coordinates
from ._full_state import FullState
from ._integrator import Integrator
from ._setup import Setup

SAMPLES = 501
SMALLEST_RTOL = 100 * float(np.finfo(float).eps)


def prepare(
    model: Model,
    mode: ManoeuvreMode,
    controller: Controller | Law | Callable[[float, State], ArrayLike],
    state0: State,
    *,
    reference: Reference | None,
    t_end_s: float,
    rtol: float,
    atol: float | None,
    integrator: Integrator,
    output_step_s: float | None,
    environment: Environment | None,
    events: Sequence[Any],
    coordinates: Coordinates | None,
    progress: Callable[[float], None] | None,
) -> Setup:
    """Return the checked run; raises `InvalidInput` with every problem at once, `ModeMismatch` for a wrong pair."""
    frame = FullState() if coordinates is None else coordinates
    problems = _kind_problems(model, mode, state0, reference, integrator, frame, environment)
    problems += _number_problems(t_end_s, rtol, atol, output_step_s)
    problems += _later_problems(events)
    if problems:
        raise InvalidInput(problems)
    law = as_controller(controller)
    mode.check(model)
    if environment is not None:
        environment.check(model)
    equipped = mode.equipped(model)
    if equipped is not model:
        model, state0 = equipped, with_wheels_at_rest(equipped, state0)
    law.check(model, mode)
    problems = [replace(problem, key="state0") for problem in state_problems(state0, model.layout)]
    problems += _reference_problems(reference, model.layout)
    if problems:
        raise InvalidInput(problems)
    return Setup(
        model,
        mode,
        law,
        state0,
        reference,
        integrator,
        frame,
        rtol,
        rtol if atol is None else atol,
        sample_times(t_end_s, output_step_s),
        stop_times(t_end_s, reference),
        progress,
        environment,
    )


def sample_times(t_end_s: float, output_step_s: float | None) -> Array:
    """Return output times (n,) [s] with both ends: every `output_step_s` and the end, or 501 uniform points."""
    if output_step_s is None:
        return np.linspace(0.0, t_end_s, SAMPLES)
    times = np.arange(np.floor(t_end_s / output_step_s * (1 + 1e-12)) + 1) * output_step_s
    if t_end_s - times[-1] > 1e-9 * output_step_s:
        return np.append(times, t_end_s)
    times[-1] = t_end_s
    return times


def stop_times(t_end_s: float, reference: Reference | None) -> tuple[float, ...]:
    """Return the times [s] where the integrator starts, restarts and ends: 0, the reference's corners, the end."""
    corners = () if reference is None else reference.corners_s
    sliver = 1e-12 * t_end_s
    return (0.0, *(float(c) for c in sorted(set(corners)) if sliver < c < t_end_s - sliver), float(t_end_s))


def _kind_problems(
    model: Any, mode: Any, state0: Any, reference: Any, integrator: Any, coordinates: Any, environment: Any
) -> list[Problem]:
    """Return a problem for every argument of the wrong kind; the most common is a class instead of an object."""
    wanted = {
        "model": (model, Model, "a Model, made by compile_model(system)"),
        "mode": (mode, ManoeuvreMode, "a mode object such as Floating()"),
        "state0": (state0, State, "a State"),
        "integrator": (integrator, Integrator, "an integrator object such as DOP853()"),
        "coordinates": (coordinates, Coordinates, "FullState() or None"),
    }
    if reference is not None:
        wanted["reference"] = (reference, Reference, "a guidance reference such as JointSequence(n_joints), or None")
    if environment is not None:
        wanted["environment"] = (environment, Environment, "such as Gravity(Orbit.circular(altitude_m=500e3)), or None")
    return [
        Problem(key, words, repr(given))
        for key, (given, kind, words) in wanted.items()
        if isinstance(given, type) or not isinstance(given, kind)
    ]


def _number_problems(t_end_s: Any, rtol: Any, atol: Any, output_step_s: Any) -> list[Problem]:
    optional = {"atol": atol, "output_step_s": output_step_s}
    numbers = {"t_end_s": t_end_s} | {key: value for key, value in optional.items() if value is not None}
    problems = [Problem(key, "a finite number > 0", repr(v)) for key, v in numbers.items() if not (_finite(v) and v > 0)]
    if not (_finite(rtol) and SMALLEST_RTOL <= rtol < 1):
        problems.append(Problem("rtol", f"a number from {SMALLEST_RTOL:.2g} to 1", repr(rtol)))
    return problems


def _later_problems(events: Any) -> list[Problem]:
    if not isinstance(events, Sequence) or len(events):
        return [Problem("events", "an empty sequence: a run without events", repr(events))]
    return []


def _reference_problems(reference: Reference | None, layout: Layout) -> list[Problem]:
    if reference is None:
        return []
    sample: JointReference = reference.at(0.0)
    sizes = {"q": layout.n_q, "qdot": layout.N, "qddot": layout.N}
    problems = [
        Problem(f"reference {key} at t = 0 s", f"{size} finite numbers", str(np.asarray(getattr(sample, key)).tolist()))
        for key, size in sizes.items()
        if np.shape(getattr(sample, key)) != (size,) or not np.all(np.isfinite(getattr(sample, key)))
    ]
    return problems or quaternion_problems("reference q at t = 0 s", np.asarray(sample.q), layout)


def _finite(value: Any) -> bool:
    return isinstance(value, int | float | np.floating | np.integer) and bool(np.isfinite(value))
