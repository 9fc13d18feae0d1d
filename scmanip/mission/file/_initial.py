"""From `[initial]` to the state in which a mission starts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, checked, refuse
from ...spatial import Array
from ...system import State, System
from ..values._attitude import ATTITUDE, attitude_of, attitude_problems, doubles
from ..values._joint_quaternions import KEY, joint_quaternions, spherical
from ..values._joint_values import DEG, PLACES, Entries, in_order, joint_values
from ..values._sound import Sound
from ._actuator_states import actuator_states, packed_states, starting_states
from ._schema import InitialTable, initial_table

_QDOT = {"qdot_rad_s": ("rad", 1.0), "qdot_deg_s": ("rad", DEG), "qdot_m_s": ("m", 1.0)}
_OMEGA = ("omega_0_rad_s", "omega_0_deg_s")
_OF_BASE = {"r_0_m": "r_0", "attitude_xyzw": "attitude_xyzw", "v_0_m_s": "v_0", "omega_0_rad_s": "omega_0"}
_OF_JOINTS = {**dict.fromkeys(PLACES, "q"), **dict.fromkeys(_QDOT, "qdot")}
_BASE = ("r_0_m", *ATTITUDE, "v_0_m_s", *_OMEGA)


def resolved_initial(initial: Sound[InitialTable], system: System) -> dict[str, Any]:
    """Return `[initial]` in SI with nothing left out; raises `InvalidInput` with problems called by their keys.

    Where keys of the table are wrong, joints without a value are not reported: the value may be in one of those.
    """
    table = initial.table
    problems = _base_problems(table, system)
    resolved = {} if system.fixed or problems else _base(table)
    coordinates, freedoms = Entries.of_q(system), Entries.of_qdot(system)
    for entries, units, missing in ((coordinates, PLACES, None if initial.whole else 0.0), (freedoms, _QDOT, 0.0)):
        try:
            values = joint_values(entries, {key: getattr(table, key) for key in units}, units, missing)
        except InvalidInput as error:
            problems += error.problems
        else:
            resolved |= _joint_entries(entries, units, values)
    try:
        quaternions = {name: [0.0, 0.0, 0.0, 1.0] for name in spherical(system)} | joint_quaternions(system, table.q_xyzw)
    except InvalidInput as error:
        problems += error.problems
    else:
        resolved |= {KEY: quaternions} if quaternions else {}
    try:
        resolved |= actuator_states(table, system)
    except InvalidInput as error:
        problems += error.problems
    refuse(problems)
    return resolved


def initial_state(resolved: dict[str, Any], system: System) -> State:
    """Return the state that a resolved `[initial]` describes."""
    q, qdot = _coordinates(resolved, system), in_order(system.layout.qdot_names, resolved, _QDOT)
    if system.fixed:
        return State(q=q, qdot=qdot)
    base = {name: resolved[key] for key, name in _OF_BASE.items()}
    return State(**base, q=q, qdot=qdot, actuators=packed_states(resolved, system))


@checked
def state_of(given: Mapping[str, Any], system: System) -> State:
    """Return the state that an `[initial]` table describes, of which the keys are known; raises `InvalidInput`.

    >>> state_of({"q_rad": [0.1, 0.0, 0.0, 0.0], "omega_0_rad_s": [0.0, 0.0, 0.02]}, mission.system).omega_0.tolist()
    [0.0, 0.0, 0.02]
    """
    return initial_state(resolved_initial(Sound(initial_table(system).model_validate(given), whole=True), system), system)


@checked
def initial_value(state: State, system: System, key: str) -> Any:
    """Return what a state has of a key of `[initial]` in SI; None for a key of a part of its joints.

    >>> initial_value(mission.initial, mission.system, "q_rad").tolist()
    [0.0, 0.0, 0.0, 0.0]
    """
    name = _OF_BASE.get(key) or _OF_JOINTS.get(key)
    if name is None:
        return starting_states(state, system).get(key)
    mixed = key in _OF_JOINTS and len({coordinate.unit for coordinate in system.coordinates}) > 1
    return None if mixed else getattr(state, name)


def _base_problems(table: InitialTable, system: System) -> list[Problem]:
    given = [key for key in _BASE if key in table.model_fields_set]
    if system.fixed:
        return [Problem(key, "no base motion: the system holds its base", "a value") for key in given]
    return attitude_problems(table) + doubles(table, _OMEGA)


def _base(table: InitialTable) -> dict[str, Any]:
    attitude = attitude_of(table) or [0.0, 0.0, 0.0, 1.0]
    omega = table.omega_0_rad_s or [0.0, 0.0, 0.0]
    if table.omega_0_deg_s is not None:
        omega = [math.radians(rate) for rate in table.omega_0_deg_s]
    return {"r_0_m": table.r_0_m, "attitude_xyzw": attitude, "v_0_m_s": table.v_0_m_s, "omega_0_rad_s": omega}


def _joint_entries(entries: Entries, units: dict[str, tuple[str, float]], values: dict[str, float]) -> dict[str, Any]:
    """Return {"q_rad": [...]} or, where joints of both units are present, {"q_rad": {...}, "q_m": {...}}."""
    keys = {unit: key for key, (unit, size) in units.items() if size == 1.0}
    kinds = [unit for unit in keys if unit in entries.units.values()]
    if len(kinds) < 2:
        return {keys[kinds[0] if kinds else "rad"]: list(values.values())}
    return {keys[unit]: {name: value for name, value in values.items() if entries.units[name] == unit} for unit in kinds}


def _coordinates(resolved: dict[str, Any], system: System) -> Array:
    """Return q (n_q,)."""
    layout = system.layout
    q, places = layout.neutral(), np.array([i for i, _ in layout.single()], dtype=np.intp)
    q[places] = in_order(tuple(layout.q_names[i] for i in places), resolved, PLACES)
    for (start, _), quaternion in zip(layout.quaternions, resolved.get(KEY, {}).values(), strict=True):
        q[start : start + 4] = quaternion
    return q
