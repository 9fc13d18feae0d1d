"""A joint: what one body may do relative to its parent."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidSystem, Problem
from ._arrays import FloatArray, array_problems, frozen, restored
from ._rules import name_problems


class JointType(StrEnum):
    """The kinds of joint; a fixed joint is a weld and has no freedom."""

    REVOLUTE = "revolute"
    PRISMATIC = "prismatic"
    FIXED = "fixed"

    @property
    def dof(self) -> int:
        """Number of freedoms."""
        return 0 if self is JointType.FIXED else 1

    @property
    def unit(self) -> str:
        """Unit of the joint coordinate."""
        return {"revolute": "rad", "prismatic": "m", "fixed": ""}[self.value]


@dataclass(frozen=True, eq=False)
class Joint:
    """Placement and freedom of a body relative to its parent.

    The joint frame sits at `origin_m`, turned by `dcm`, in the parent's body frame; the moved joint frame coincides
    with it at q = 0 and carries the body. The body's own frame sits at `child_origin_m`, turned by `child_dcm`, in the
    moved joint frame: identity, except for Denavit-Hartenberg links, whose frame is at their far end.

    name : unique among the joints
    type : a `JointType`
    axis : (3,) unit vector (to 1e-6, then normalised) in the joint frame, along or about which the body moves
        (unused for a weld)
    origin_m, child_origin_m : (3,) [m]
    dcm, child_dcm : (3, 3) columns are the child axes in the parent (orthonormal to 1e-6, then made so exactly)
    lower, upper : limits of the coordinate [rad or m]
    stiffness, damping : spring about q = 0 [N m/rad or N/m] and viscous damper [N m s/rad or N s/m]
    """

    name: str
    type: JointType
    axis: FloatArray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    origin_m: FloatArray = field(default_factory=lambda: np.zeros(3))
    dcm: FloatArray = field(default_factory=lambda: np.eye(3))
    child_origin_m: FloatArray = field(default_factory=lambda: np.zeros(3))
    child_dcm: FloatArray = field(default_factory=lambda: np.eye(3))
    lower: float = -np.inf
    upper: float = np.inf
    stiffness: float = 0.0
    damping: float = 0.0

    __setstate__ = restored

    def __post_init__(self) -> None:
        problems = self._problems()
        if problems:
            raise InvalidSystem(problems)
        for name in ("origin_m", "child_origin_m"):
            object.__setattr__(self, name, frozen(getattr(self, name)))
        for name in ("dcm", "child_dcm"):
            object.__setattr__(self, name, nearest_rotation(getattr(self, name)))
        object.__setattr__(self, "axis", _unit(self.axis))
        object.__setattr__(self, "type", JointType(self.type))

    def _problems(self) -> list[Problem]:
        key = f"joint {self.name!r}"
        if self.type not in list(JointType):
            return [Problem(f"{key} type", f"one of {', '.join(JointType)}", repr(self.type))]
        problems = name_problems(key, self.name) + axis_problems(f"{key} axis", self.axis)
        for name in ("origin_m", "child_origin_m"):
            problems += array_problems(f"{key} {name}", getattr(self, name), (3,))
        for name in ("dcm", "child_dcm"):
            problems += rotation_problems(f"{key} {name}", getattr(self, name))
        for name in ("stiffness", "damping"):
            problems += coefficient_problems(f"{key} {name}", getattr(self, name))
        return problems + limit_problems(f"{key} limits", self.lower, self.upper)

    @property
    def dof(self) -> int:
        """Number of freedoms."""
        return self.type.dof

    def __repr__(self) -> str:
        return f"Joint({self.name!r}, {self.type})"


def axis_problems(key: str, axis: ArrayLike) -> list[Problem]:
    """Return what keeps `axis` from being a unit vector (to 1e-6)."""
    problems = array_problems(key, axis, (3,))
    if problems:
        return problems
    norm = np.linalg.norm(np.asarray(axis, dtype=np.float64))
    return [] if abs(norm - 1) <= 1e-6 else [Problem(key, "a unit vector", f"{_listed(axis)} of length {norm:.9g}")]


def rotation_problems(key: str, dcm: ArrayLike) -> list[Problem]:
    """Return what keeps `dcm` from being a right-handed rotation matrix (to 1e-6)."""
    problems = array_problems(key, dcm, (3, 3))
    if problems:
        return problems
    R: FloatArray = np.asarray(dcm, dtype=np.float64)
    if np.abs(R.T @ R - np.eye(3)).max() > 1e-6 or np.linalg.det(R) < 0:
        return [Problem(key, "a right-handed rotation matrix", _listed(dcm))]
    return []


def coefficient_problems(key: str, value: float) -> list[Problem]:
    """Return what keeps a stiffness or damping from being a finite number >= 0."""
    problems = array_problems(key, value, ())
    return problems if problems or value >= 0 else [Problem(key, "a finite number >= 0", f"{value:g}")]


def limit_problems(key: str, lower: object, upper: object) -> list[Problem]:
    """Return what keeps two limits, which may be infinite, from leaving room to move."""
    if not (isinstance(lower, Real) and isinstance(upper, Real)):
        return [Problem(key, "two numbers", f"{lower!r} and {upper!r}")]
    return [] if lower < upper else [Problem(key, "lower < upper", f"{lower:.9g} and {upper:.9g}")]


def nearest_rotation(dcm: ArrayLike) -> FloatArray:
    """Return the orthonormal matrix closest to one that is a rotation to 1e-6: printed tables carry few digits."""
    R: FloatArray = np.asarray(dcm, dtype=np.float64)
    if np.abs(R.T @ R - np.eye(3)).max() > 1e-14:
        left, _, right = np.linalg.svd(R)
        R = left @ right
    return frozen(R)


def _unit(axis: ArrayLike) -> FloatArray:
    return frozen(np.asarray(axis, dtype=np.float64) / np.linalg.norm(np.asarray(axis, dtype=np.float64)))


def _listed(value: ArrayLike) -> str:
    return str(np.asarray(value, dtype=np.float64).tolist())
