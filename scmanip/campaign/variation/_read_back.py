"""What a built mission has of the values that were set in its files: each is read from the part that will fly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...channels import in_si
from ...errors import InvalidInput, Problem
from ...mission import CONTROLLERS, Mission, initial_value, listed, own_settings, setting_of
from ...study import Value
from ...system import System
from ._target import ESTIMATE, MISSION, Target, found_at, inertia_numbers, tensor


def read_back(target: Target, mission: Mission) -> Value | None:
    """Return what a built mission has at a path, in the unit of the path; None where its parts do not have it as such."""
    key, size = in_si(target.key)
    if target.at[-2:-1] == ("own",):
        size = 1.0  # in whatever unit the object has it
    found = _of_mission(target, mission, key) if target.document == MISSION else _of_system(target, mission, key)
    if found is None or isinstance(found, str | bool):
        return found
    if isinstance(found, Sequence) and not all(isinstance(entry, int | float) for entry in found):
        return None
    numbers = np.asarray(found, dtype=float)
    if numbers.shape == (3, 3) and target.is_inertia:
        return inertia_numbers(numbers)
    scaled = numbers if size == 1.0 else numbers / size
    return float(scaled) if scaled.ndim == 0 else tuple(scaled.ravel().tolist())


def refuse_lost(target: Target, value: Value, mission: Mission) -> None:
    """Raise `InvalidInput` where a built mission does not have the value that was set at a path."""
    found = read_back(target, mission)
    if found is not None and not same(target, value, found):
        hint = "another key of the files overrides it"
        raise InvalidInput(Problem(target.path, f"{value} in what flies", f"{found}", hint=hint))


def same(target: Target, value: Value, found: Value) -> bool:
    """Whether a value is the one that was found, but for the last digits that a change of unit costs."""
    if isinstance(value, str | bool) or isinstance(found, str | bool):
        return value == found
    if target.is_inertia and target.body_key == "inertia_kg_m2":
        value, found = (tuple(np.ravel(tensor(target.path, each)).tolist()) for each in (value, found))
    return _fit(value, found) and bool(np.allclose(value, found, rtol=1e-12, atol=1e-300))


def _fit(value: Value, found: Value) -> bool:
    sizes = {len(entry) for entry in (value, found) if isinstance(entry, tuple)}
    return len(sizes - {1}) <= 1


def _of_system(target: Target, mission: Mission, key: str) -> Any:
    if not target.at:
        return mission.source.given
    for system in _systems(target, mission):
        found = _part_of(target, system, key)
        if found is not None:
            return found
    if target.document == ESTIMATE:
        hint = "every controller has an estimate of its own, or knows none"
        raise InvalidInput(Problem(target.path, "a controller that believes in it", "none", hint=hint))
    return None


def _systems(target: Target, mission: Mission) -> Iterator[System]:
    """Yield the systems in which a target is to be found: that which flies, or those that controllers believe in."""
    if target.document != ESTIMATE:
        yield mission.model.system
        return
    for phase, own in zip(mission.phases, mission.written.estimates, strict=True):
        if own is None and phase.controller.believed is not None:
            yield phase.controller.believed.system


def _part_of(target: Target, system: System, key: str) -> Any:
    if key == "gravity_m_s2":
        return system.gravity_m_s2
    part = system.part(target.kind, target.name)
    return None if part is None else part.said(target.body_key if target.kind == "body" else key)


def _of_mission(target: Target, mission: Mission, key: str) -> Any:
    at = target.at
    if at[0] == "phase" and at[-2] == "own":
        phase_flown = mission.phases[int(at[1])]
        return own_settings(phase_flown.controller if at[2] == "controller" else phase_flown.reference).get(str(at[-1]))
    if at[0] == "initial" and len(at) == 2:
        return initial_value(mission.initial, mission.model.system, key)
    if at[0] == "phase" and at[2] == "controller" and len(at) == 4 + isinstance(at[3], int):
        phase, place = int(at[1]), at[3] if isinstance(at[3], int) else 0
        kinds = [CONTROLLERS[table["type"]] for table in listed(mission.written.resolved["phase"][phase]["controller"])]
        setting = setting_of(kinds, mission.phases[phase].controller, place, key)
        if setting is not None:
            return setting
    found = found_at(mission.resolved, (*at[:-1], key))
    return None if isinstance(found, Mapping) else found
