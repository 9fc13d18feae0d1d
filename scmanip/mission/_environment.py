"""From `[environment]` to what acts on a mission from outside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..channels import in_si
from ..errors import InvalidInput, Problem
from ..loads import EARTH, CentralBody, Gravity, Orbit

if TYPE_CHECKING:
    from ._schema import EnvironmentTable, OrbitTable

_ANGLES = {
    "circular": ("inclination_rad", "raan_rad", "argument_of_latitude_rad"),
    "elliptic": ("inclination_rad", "raan_rad", "argument_of_periapsis_rad", "true_anomaly_rad"),
}
_SIZES = {"circular": ("altitude_m", "radius_m"), "elliptic": ("semi_major_axis_m",)}


def resolved_orbit(table: OrbitTable) -> dict[str, Any]:
    """Return `orbit` in SI with every angle; raises `InvalidInput` with problems called by its keys."""
    given, keys, problems = _in_si(table)
    sizes = [keys[key] for key in _SIZES[table.type] if key in given]
    if len(sizes) != 1:
        valid = ", ".join(f"{key}, {key[:-1]}km" for key in _SIZES[table.type])
        problems.append(Problem(sizes[-1] if sizes else "orbit", f"one of {valid}", " and ".join(sizes) or "none"))
    if problems:
        raise InvalidInput(problems)
    return {"type": table.type, **dict.fromkeys(_ANGLES[table.type], 0.0), **given}


def resolved_body(table: EnvironmentTable) -> dict[str, float]:
    """Return the central body in SI, the Earth where nothing is said; raises `InvalidInput` likewise."""
    given, keys, problems = _in_si(table)
    for key, other in (("mu_m3_s2", "body_radius_m"), ("body_radius_m", "mu_m3_s2")):
        if key in given and other not in given:
            problems.append(Problem(keys[key], f"{other} beside it, or neither for the Earth", f"{keys[key]} alone"))
    if problems:
        raise InvalidInput(problems)
    return given or {"mu_m3_s2": EARTH.mu_m3_s2, "body_radius_m": EARTH.radius_m}


def gravity(orbit: Mapping[str, Any], body: Mapping[str, float]) -> Gravity:
    """Return the environment of resolved tables; raises `InvalidInput` for an orbit that cannot be."""
    mu, radius = body["mu_m3_s2"], body["body_radius_m"]
    is_earth = (mu, radius) == (EARTH.mu_m3_s2, EARTH.radius_m)
    centre = EARTH if is_earth else CentralBody("the central body", mu, radius)
    make = Orbit.circular if orbit["type"] == "circular" else Orbit.elliptic
    return Gravity(make(**{key: value for key, value in orbit.items() if key != "type"}, body=centre))


def _in_si(table: Iterable[tuple[str, Any]]) -> tuple[dict[str, float], dict[str, str], list[Problem]]:
    """Return the numbers of a table in SI, the keys that gave them, and a problem for everything given in two units."""
    result: dict[str, float] = {}
    keys: dict[str, str] = {}
    problems: list[Problem] = []
    for key, value in table:
        if not isinstance(value, int | float):  # a name, a table, or left out
            continue
        name, size = in_si(key)
        if name in result:
            problems.append(Problem(key, "one of the two units", f"{keys[name]} and {key}"))
        result[name], keys[name] = float(value) * size, key
    return result, keys, problems
