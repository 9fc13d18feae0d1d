"""From `[limits]` to what a run is judged by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ...channels import in_si
from ...errors import Problem, nearest, refuse
from ...guidance import PoseReference
from ...modes import RootJoint
from ...report import Limits
from ...system import System
from ..values._findings import Findings, table_at
from ..values._joint_values import Entries
from ._draft import PhaseDraft

if TYPE_CHECKING:
    from ._schema import LimitsTable

_FREE_BASE = (
    *("momentum_relative", "system_com_drift_m", "base_rotation_rad", "base_displacement_m", "base_rate_rad_s", "base_force_N"),
    *("base_torque_Nm", "impulse_Ns", "angular_impulse_Nms", "propellant_kg"),
)
_ROOT = "root_joint_momentum_relative"
_ROOT_NEEDS = "a held base with one first joint, along which no gravity, spring or damper acts"
_FINAL = {"final_joint_error_rad": "rad", "final_joint_error_m": "m"}
_ANY = ""
_JOINTS = {
    "joint_power_W": _ANY,
    "joint_torque_Nm": "rad",
    "joint_force_N": "m",
    "joint_rate_rad_s": "rad",
    "joint_rate_m_s": "m",
}


_PARTS: dict[str, tuple[str, Callable[[System, Sequence[str]], Iterable[str]]]] = {
    **dict.fromkeys(
        ("interface_force_N", "interface_moment_Nm"),
        ("joints and constraints between frames", lambda system, places: (each.name for each in system.interfaces)),
    ),
    "switch_impulse_Ns": (
        "constraints and contacts",
        lambda system, places: (*(one.name for one in system.constraints), *places),
    ),
    "switch_angular_impulse_Nms": ("constraints", lambda system, places: (one.name for one in system.constraints)),
    **dict.fromkeys(
        ("final_free_rate_rad_s", "final_free_momentum_Nms"),
        ("free bodies", lambda system, places: (tree.root for tree in system.trees[1:])),
    ),
}
"""Limits by the names of other parts: which, in words, and their names."""


def resolved_limits(table: LimitsTable, system: System, places: Sequence[str] = ()) -> dict[str, Any]:
    """Return `[limits]` in SI, joint by joint; raises `InvalidInput` with problems called by its keys.

    places : what the places are called at which shapes may strike each other
    """
    problems: list[Problem] = []
    resolved: dict[str, Any] = {}
    entries = Entries.of_qdot(system, free=False)
    for key, value in table:
        if value is None:
            continue
        name, size = in_si(key)
        obstacle = _obstacle(key, name, system)
        if obstacle is not None:
            problems.append(obstacle)
            continue
        if name in _JOINTS:
            unit = _JOINTS[name]
            problems += _joint_problems(entries, key, value, unit)
            entry: Any = {joint: limit * size for joint, limit in _by_joint(entries, value, unit).items()}
        elif name in _PARTS:
            words, of = _PARTS[name]
            names = [*of(system, places)]
            problems += _part_problems(words, names, key, value)
            given: dict[str, Any] = value if isinstance(value, dict) else dict.fromkeys(names, value)
            entry = {part: float(number) * size for part, number in given.items()}
        else:
            problems += _unit_problems(entries, key, _FINAL[name]) if name in _FINAL else []
            entry = float(value) * size
        if name in resolved:
            problems.append(Problem(key, "one of the two units", f"{name} and {key}"))
        resolved[name] = entry
    refuse(problems)
    return resolved


def _obstacle(key: str, name: str, system: System) -> Problem | None:
    """Return what a limit asks for that a system lacks."""
    if system.fixed and name in _FREE_BASE:
        return Problem(key, "no limit on the base: the system holds it", "a value")
    if key == _ROOT and RootJoint.of(system) is None:
        return Problem(key, _ROOT_NEEDS, "a system without such a joint")
    if key == "propellant_kg" and not system.pushers:
        return Problem(key, "a system with thrusters", "none")
    return None


def refuse_no_tip(findings: Findings, drafts: Sequence[PhaseDraft]) -> None:
    """Note limits on the error of a frame where no phase leads one, or none that is judged has an attitude."""
    if None in [draft.guidance for draft in drafts]:
        return
    led = [draft.guidance.table for draft in drafts if draft.guidance and draft.guidance.table.samples is PoseReference]
    for key in table_at(findings.document, ("limits",)):
        name = in_si(key)[0]
        if name in ("tip_error_m", "tip_error_rad") and not led:
            findings.add(("limits", key), "a mission that leads a frame, guidance 'reach'", "a limit on its error")
        elif name == "tip_error_rad" and not led[-1].turns:
            hint = "give the reach hold_attitude = true, attitude_xyzw, rpy_rad or rpy_deg"
            findings.add(("limits", key), "an attitude in the last reach", "a limit on its error", hint)


def limits(resolved: dict[str, Any]) -> Limits:
    """Return the limits of a resolved table."""
    single = {key: value for key, value in resolved.items() if key not in _JOINTS}
    effort = {**resolved.get("joint_torque_Nm", {}), **resolved.get("joint_force_N", {})}
    rate = {**resolved.get("joint_rate_rad_s", {}), **resolved.get("joint_rate_m_s", {})}
    return Limits(**single, joint_effort=effort, joint_rate=rate, joint_power=resolved.get("joint_power_W", {}))


def _part_problems(words: str, names: Sequence[str], key: str, value: Any) -> list[Problem]:
    """Return what keeps a limit from meaning parts of a system, which are these."""
    if not names:
        return [Problem(key, f"a system with {words}", "none")]
    wrong = [part for part in value if part not in names] if isinstance(value, dict) else []
    expected = f"one of the {words} {', '.join(names)}"
    return [Problem(key, expected, repr(part), hint=nearest(part, names)) for part in wrong]


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
