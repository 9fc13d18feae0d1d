"""The speeds of the reaction wheels that a mission starts with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput, Problem, nearest
from ..system import System

if TYPE_CHECKING:
    from ._schema import InitialTable

KEY = "wheel_rad_s"
_SIZES = {KEY: 1.0, "wheel_rpm": math.tau / 60}


def wheel_speeds(table: InitialTable, system: System) -> dict[str, list[float]]:
    """Return {"wheel_rad_s": [...]} of a system with wheels, standing ones unless said otherwise; raises `InvalidInput`."""
    names, values, problems = system.layout.wheel_names, dict[str, float](), list[Problem]()
    for key, size in _SIZES.items():
        given = getattr(table, key)
        if given is None:
            continue
        if not names:
            hint = "ideal wheels start at rest"
            problems.append(Problem(key, "nothing: the system has no [[wheel]]", "speeds of wheels", hint=hint))
            continue
        numbers, found = _by_name(key, given, names)
        twice = [Problem(key, "every wheel once", f"a second speed for '{name}'") for name in numbers.keys() & values.keys()]
        problems += found + twice + _too_fast(key, numbers, system)
        values |= {name: number * size for name, number in numbers.items()}
    if problems:
        raise InvalidInput(problems)
    return {KEY: [float(values.get(name, 0.0)) for name in names]} if names else {}


def _too_fast(key: str, numbers: Mapping[str, float], system: System) -> list[Problem]:
    """Return a problem for every wheel that starts beyond its largest speed, in the unit of the key."""
    limits = {wheel.name: wheel.largest_states[0] / _SIZES[key] for wheel in system.wheels}
    unit = "rpm" if key == "wheel_rpm" else "rad/s"
    return [
        Problem(key, f"at most {limits[name]:g} {unit}, the largest speed of wheel '{name}'", f"{number:g} {unit}")
        for name, number in numbers.items()
        if abs(number) > limits[name] * (1 + 1e-9)
    ]


def _by_name(key: str, given: Any, names: tuple[str, ...]) -> tuple[dict[str, float], list[Problem]]:
    if isinstance(given, dict):
        expected = f"one of the wheels {', '.join(names)}"
        unknown = [Problem(key, expected, repr(name), hint=nearest(name, names)) for name in given if name not in names]
        return {name: value for name, value in given.items() if name in names}, unknown
    if len(given) != len(names):
        return {}, [Problem(key, f"{len(names)} numbers, for {', '.join(names)}", str(len(given)))]
    return dict(zip(names, given, strict=True)), []
