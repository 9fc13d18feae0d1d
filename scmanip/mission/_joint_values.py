"""Numbers that a mission gives joint by joint, in the units of the joints."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from typing import Any

import numpy as np

from ..errors import InvalidInput, Problem, nearest
from ..spatial import Array
from ..system import System

DEG = math.radians(1.0)
PLACES = {"q_rad": ("rad", 1.0), "q_deg": ("rad", DEG), "q_m": ("m", 1.0)}  # keys for joint coordinates


def joint_values(
    system: System, given: Mapping[str, Any], units: Mapping[str, tuple[str, float]], missing: float | None
) -> Array:
    """Return (n_joints,) values in SI, by joint.

    given : by key, such as "q_deg", a list in the order of the joints, a table of joint = number, or None
    units : by key, the joint unit ("rad" or "m") that it is for, and its size in SI
    missing : the value of joints that are not mentioned; None makes leaving one out an error

    Raises `InvalidInput` whose problems are called by the keys of `given`.
    """
    values: dict[str, float] = {}
    problems: list[Problem] = []
    for key, entries in given.items():
        if entries is None:
            continue
        unit, size = units[key]
        named, found = _by_name(system, key, entries, unit)
        problems += found
        twice = sorted(values.keys() & named.keys())
        problems += [Problem(key, "every joint once", f"a second value for '{joint}'") for joint in twice]
        values |= {joint: number * size for joint, number in named.items()}
    if not problems and missing is None:
        problems = missing_problems(system, next(iter(units)), values)
    if problems:
        raise InvalidInput(problems)
    return np.array([values.get(joint.name, missing) for joint in system.joints], dtype=np.float64)


def _by_name(system: System, key: str, entries: Any, unit: str) -> tuple[dict[str, float], list[Problem]]:
    """Return the numbers of one key by joint name, and what is wrong with them."""
    names = [joint.name for joint in system.joints]
    if isinstance(entries, list):
        others = [joint.name for joint in system.joints if joint.type.unit != unit]
        if len(entries) != len(names):
            return {}, [Problem(key, f"{len(names)} numbers, for {', '.join(names) or 'no joint'}", f"{len(entries)}")]
        if others:
            hint = f"write {key} = {{ joint = number }} for each kind of joint"
            return {}, [Problem(key, f"joints in {unit} only", f"'{others[0]}', which is in another unit", hint=hint)]
        return dict(zip(names, entries, strict=True)), []
    return dict(entries), [problem for name in entries for problem in joint_problems(system, key, name, unit)]


def joint_problems(system: System, key: str, name: str, unit: str) -> list[Problem]:
    """Return what keeps `name` from being a joint of `system` whose coordinate is in `unit`."""
    units = _units(system)
    if name in units and units[name] != unit:
        return [Problem(key, f"a joint in {unit}", f"'{name}', which is in {units[name]}")]
    return unknown_problems(system, key, name)


def unknown_problems(system: System, key: str, name: str) -> list[Problem]:
    """Return what keeps `name` from being a joint of `system`."""
    units = _units(system)
    return (
        [] if name in units else [Problem(key, f"one of the joints {', '.join(units)}", repr(name), hint=nearest(name, units))]
    )


def _units(system: System) -> dict[str, str]:
    return {joint.name: joint.type.unit for joint in system.joints}


def missing_problems(system: System, key: str, given: Container[str]) -> list[Problem]:
    """Return the one problem of the joints of `system` that are not in `given`, called `key`."""
    absent = [joint.name for joint in system.joints if joint.name not in given]
    return [Problem(key, "a value for every joint", f"none for {', '.join(absent)}")] if absent else []
