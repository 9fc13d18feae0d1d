"""Masses of MJCF bodies: as they are said, or of the solids that they are made of where they are not, as MuJoCo sums them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ....errors import Problem
from ....spatial import Array
from ..reading._tables import symmetric
from ..reading._xml import Element
from ._mjcf_file import Compiler, Pose

_DENSITY = 1000.0  # kg/m^3 of a geom that says none


class MassSolid(NamedTuple):
    """A geom in body axes: what it says, with its class, and where it is."""

    element: Element
    values: dict[str, Any]
    pose: Pose

    @property
    def kind(self) -> str:
        """Its type."""
        return self.values.get("type", "sphere")

    @property
    def sizes(self) -> list[float]:
        """Half of its edges or lengths, radii; those of a <fromto> have half of its length."""
        sizes = list(self.values.get("size", []))
        if "fromto" in self.values:
            ends = np.reshape(self.values["fromto"], (2, 3))
            half = float(np.linalg.norm(ends[1] - ends[0]) / 2)
            return [sizes[0], half] if self.kind in ("capsule", "cylinder") else [sizes[0], sizes[0], half]
        return sizes


NEEDED = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}


def size_problems(solid: MassSolid) -> list[Problem]:
    """Return what is wrong with the sizes of a geom."""
    count = NEEDED.get(solid.kind, 0)
    sizes = solid.values.get("size", [])
    count = 1 if "fromto" in solid.values and count else count
    if len(sizes) < count or not all(size > 0 for size in sizes[:count]):
        return [
            solid.element.problem(
                "size", f"{count} numbers > 0 for a {solid.kind}", " ".join(f"{s:g}" for s in sizes) or "nothing"
            )
        ]
    return []


def masses(inertial: Element | None, solids: Sequence[MassSolid], compiler: Compiler) -> tuple[dict[str, Any], list[Problem]]:
    """Return the keys of mass, centre of mass and inertia of a body, none where it has no mass, and what is wrong."""
    if inertial is not None and compiler.from_geoms != "true":
        said, problems = _said(inertial, compiler)
    elif compiler.from_geoms == "false":
        return {}, []
    else:
        said, problems = _summed(solids, compiler)
    return _bounded(said, compiler), problems


def _said(inertial: Element, compiler: Compiler) -> tuple[dict[str, Any], list[Problem]]:
    com, R = compiler.pose(inertial.values)
    if ("diaginertia" in inertial.values) == ("fullinertia" in inertial.values):
        found = "both" if "diaginertia" in inertial.values else "nothing"
        return {}, [inertial.problem("", "one of diaginertia and fullinertia", found)]
    if "fullinertia" in inertial.values:
        xx, yy, zz, xy, xz, yz = inertial.values["fullinertia"]
        tensor: Array = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        tensor = np.diag(inertial.values["diaginertia"])
    return inertial_table(inertial.values["mass"], com, R @ tensor @ R.T), []


def _summed(solids: Sequence[MassSolid], compiler: Compiler) -> tuple[dict[str, Any], list[Problem]]:
    low, high = compiler.groups
    counted = [solid for solid in solids if low <= solid.values.get("group", 0) <= high]
    problems = [problem for solid in counted for problem in _mass_problems(solid)]
    if problems:
        return {}, problems
    parts = []
    for solid in counted:
        (origin, R), (mass, moments) = solid.pose, _of_solid(solid)
        if mass > 0:
            parts.append((mass, origin, R @ np.diag(moments) @ R.T))
    return (inertial_table(*as_one(parts)), []) if parts else ({}, [])


def as_one(parts: Sequence[tuple[float, Array, Array]]) -> tuple[float, Array, Array]:
    """Return mass [kg], centre of mass (3,) [m] and inertia (3, 3) [kg m^2] about it of rigid bodies, each given so."""
    total, first = sum(mass for mass, *_ in parts), parts[0][1]
    com: Array = first + sum((mass / total * (place - first) for mass, place, _ in parts), np.zeros(3))
    tensor = np.zeros((3, 3))
    for mass, place, own in parts:
        d = place - com
        tensor += own + mass * (d @ d * np.eye(3) - np.outer(d, d))
    return total, com, tensor


def _mass_problems(solid: MassSolid) -> list[Problem]:
    values, element = solid.values, solid.element
    if solid.kind in ("plane", "hfield") or (values.get("mass", 1.0) == 0 or values.get("density", 1.0) == 0):
        return []
    negative = [key for key in ("mass", "density") if values.get(key, 0.0) < 0]
    if negative:
        return [element.problem(negative[0], "a number >= 0", f"{values[negative[0]]:g}")]
    if "mesh" in values or solid.kind in ("mesh", "sdf"):
        hint = "give its body an <inertial>, or the geom mass='0'"
        return [element.problem("", "a solid whose mass follows from its sizes", "a mesh", hint)]
    if values.get("shellinertia") == "true":
        return [element.problem("shellinertia", "false: solids are filled", "true", "give its body an <inertial>")]
    return []


def _of_solid(solid: MassSolid) -> tuple[float, Array]:
    """Return mass and moments of inertia (3,) about its own axes."""
    if solid.kind not in NEEDED or solid.values.get("mass", 1.0) == 0 or solid.values.get("density", 1.0) == 0:
        return 0.0, np.zeros(3)
    volume, per_mass = SOLIDS[solid.kind](*solid.sizes[: NEEDED[solid.kind]])
    mass = solid.values.get("mass", solid.values.get("density", _DENSITY) * volume)
    return mass, mass * np.array(per_mass)


def _sphere(r: float) -> tuple[float, list[float]]:
    return 4 / 3 * np.pi * r**3, [0.4 * r * r] * 3


def _ellipsoid(a: float, b: float, c: float) -> tuple[float, list[float]]:
    return 4 / 3 * np.pi * a * b * c, [(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5]


def _box(a: float, b: float, c: float) -> tuple[float, list[float]]:
    return 8 * a * b * c, [(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3]


def _cylinder(r: float, h: float) -> tuple[float, list[float]]:
    across = r * r / 4 + h * h / 3
    return 2 * np.pi * r * r * h, [across, across, r * r / 2]


def _capsule(r: float, h: float) -> tuple[float, list[float]]:
    volume = np.pi * r * r * (2 * h + 4 / 3 * r)
    ends = 4 / 3 * np.pi * r**3 / volume
    rest = 1 - ends
    across = rest * (r * r / 4 + h * h / 3) + ends * (0.4 * r * r + h * h + 0.75 * r * h)
    return volume, [across, across, rest * r * r / 2 + ends * 0.4 * r * r]


SOLIDS: dict[str, Callable[..., tuple[float, list[float]]]] = {
    "sphere": _sphere,
    "ellipsoid": _ellipsoid,
    "box": _box,
    "cylinder": _cylinder,
    "capsule": _capsule,
}


def _bounded(said: dict[str, Any], compiler: Compiler) -> dict[str, Any]:
    """Return masses with the bounds below that the compiler says."""
    if not compiler.bound_kg and not compiler.bound_kg_m2:
        return said
    mass, tensor = said.get("mass_kg", 0.0), np.array(said.get("inertia_kg_m2", np.zeros((3, 3))))
    moments, axes = np.linalg.eigh(tensor)
    if mass < compiler.bound_kg or moments[0] < compiler.bound_kg_m2:
        tensor = axes @ np.diag(np.maximum(moments, compiler.bound_kg_m2)) @ axes.T
        return inertial_table(max(mass, compiler.bound_kg), np.array(said.get("com_m", np.zeros(3))), tensor)
    return said


def inertial_table(mass: float, com: Array, tensor: Array) -> dict[str, Any]:
    said: dict[str, Any] = {"mass_kg": float(mass)} | ({"com_m": com.tolist()} if com.any() else {})
    return said | {"inertia_kg_m2": symmetric(tensor)}
