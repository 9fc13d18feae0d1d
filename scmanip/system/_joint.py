"""A joint: what one body may do relative to its parent."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidSystem, Problem, name_problems
from ..spatial import FloatArray, array_problems, axis_problems, coefficient_problems, frozen, restored, unit_vector
from ._freedom import Coordinate, Freedom


class JointType(StrEnum):
    """The kinds of joint; a fixed joint is a weld and has no freedom."""

    REVOLUTE = "revolute"
    PRISMATIC = "prismatic"
    GIMBAL = "gimbal"
    SPHERICAL = "spherical"
    FIXED = "fixed"

    @property
    def turns(self) -> bool:
        """Whether its freedoms are rotations."""
        return self in (JointType.REVOLUTE, JointType.GIMBAL, JointType.SPHERICAL)

    @property
    def unit(self) -> str:
        """Unit of what moves."""
        return {"prismatic": "m", "fixed": ""}.get(self.value, "rad")


@dataclass(frozen=True, eq=False)
class Joint:
    """Placement and freedom of a body relative to its parent.

    The joint frame sits at `origin_m`, turned by `dcm`, in the parent's body frame; the moved joint frame coincides
    with it at q = 0 and carries the body. The body's own frame sits at `child_origin_m`, turned by `child_dcm`, in the
    moved joint frame: identity, except for Denavit-Hartenberg links, whose frame is at their far end.

    A gimbal turns about one to three axes one after the other, each fixed to the body that the earlier ones have turned: its
    coordinates are those angles. A spherical joint has a unit quaternion x, y, z, w, child axes to joint frame, in q, and
    the relative angular velocity in child axes in qdot.

    name : unique among the joints
    type : a `JointType`
    axis : (3,) unit vector (to 1e-6, then normalised) in the joint frame, along or about which the body moves
        (of revolute and prismatic joints)
    sequence : the axes of a gimbal, one to three letters of "xyz", neighbours different: "zxz"
    origin_m, child_origin_m : (3,) [m]
    dcm, child_dcm : (3, 3) columns are the child axes in the parent (orthonormal to 1e-6, then made so exactly)
    lower, upper : limits of the coordinate [rad or m]; of a gimbal, of every angle; a spherical joint has none
    stiffness, damping : spring about q = 0 [N m/rad or N/m] and viscous damper [N m s/rad or N s/m]; of a gimbal, of every
        angle; a spherical joint has no spring
    """

    name: str
    type: JointType
    axis: FloatArray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    origin_m: FloatArray = field(default_factory=lambda: np.zeros(3))
    dcm: FloatArray = field(default_factory=lambda: np.eye(3))
    child_origin_m: FloatArray = field(default_factory=lambda: np.zeros(3))
    child_dcm: FloatArray = field(default_factory=lambda: np.eye(3))
    lower: float = field(default=-np.inf, metadata={"input": "range"})
    upper: float = field(default=np.inf, metadata={"input": "range"})
    stiffness: float = 0.0
    damping: float = 0.0
    sequence: str = ""

    __setstate__ = restored

    def __post_init__(self) -> None:
        problems = self._problems()
        if problems:
            raise InvalidSystem(problems)
        for name in ("origin_m", "child_origin_m"):
            object.__setattr__(self, name, frozen(getattr(self, name)))
        for name in ("dcm", "child_dcm"):
            object.__setattr__(self, name, nearest_rotation(getattr(self, name)))
        object.__setattr__(self, "axis", unit_vector(self.axis))
        object.__setattr__(self, "type", JointType(self.type))

    def _problems(self) -> list[Problem]:
        key = f"joint {self.name!r}"
        if not isinstance(self.type, str) or self.type not in list(JointType):
            return [Problem(f"{key} type", f"one of {', '.join(JointType)}", repr(self.type))]
        problems = name_problems(key, self.name) + axis_problems(f"{key} axis", self.axis)
        for name in ("origin_m", "child_origin_m"):
            problems += array_problems(f"{key} {name}", getattr(self, name), (3,))
        for name in ("dcm", "child_dcm"):
            problems += rotation_problems(f"{key} {name}", getattr(self, name))
        for name in ("stiffness", "damping"):
            problems += coefficient_problems(f"{key} {name}", getattr(self, name))
        problems += sequence_problems(f"{key} sequence", self.sequence, self.type)
        problems += limit_problems(f"{key} limits", self.lower, self.upper)
        return problems + self._spherical_problems(key)

    def _spherical_problems(self, key: str) -> list[Problem]:
        """Return what a spherical joint cannot have: a spring or limits of coordinates that are no angles."""
        if self.type != JointType.SPHERICAL:
            return []
        given = {"stiffness": self.stiffness != 0, "lower": self.lower > -np.inf, "upper": self.upper < np.inf}
        expected = "nothing for a spherical joint, whose coordinates are a quaternion"
        return [Problem(f"{key} {name}", expected, "a value") for name, is_given in given.items() if is_given]

    @property
    def dof(self) -> int:
        """Number of freedoms."""
        return len(self.freedoms)

    @property
    def n_q(self) -> int:
        """Number of coordinates: that of freedoms, 4 for a spherical joint."""
        return len(self.coordinates)

    @cached_property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Its entries of q."""
        if self.type is JointType.SPHERICAL:
            return tuple(Coordinate(part, "1", -1.0, 1.0) for part in part_names(self.name, self.type, ""))
        return tuple(Coordinate(freedom.name, freedom.unit, self.lower, self.upper) for freedom in self.freedoms)

    @cached_property
    def freedoms(self) -> tuple[Freedom, ...]:
        """Its entries of qdot."""
        if self.type is JointType.FIXED:
            return ()
        letters = {JointType.GIMBAL: self.sequence, JointType.SPHERICAL: "xyz"}.get(self.type, "")
        parts = part_names(self.name, self.type, self.sequence)
        axes = [(part, unit_axis(letter)) for part, letter in zip(parts, letters, strict=False)] or [(self.name, self.axis)]
        return tuple(Freedom(name, self.name, self.type.turns, axis, self.stiffness, self.damping) for name, axis in axes)

    def __repr__(self) -> str:
        return f"Joint({self.name!r}, {self.type})"


