"""The attitudes of spherical joints that a mission gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..errors import InvalidInput, Problem, nearest
from ..spatial import attitude_xyzw
from ..system import JointType, System

KEY = "q_xyzw"


def joint_quaternions(system: System, given: Mapping[str, Sequence[float]] | None) -> dict[str, list[float]]:
    """Return a unit quaternion per spherical joint, the identity where none is given; raises `InvalidInput`."""
    spherical = [joint.name for joint in system.joints if joint.type is JointType.SPHERICAL]
    values = {name: [0.0, 0.0, 0.0, 1.0] for name in spherical}
    problems: list[Problem] = []
    for name, quaternion in (given or {}).items():
        if name not in values:
            expected = f"one of the spherical joints {', '.join(spherical) or '(none)'}"
            problems.append(Problem(KEY, expected, repr(name), hint=nearest(name, spherical)))
            continue
        try:
            values[name] = attitude_xyzw(quaternion, order="xyzw").tolist()
        except InvalidInput as error:
            problems += [replace(p, key=KEY, expected=f"{p.expected} for joint '{name}'") for p in error.problems]
    if problems:
        raise InvalidInput(problems)
    return values
