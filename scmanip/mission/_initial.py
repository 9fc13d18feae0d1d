"""From `[initial]` to the state in which a mission starts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidInput, Problem
from ..spatial import Array, attitude_xyzw, dcm_from_euler, quaternion_from_dcm
from ..system import State, System
from ._joint_quaternions import KEY, joint_quaternions, spherical
from ._joint_values import DEG, PLACES, Entries, in_order, joint_values

if TYPE_CHECKING:
    from ._schema import InitialTable
    from ._sound import Sound

_QDOT = {"qdot_rad_s": ("rad", 1.0), "qdot_deg_s": ("rad", DEG), "qdot_m_s": ("m", 1.0)}
_ATTITUDE = ("attitude_xyzw", "rpy_rad", "rpy_deg")
_OMEGA = ("omega_0_rad_s", "omega_0_deg_s")
_BASE = ("r_0_m", *_ATTITUDE, "v_0_m_s", *_OMEGA)


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
    if problems:
        raise InvalidInput(problems)
    return resolved


def initial_state(resolved: dict[str, Any], system: System) -> State:
    """Return the state that a resolved `[initial]` describes."""
    q, qdot = _coordinates(resolved, system), in_order(system.layout.qdot_names, resolved, _QDOT)
    if system.fixed:
        return State(q=q, qdot=qdot)
    return State(resolved["r_0_m"], resolved["attitude_xyzw"], q, resolved["v_0_m_s"], resolved["omega_0_rad_s"], qdot)


def _base_problems(table: InitialTable, system: System) -> list[Problem]:
    given = [key for key in _BASE if key in table.model_fields_set]
    if system.fixed:
        return [Problem(key, "no base motion: the system holds its base", "a value") for key in given]
    problems = _norm_problems(table.attitude_xyzw)
    for keys in (_ATTITUDE, _OMEGA):
        both = [key for key in keys if key in given]
        if len(both) > 1:
            problems.append(Problem(both[1], f"one of {', '.join(keys)}", " and ".join(both)))
    return problems


def _norm_problems(quaternion: list[float] | None) -> list[Problem]:
    if quaternion is not None:
        try:
            attitude_xyzw(quaternion, order="xyzw")
        except InvalidInput as error:
            return list(error.problems)
    return []


def _base(table: InitialTable) -> dict[str, Any]:
    rpy = table.rpy_rad if table.rpy_deg is None else [math.radians(angle) for angle in table.rpy_deg]
    attitude = table.attitude_xyzw or [0.0, 0.0, 0.0, 1.0]
    if rpy is not None:
        attitude = quaternion_from_dcm(dcm_from_euler(*rpy)).tolist()
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