def part_names(name: str, kind: object, sequence: str) -> tuple[str, ...]:
    """Return what the coordinates and freedoms of a joint of several are called."""
    if kind == JointType.SPHERICAL:
        return tuple(f"{name}.{part}" for part in "xyzw")
    return tuple(f"{name}.{k + 1}" for k in range(len(sequence))) if kind == JointType.GIMBAL else ()


def unit_axis(letter: str) -> FloatArray:
    """Return the unit vector (3,) that a letter of "xyz" names."""
    return frozen(np.eye(3)["xyz".index(letter)])


def sequence_problems(key: str, sequence: object, kind: JointType | str = JointType.GIMBAL) -> list[Problem]:
    """Return what keeps `sequence` from being that of a gimbal, or, for any other kind of joint, from being empty."""
    if kind != JointType.GIMBAL:
        return (
            []
            if isinstance(sequence, str) and not sequence
            else [Problem(key, "nothing: only a gimbal has a sequence", repr(sequence))]
        )
    letters = isinstance(sequence, str) and 1 <= len(sequence) <= 3 and set(sequence) <= set("xyz")
    if letters and all(a != b for a, b in pairwise(str(sequence))):
        return []
    return [Problem(key, "one to three letters of 'xyz', neighbours different, such as 'zxz'", repr(sequence))]


def rotation_problems(key: str, dcm: ArrayLike) -> list[Problem]:
    """Return what keeps `dcm` from being a right-handed rotation matrix (to 1e-6)."""
    problems = array_problems(key, dcm, (3, 3))
    if problems:
        return problems
    R: FloatArray = np.asarray(dcm, dtype=np.float64)
    if np.abs(R).max() > 2 or np.abs(R.T @ R - np.eye(3)).max() > 1e-6 or np.linalg.det(R) < 0:
        return [Problem(key, "a right-handed rotation matrix", _listed(dcm))]
    return []


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
        R = R - R @ (R.T @ R - np.eye(3)) / 2  # what rounding has left of the error, squared
    return frozen(R)


def _listed(value: ArrayLike) -> str:
    return str(np.asarray(value, dtype=np.float64).tolist())
