"""From `[limits]` to what a run is judged by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput, Problem
from ..modes import RootJoint
from ..report import Limits
from ..system import System
from ._joint_values import DEG, Entries

if TYPE_CHECKING:
    from ._schema import LimitsTable

_FREE_BASE = (
    "momentum_relative",
    "system_com_drift_m",
    "base_rotation_rad",
    "base_rotation_deg",
    "base_displacement_m",
    "base_rate_rad_s",
    "base_rate_deg_s",
    "base_force_N",
    "base_torque_Nm",
    "impulse_Ns",
    "angular_impulse_Nms",
    "propellant_kg",
)
_ROOT = "root_joint_momentum_relative"
_ROOT_NEEDS = "a held base with one first joint, along which no gravity, spring or damper acts"
_OTHER_UNITS = {
    "base_rotation_deg": ("base_rotation_rad", DEG),
    "base_rate_deg_s": ("base_rate_rad_s", DEG),
    "final_joint_error_deg": ("final_joint_error_rad", DEG),
    "tip_error_deg": ("tip_error_rad", DEG),
    "tip_error_mm": ("tip_error_m", 1e-3),
}
TIP_TURN = ("tip_error_rad", "tip_error_deg")
TIP = ("tip_error_m", "tip_error_mm", *TIP_TURN)
_FINAL = {"final_joint_error_rad": "rad", "final_joint_error_deg": "rad", "final_joint_error_m": "m"}
_ANY = ""
_JOINTS = {
    "joint_power_W": ("joint_power_W", _ANY, 1.0),
    "joint_torque_Nm": ("joint_torque_Nm", "rad", 1.0),
    "joint_force_N": ("joint_force_N", "m", 1.0),
    "joint_rate_rad_s": ("joint_rate_rad_s", "rad", 1.0),
    "joint_rate_deg_s": ("joint_rate_rad_s", "rad", DEG),
    "joint_rate_m_s": ("joint_rate_m_s", "m", 1.0),
}


def resolved_limits(table: LimitsTable, system: System) -> dict[str, Any]:
    """Return `[limits]` in SI, joint by joint; raises `InvalidInput` with problems called by its keys."""
    given = {key: value for key, value in table if value is not None}
    problems: list[Problem] = []
    resolved: dict[str, Any] = {}
    entries = Entries.of_qdot(system)
    for key, value in given.items():
        if system.fixed and key in _FREE_BASE:
            problems.append(Problem(key, "no limit on the base: the system holds it", "a value"))
            continue
        if key == _ROOT and RootJoint.of(system) is None:
            problems.append(Problem(key, _ROOT_NEEDS, "a system without such a joint"))
            continue
        if key == "propellant_kg" and not system.thrusters:
            problems.append(Problem(key, "a system with thrusters", "none"))
            continue
        if key in _JOINTS:
            name, unit, size = _JOINTS[key]
            problems += _joint_problems(entries, key, value, unit)
            entry: Any = {joint: limit * size for joint, limit in _by_joint(entries, value, unit).items()}
        else:
            problems += _unit_problems(entries, key, _FINAL[key]) if key in _FINAL else []
            name, size = _OTHER_UNITS.get(key, (key, 1.0))
            entry = float(value) * size
        if name in resolved:
            problems.append(Problem(key, "one of the two units", f"{name} and {key}"))
        resolved[name] = entry
    if problems:
        raise InvalidInput(problems)
    return resolved


def limits(resolved: dict[str, Any]) -> Limits:
    """Return the limits of a resolved table."""
    single = {key: value for key, value in resolved.items() if key not in _JOINTS}
    effort = {**resolved.get("joint_torque_Nm", {}), **resolved.get("joint_force_N", {})}
    rate = {**resolved.get("joint_rate_rad_s", {}), **resolved.get("joint_rate_m_s", {})}
    return Limits(**single, joint_effort=effort, joint_rate=rate, joint_power=resolved.get("joint_power_W", {}))


def _by_joint(entries: Entries, value: Any, unit: str) -> dict[str, float]:
    if isinstance(value, dict):
        return {name: float(number) for name, number in value.items()}
    return {name: float(value) for name in entries.units if unit in (_ANY, entries.units[name])}


def _joint_problems(entries: Entries, key: str, value: Any, unit: str) -> list[Problem]:
    if isinstance(value, dict):
        if unit == _ANY:
            return [problem for name in value for problem in entries.unknown_problems(key, name)]
        return [problem for name in value for problem in entries.problems(key, name, unit)]
    return _unit_problems(entries, key, unit)


def _unit_problems(entries: Entries, key: str, unit: str) -> list[Problem]:
    """Return what keeps a limit in `unit` from meaning any joint."""
    if unit in entries.units.values() or (unit == _ANY and entries.units):
        return []
    return [Problem(key, f"a system with joints in {unit}" if unit else "a system with joints", "none")]
