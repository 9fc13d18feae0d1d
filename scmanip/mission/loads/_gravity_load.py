"""`[[load]]` with `type = "gravity"`, and `[environment]`, which need not say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from ...channels import in_si
from ...errors import InvalidInput, Problem
from ...loads import EARTH, CentralBody, Gravity, Orbit
from ...system import System
from ..values._fields import MissionFileTable, NotNegative, Number, Positive
from ._load_table import LoadTable


class CircularTable(MissionFileTable):
    """`orbit = { type = "circular", ... }`: its size by one key, angles zero when left out."""

    type: Literal["circular"]
    sizes: ClassVar[tuple[str, ...]] = ("altitude_m", "radius_m")
    angles: ClassVar[tuple[str, ...]] = ("inclination_rad", "raan_rad", "argument_of_latitude_rad")
    altitude_m: Number | None = None
    altitude_km: Number | None = None
    radius_m: Positive | None = None
    radius_km: Positive | None = None
    inclination_rad: Number | None = None
    inclination_deg: Number | None = None
    raan_rad: Number | None = None
    raan_deg: Number | None = None
    argument_of_latitude_rad: Number | None = None
    argument_of_latitude_deg: Number | None = None


class EllipticTable(MissionFileTable):
    """`orbit = { type = "elliptic", ... }`: angles zero when left out."""

    type: Literal["elliptic"]
    sizes: ClassVar[tuple[str, ...]] = ("semi_major_axis_m",)
    angles: ClassVar[tuple[str, ...]] = ("inclination_rad", "raan_rad", "argument_of_periapsis_rad", "true_anomaly_rad")
    semi_major_axis_m: Positive | None = None
    semi_major_axis_km: Positive | None = None
    eccentricity: NotNegative
    inclination_rad: Number | None = None
    inclination_deg: Number | None = None
    raan_rad: Number | None = None
    raan_deg: Number | None = None
    argument_of_periapsis_rad: Number | None = None
    argument_of_periapsis_deg: Number | None = None
    true_anomaly_rad: Number | None = None
    true_anomaly_deg: Number | None = None


class GravityTable(LoadTable):
    """Gravity, and the orbit of the inertial axes' origin; round the Earth where no other body is given."""

    type: Literal["gravity"]
    orbit: Annotated[CircularTable | EllipticTable, Field(discriminator="type")] = Field(
        description='a table such as { type = "circular", altitude_km = 500 }'
    )
    mu_m3_s2: Positive | None = None
    body_radius_m: Positive | None = None
    body_radius_km: Positive | None = None

    def resolved(self) -> dict[str, Any]:
        """Return the table with orbit and body in SI, the Earth where nothing is said."""
        orbit, problems = _resolved_orbit(self.orbit)
        given, keys, others = _in_si(self)
        for key, other in (("mu_m3_s2", "body_radius_m"), ("body_radius_m", "mu_m3_s2")):
            if key in given and other not in given:
                others.append(Problem(keys[key], f"{other} beside it, or neither for the Earth", f"{keys[key]} alone"))
        if problems or others:
            raise InvalidInput([*others, *_of_orbit(problems)])
        named = {} if self.name is None else {"name": self.name}
        body = given or {"mu_m3_s2": EARTH.mu_m3_s2, "body_radius_m": EARTH.radius_m}
        return {**named, "type": self.type, "orbit": orbit, **body}

    def load(self, resolved: Mapping[str, Any], system: System) -> Gravity:
        """Return gravity; raises `InvalidInput` for an orbit that cannot be."""
        mu, radius = resolved["mu_m3_s2"], resolved["body_radius_m"]
        is_earth = (mu, radius) == (EARTH.mu_m3_s2, EARTH.radius_m)
        centre = EARTH if is_earth else CentralBody("the central body", mu, radius)
        make = Orbit.circular if self.orbit.type == "circular" else Orbit.elliptic
        try:
            return Gravity(make(**{key: value for key, value in resolved["orbit"].items() if key != "type"}, body=centre))
        except InvalidInput as error:
            raise InvalidInput(_of_orbit(error.problems)) from None


def _of_orbit(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems of keys of `orbit`."""
    return [replace(problem, key=f"orbit.{problem.key}") for problem in problems]


def _resolved_orbit(table: CircularTable | EllipticTable) -> tuple[dict[str, Any], list[Problem]]:
    """Return `orbit` in SI with every angle, and what is wrong with it."""
    given, keys, problems = _in_si(table)
    sizes = [keys[key] for key in table.sizes if key in given]
    if len(sizes) != 1:
        valid = ", ".join(f"{key}, {key[:-1]}km" for key in table.sizes)
        problems.append(Problem(sizes[-1] if sizes else "orbit", f"one of {valid}", " and ".join(sizes) or "none"))
    return {"type": table.type, **dict.fromkeys(table.angles, 0.0), **given}, problems


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
