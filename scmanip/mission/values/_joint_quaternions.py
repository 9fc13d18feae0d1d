"""The attitudes of spherical joints that a mission gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...errors import InvalidInput, Problem, nearest, refuse
from ...spatial import attitude_xyzw
from ...system import System

KEY = "q_xyzw"


def spherical(system: System) -> list[str]:
    """Return the names of the spherical joints."""
    return [joint.name for joint in system.joints if joint.n_q != joint.dof]


def joint_quaternions(system: System, given: Mapping[str, Sequence[float]] | None) -> dict[str, list[float]]:
    """Return the unit quaternions that are given, by joint; raises `InvalidInput` for what is none, and for other joints."""
    names = spherical(system)
    values: dict[str, list[float]] = {}
    problems: list[Problem] = []
    for name, quaternion in (given or {}).items():
        if name not in names:
            expected = f"one of the spherical joints {', '.join(names) or '(none)'}"
            problems.append(Problem(KEY, expected, repr(name), hint=nearest(name, names)))
            continue
        try:
            values[name] = attitude_xyzw(quaternion, order="xyzw").tolist()
        except InvalidInput as error:
            problems += [replace(p, key=KEY, expected=f"{p.expected} for joint '{name}'") for p in error.problems]
    refuse(problems)
    return values
