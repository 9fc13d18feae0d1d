"""From `[initial]` to the state in which a mission starts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput, Problem
from ..spatial import attitude_xyzw, dcm_from_euler, quaternion_from_dcm
from ..system import State, System
from ._joint_values import DEG, PLACES, joint_values

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
    for wanted, units, missing in (("q", PLACES, None if initial.whole else 0.0), ("qdot", _QDOT, 0.0)):
        try:
            values = joint_values(system, {key: getattr(table, key) for key in units}, units, missing)
        except InvalidInput as error:
            problems += error.problems
        else:
            resolved |= _joint_entries(system, wanted, values.tolist())
    if problems:
        raise InvalidInput(problems)
    return resolved


def initial_state(resolved: dict[str, Any], system: System) -> State:
    """Return the state that a resolved `[initial]` describes."""
    q, qdot = (_joint_row(resolved, prefix, system) for prefix in ("q_", "qdot_"))
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


def _joint_entries(system: System, prefix: str, values: list[float]) -> dict[str, Any]:
    """Return {"q_rad": [...]} or, where joints of both units are present, {"q_rad": {...}, "q_m": {...}}."""
    keys = {"rad": f"{prefix}_rad", "m": f"{prefix}_m"}
    if prefix == "qdot":
        keys = {unit: f"{key}_s" for unit, key in keys.items()}
    kinds = [unit for unit in keys if any(joint.type.unit == unit for joint in system.joints)]
    if len(kinds) < 2:
        return {keys[kinds[0] if kinds else "rad"]: values}
    return {
        keys[unit]: {j.name: value for j, value in zip(system.joints, values, strict=True) if j.type.unit == unit}
        for unit in kinds
    }


def _joint_row(resolved: dict[str, Any], prefix: str, system: System) -> list[float]:
    entries = [value for key, value in resolved.items() if key.startswith(prefix)]
    if isinstance(entries[0], list):
        return list(entries[0])
    merged = {name: value for table in entries for name, value in table.items()}
    return [merged[joint.name] for joint in system.joints]
