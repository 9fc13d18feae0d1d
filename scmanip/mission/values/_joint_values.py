"""Numbers that a mission gives joint by joint, in the units of the joints."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import Problem, nearest, refuse
from ...spatial import Array
from ...system import System

DEG = math.radians(1.0)
PLACES = {"q_rad": ("rad", 1.0), "q_deg": ("rad", DEG), "q_m": ("m", 1.0)}  # keys for joint coordinates


@dataclass(frozen=True, eq=False)
class Entries:
    """What a mission may give a number for: coordinates that are no part of a quaternion, or freedoms.

    units : "rad" or "m" by name, in order; a gimbal has one entry per angle
    members : the names of its entries by joint name; none of a spherical joint's coordinates
    """

    units: Mapping[str, str]
    members: Mapping[str, tuple[str, ...]]

    @classmethod
    def of_q(cls, system: System) -> Entries:
        """Return the coordinates of a system."""
        parts = {j.name: [c for c in j.coordinates if c.unit != "1"] for j in system.joints}
        return cls(
            {c.name: c.unit for part in parts.values() for c in part},
            {joint: tuple(c.name for c in part) for joint, part in parts.items()},
        )

    @classmethod
    def of_qdot(cls, system: System, *, free: bool = True) -> Entries:
        """Return the freedoms of a system; free : also those of bodies that no joint holds."""
        joints = [joint for joint in system.joints if free or not joint.kind.grounded]
        members = {joint.name: tuple(freedom.name for freedom in joint.freedoms) for joint in joints}
        return cls({freedom.name: freedom.unit for joint in joints for freedom in joint.freedoms}, members)

    @classmethod
    def of_commanded_q(cls, system: System) -> Entries:
        """Return the coordinates of the joints that the base carries."""
        return cls.of_q(system.trees[0].system)

    def named(self, name: str) -> tuple[str, ...]:
        """Return the entries that a name stands for, that of an entry or of a joint; none for an unknown one."""
        return self.members.get(name) or ((name,) if name in self.units else ())

    def missing_problems(self, key: str, given: Container[str]) -> list[Problem]:
        """Return the one problem of the entries that are not in `given`, called `key`."""
        absent = [name for name in self.units if name not in given]
        return [Problem(key, "a value for every joint", f"none for {', '.join(absent)}")] if absent else []

    def problems(self, key: str, name: str, unit: str) -> list[Problem]:
        """Return what keeps `name` from being a joint or an entry in `unit`."""
        others = [self.units[entry] for entry in self.named(name) if self.units[entry] != unit]
        if others:
            return [Problem(key, f"a joint in {unit}", f"'{name}', which is in {others[0]}")]
        return self.unknown_problems(key, name)

    def unknown_problems(self, key: str, name: str) -> list[Problem]:
        """Return what keeps `name` from being a joint that moves by numbers, or an entry."""
        if self.named(name):
            return []
        if name in self.members:
            hint = "q_xyzw turns it, a joint_sequence holds it"
            return [Problem(key, "a joint with angles or a length", f"'{name}', a spherical joint", hint=hint)]
        names = [*self.members, *(entry for entry in self.units if entry not in self.members)]
        return [Problem(key, f"one of the joints {', '.join(names)}", repr(name), hint=nearest(name, names))]


def joint_values(
    entries: Entries, given: Mapping[str, Any], units: Mapping[str, tuple[str, float]], missing: float | None
) -> dict[str, float]:
    """Return values in SI by the names of the entries, in their order.

    given : by key, such as "q_deg", a list in the order of the entries, or a table of joint = number, joint = list with
        one number per freedom of the joint in the unit of the key, or "joint.1" = number; or None
    units : by key, the joint unit ("rad" or "m") that it is for, and its size in SI
    missing : the value of what is not mentioned; None makes leaving one out an error

    Raises `InvalidInput` whose problems are called by the keys of `given`.
    """
    values: dict[str, float] = {}
    problems: list[Problem] = []
    for key, numbers in given.items():
        if numbers is None:
            continue
        unit, size = units[key]
        named, found = _by_name(entries, key, numbers, unit)
        problems += found
        twice = sorted(values.keys() & named.keys())
        problems += [Problem(key, "every joint once", f"a second value for '{name}'") for name in twice]
        values |= {name: number * size for name, number in named.items()}
    if not problems and missing is None:
        absent = next((unit for name, unit in entries.units.items() if name not in values), "")
        keys = sorted((key for key, (unit, _) in units.items() if unit == absent), key=lambda key: given[key] is None)
        problems = entries.missing_problems(keys[0], values) if keys else []
    refuse(problems)
    return {name: float(values.get(name, missing or 0.0)) for name in entries.units}


def in_order(names: tuple[str, ...], tables: Mapping[str, Any], keys: Mapping[str, Any]) -> Array:
    """Return the numbers of resolved `tables` under `keys`, each one list or tables by name, in the order of `names`."""
    parts = [tables[key] for key in keys if key in tables]
    if any(isinstance(part, list) for part in parts):
        return np.array(parts[0], dtype=np.float64)
    merged = {name: value for table in parts for name, value in table.items()}
    return np.array([merged[name] for name in names], dtype=np.float64)


def _by_name(entries: Entries, key: str, given: Any, unit: str) -> tuple[dict[str, float], list[Problem]]:
    """Return the numbers of one key by the names of entries, and what is wrong with them."""
    if isinstance(given, list):
        return _in_a_list(entries, key, given, unit)
    values: dict[str, float] = {}
    problems: list[Problem] = []
    for name, value in given.items():
        members = tuple(entry for entry in entries.named(name) if entries.units[entry] == unit)
        wrong = [] if members else entries.problems(key, name, unit)
        numbers = value if isinstance(value, list) else [value]
        if not wrong and len(numbers) != len(members):
            wrong = [Problem(key, f"{len(members)} numbers for '{name}'", f"{len(numbers)}")]
        wrong += [Problem(key, "every joint once", f"a second value for '{m}'") for m in members if not wrong and m in values]
        problems += wrong
        values |= {} if wrong else dict(zip(members, numbers, strict=True))
    return values, problems


def _in_a_list(entries: Entries, key: str, numbers: list[float], unit: str) -> tuple[dict[str, float], list[Problem]]:
    names = list(entries.units)
    others = [name for name in names if entries.units[name] != unit]
    if len(numbers) != len(names):
        return {}, [Problem(key, f"{len(names)} numbers, for {', '.join(names) or 'no joint'}", f"{len(numbers)}")]
    if others:
        hint = f"write {key} = {{ joint = number }} for each kind of joint"
        return {}, [Problem(key, f"joints in {unit} only", f"'{others[0]}', which is in another unit", hint=hint)]
    return dict(zip(names, numbers, strict=True)), []
