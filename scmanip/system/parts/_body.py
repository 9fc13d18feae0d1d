"""A rigid body and the checks that its mass properties are physical."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidSystem, Problem, checked, name_problems, refuse
from ...spatial import NUMBER, Array, FloatArray, Numbered, array_problems, frozen, real, restored
from ._joint import Joint

INERTIA_ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # xx yy zz xy xz yz


@dataclass(frozen=True, eq=False)
class Body(Numbered):
    """A rigid body; the base has neither `parent` nor `joint`.

    name : unique among bodies and frames
    mass_kg : >= 0
    inertia_kg_m2 : (3, 3) about the CoM, in body axes, or the diagonal (3,); positive semi-definite
    com_m : (3,) centre of mass from the body frame's origin, body axes [m]
    parent : name of the body that carries the joint; "ground" of a free body
    joint : how this body moves relative to its parent

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> base = Body("base", mass_kg=200.0, inertia_kg_m2=[40.0, 40.0, 30.0])
    >>> base.inertia_kg_m2.shape, base.numbers["inertia_kg_m2"].tolist()
    ((3, 3), [40.0, 40.0, 30.0, 0.0, 0.0, 0.0])
    >>> Body("base", -2.0, [1, 1, 1])
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidSystem: body 'base' mass_kg: expected a number >= 0, found -2
    """

    name: str
    mass_kg: float = field(metadata={"input": "inertia", NUMBER: True})
    inertia_kg_m2: FloatArray = field(metadata={"input": "inertia", NUMBER: True})
    com_m: FloatArray = field(default_factory=lambda: np.zeros(3), metadata={"input": "inertia", NUMBER: True})
    parent: str | None = None
    joint: Joint | None = None

    __setstate__ = restored

    def __post_init__(self) -> None:
        object.__setattr__(self, "inertia_kg_m2", full_inertia(self.inertia_kg_m2))
        refuse(self._problems(), InvalidSystem)
        object.__setattr__(self, "mass_kg", float(self.mass_kg))
        object.__setattr__(self, "com_m", frozen(self.com_m))
        object.__setattr__(self, "inertia_kg_m2", frozen(self.inertia_kg_m2))

    def _problems(self) -> list[Problem]:
        key = f"body {self.name!r}"
        problems = name_problems(key, self.name) + mass_problems(f"{key} mass_kg", self.mass_kg)
        problems += array_problems(f"{key} com_m", self.com_m, (3,))
        problems += inertia_problems(f"{key} inertia_kg_m2", self.inertia_kg_m2)
        if (self.parent is None) != (self.joint is None):
            problems.append(Problem(key, "both parent and joint, or neither (the base)", "one of them"))
        return problems

    @property
    def numbers(self) -> dict[str, Array]:
        """Mass, centre of mass (3,), and inertia (6,) as xx yy zz xy xz yz, in SI and body axes."""
        return {**super().numbers, "inertia_kg_m2": inertia_entries(self.inertia_kg_m2)}

    def in_fields(self, values: Mapping[str, Array]) -> dict[str, Any]:
        return {
            key: inertia_tensor(value) if key == "inertia_kg_m2" else value for key, value in super().in_fields(values).items()
        }

    def extremes(self, key: str, values: Array) -> tuple[Array, ...]:
        """Return the ends of ranges, and of inertias (n, 6) in body axes that with the smallest principal moment."""
        if key != "inertia_kg_m2":
            return super().extremes(key, values)
        moments = np.linalg.eigvalsh(np.moveaxis(inertia_tensor(values.T), -1, 0))[:, 0]
        return (values[np.argmin(moments)],)

    @property
    def grounded(self) -> bool:
        """Whether nothing holds it, so that it is the root of a tree of its own."""
        return self.joint is not None and self.joint.kind.grounded

    def __repr__(self) -> str:
        return f"Body({self.name!r}, mass_kg={self.mass_kg:g})"


def inertia_entries(tensor: Array) -> Array:
    """Return xx yy zz xy xz yz (6,) of an inertia (3, 3)."""
    return np.array([tensor[i, j] for i, j in INERTIA_ENTRIES])


def inertia_tensor(entries: Array) -> Array:
    """Return the inertia (3, 3) of xx yy zz xy xz yz (6,), over any scalar."""
    xx, yy, zz, xy, xz, yz = entries
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@checked
def mass_problems(key: str, mass_kg: Any) -> list[Problem]:
    """Return what keeps `mass_kg` from being a finite number >= 0.

    >>> mass_problems("mass_kg", 3.0)
    []
    >>> print(*mass_problems("mass_kg", -3.0))
    mass_kg: expected a number >= 0, found -3
    """
    problems = array_problems(key, mass_kg, ())
    return problems if problems or mass_kg >= 0 else [Problem(key, "a number >= 0", f"{mass_kg:g}")]


def full_inertia(inertia: Any) -> Any:
    """Return the matrix of a diagonal, anything else unchanged."""
    try:
        diagonal = real(inertia)
    except (TypeError, ValueError):
        return inertia
    return np.diag(diagonal) if diagonal.shape == (3,) and np.asarray(inertia).dtype.kind != "b" else inertia


@checked
def inertia_problems(key: str, inertia: Any) -> list[Problem]:
    """Return what keeps `inertia` (3, 3) [kg m^2], in any axes, from being a symmetric, positive semi-definite matrix.

    >>> inertia_problems("inertia", np.diag([4.0, 3.0, 2.0]))
    []
    >>> print(*inertia_problems("inertia", np.diag([4.0, 3.0, -2.0])))
    inertia: expected a positive semi-definite matrix, found smallest principal moment -2
    """
    problems = array_problems(key, inertia, (3, 3))
    if problems:
        return problems
    tensor: FloatArray = np.asarray(inertia, dtype=np.float64)
    scale = np.abs(tensor).max()
    if np.abs(tensor - tensor.T).max() > 1e-9 * scale:
        return [Problem(key, "a symmetric matrix", str(tensor.tolist()))]
    smallest = np.linalg.eigvalsh(tensor)[0]
    if smallest < -1e-9 * scale:
        return [Problem(key, "a positive semi-definite matrix", f"smallest principal moment {smallest:.6g}")]
    return []


@checked
def triangle_problems(key: str, inertia: ArrayLike) -> list[Problem]:
    """Return a problem when one principal moment of `inertia` (3, 3) exceeds the sum of the other two, as no rigid body's does.

    inertia : (3, 3) in any axes [kg m^2]

    >>> print(*triangle_problems("link1 inertia", np.diag([1.0, 1.0, 3.0])))
    link1 inertia: expected principal moments of which none exceeds the sum of the others, found 1, 1, 3
    """
    moments = np.linalg.eigvalsh(np.asarray(inertia, dtype=np.float64))
    if moments[2] > (moments[0] + moments[1]) * (1 + 1e-6):
        listed = ", ".join(f"{m:.6g}" for m in moments)
        return [Problem(key, "principal moments of which none exceeds the sum of the others", listed)]
    return []
