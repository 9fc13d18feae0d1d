"""The tables and keys of a system file, `scmanip.system/1`. Importing this file loads pydantic: do it late.

Each field says what it takes in its description, which error messages repeat. Rules between keys are in `_file_rules`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat, create_model
from pydantic_core import PydanticCustomError

from ..actuators import Actuator, Quantity, actuator_kinds
from ..errors import InvalidInput, Problem
from ..spatial import FloatArray, attitude_xyzw, axis_problems, coefficient_problems
from ._angles import dcm_from_rpy, dcm_from_xyzw, per_radian, radian
from ._body import inertia_problems, mass_problems
from ._joint import rotation_problems, sequence_problems
from ._schema_problems import refusal, visible
from ._spring_damper import between_problems

SCHEMA = "scmanip.system/1"


def _checked(problems: Callable[[str, Any], list[Problem]]) -> AfterValidator:
    """Return a validator that asks one of the checks which `Body` and `Joint` use themselves."""

    def check(value: Any) -> Any:
        for problem in problems("", value):
            raise refusal(problem.expected, problem.found, hint=problem.hint)
        return value

    return AfterValidator(check)


def _quaternion_problems(key: str, value: list[float]) -> list[Problem]:
    try:
        attitude_xyzw(np.array(value), order="xyzw")
    except InvalidInput as error:
        return list(error.problems)
    return []


def _rows(value: Any) -> Any:
    if not (isinstance(value, list) and len(value) == 3 and all(isinstance(row, list) and len(row) == 3 for row in value)):
        raise refusal("3 x 3 numbers", "another shape")
    return value


def _diagonal(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 3 and not any(isinstance(entry, list | dict) for entry in value):
        return [[entry if i == j else 0.0 for j in range(3)] for i, entry in enumerate(value)]
    try:
        return _rows(value)
    except PydanticCustomError:
        raise refusal("3 numbers (the diagonal) or 3 x 3 numbers", "another shape") from None


Name = Annotated[str, Field(min_length=1, description="a text that is not empty"), AfterValidator(visible)]
Number = Annotated[FiniteFloat, Field(description="a finite number")]
Vector = Annotated[list[Number], Field(min_length=3, max_length=3, description="3 numbers")]
Mass = Annotated[Number, _checked(mass_problems), Field(description="a number >= 0")]
Inertia = Annotated[
    list[Vector],
    BeforeValidator(_diagonal),
    _checked(inertia_problems),
    Field(description="3 numbers (the diagonal) or 3 x 3 numbers, about the centre of mass"),
]
Dcm = Annotated[list[Vector], BeforeValidator(_rows), _checked(rotation_problems), Field(description="3 x 3 numbers")]
Attitude = Annotated[list[Number], Field(min_length=4, max_length=4), _checked(_quaternion_problems)]
Axis = Annotated[Vector, _checked(axis_problems), Field(description="a unit vector of 3 numbers")]
GimbalSequence = Annotated[str, _checked(sequence_problems)]
Coefficient = Annotated[Number, _checked(coefficient_problems), Field(description="a number >= 0")]


def _origin() -> list[float]:
    return [0.0, 0.0, 0.0]


class SystemFileTable(BaseModel):
    """A table that takes the listed keys, of exactly the listed types, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PlacementTable(SystemFileTable):
    """Where a frame sits in another one."""

    origin_m: Vector = Field(default_factory=_origin)
    rpy_rad: Vector | None = None
    rpy_deg: Vector | None = None
    dcm: Dcm | None = None
    quaternion_xyzw: Attitude | None = None

    @property
    def rotation(self) -> FloatArray:
        """The rotation (3, 3); its columns are the axes of the inner frame."""
        if self.dcm is not None:
            return np.array(self.dcm)
        if self.quaternion_xyzw is not None:
            return dcm_from_xyzw(self.quaternion_xyzw)
        return dcm_from_rpy(self.rpy_rad, self.rpy_deg)


@dataclass(frozen=True)
class Motion:
    """Limits, stiffness and damping of a joint in SI; what a file leaves out is unlimited or zero."""

    lower: float
    upper: float
    stiffness: float
    damping: float

    @classmethod
    def of(cls, lower: float | None, upper: float | None, stiffness: float | None, damping: float | None) -> Motion:
        """Return the motion with what is None replaced."""
        unlimited = -math.inf if lower is None else lower, math.inf if upper is None else upper
        return cls(*unlimited, stiffness or 0.0, damping or 0.0)


class RevoluteMotion(SystemFileTable):
    """Limits, spring and damper of a joint that turns."""

    lower_rad: Number | None = None
    lower_deg: Number | None = None
    upper_rad: Number | None = None
    upper_deg: Number | None = None
    stiffness_Nm_rad: Coefficient | None = None
    stiffness_Nm_deg: Coefficient | None = None
    damping_Nms_rad: Coefficient | None = None
    damping_Nms_deg: Coefficient | None = None

    def motion(self) -> Motion:
        """Return what a `Joint` needs, in SI."""
        return Motion.of(
            radian(self.lower_rad, self.lower_deg),
            radian(self.upper_rad, self.upper_deg),
            per_radian(self.stiffness_Nm_rad, self.stiffness_Nm_deg),
            per_radian(self.damping_Nms_rad, self.damping_Nms_deg),
        )


class PrismaticMotion(SystemFileTable):
    """Limits, spring and damper of a joint that slides."""

    lower_m: Number | None = None
    upper_m: Number | None = None
    stiffness_N_m: Coefficient | None = None
    damping_Ns_m: Coefficient | None = None

    def motion(self) -> Motion:
        """Return what a `Joint` needs, in SI."""
        return Motion.of(self.lower_m, self.upper_m, self.stiffness_N_m, self.damping_Ns_m)


_KINDS = "revolute, prismatic, gimbal, spherical or fixed"


class RevoluteJoint(PlacementTable, RevoluteMotion):
    """`joint = { type = "revolute", ... }`."""

    type: Literal["revolute"] = Field(description=_KINDS)
    name: Name | None = None
    axis: Axis

    def freedom(self) -> dict[str, Any]:
        """Return what a `Joint` needs beside its placement."""
        return {"axis": np.array(self.axis), **vars(self.motion())}


class PrismaticJoint(PlacementTable, PrismaticMotion):
    """`joint = { type = "prismatic", ... }`."""

    type: Literal["prismatic"] = Field(description=_KINDS)
    name: Name | None = None
    axis: Axis

    def freedom(self) -> dict[str, Any]:
        """Return what a `Joint` needs beside its placement."""
        return {"axis": np.array(self.axis), **vars(self.motion())}


class GimbalJoint(PlacementTable, RevoluteMotion):
    """`joint = { type = "gimbal", sequence = "zxz", ... }`; limits, spring and damper are those of every angle."""

    type: Literal["gimbal"] = Field(description=_KINDS)
    name: Name | None = None
    sequence: GimbalSequence = Field(description="one to three letters of 'xyz', neighbours different, such as 'zxz'")

    def freedom(self) -> dict[str, Any]:
        """Return what a `Joint` needs beside its placement."""
        return {"sequence": self.sequence, **vars(self.motion())}


class SphericalJoint(PlacementTable):
    """`joint = { type = "spherical", ... }`."""

    type: Literal["spherical"] = Field(description=_KINDS)
    name: Name | None = None
    damping_Nms_rad: Coefficient | None = None
    damping_Nms_deg: Coefficient | None = None

    def freedom(self) -> dict[str, Any]:
        """Return what a `Joint` needs beside its placement."""
        return {"damping": per_radian(self.damping_Nms_rad, self.damping_Nms_deg) or 0.0}


class FixedJoint(PlacementTable):
    """`joint = { type = "fixed", ... }`, a weld."""

    type: Literal["fixed"] = Field(description=_KINDS)
    name: Name | None = None

    def freedom(self) -> dict[str, Any]:
        """Return what a `Joint` needs beside its placement: nothing."""
        return {}


JointTable = Annotated[
    Annotated[RevoluteJoint | PrismaticJoint | GimbalJoint | SphericalJoint | FixedJoint, Field(discriminator="type")],
    Field(description="a table with type, origin_m, axis, ..."),
]


class BaseTable(SystemFileTable):
    """`[base]`."""

    fixed: bool = False
    mass_kg: Mass | None = None
    com_m: Vector = Field(default_factory=_origin)
    inertia_kg_m2: Inertia | None = None


class BodyTable(SystemFileTable):
    """`[[body]]`."""

    name: Name
    parent: Name
    mass_kg: Mass
    com_m: Vector = Field(default_factory=_origin)
    inertia_kg_m2: Inertia
    joint: JointTable


class FrameTable(PlacementTable):
    """`[[frame]]`."""

    name: Name
    body: Name


class ArmLink(SystemFileTable):
    """What both kinds of `[[arm.link]]` take, in the customised Denavit-Hartenberg form [Wilde2018] eqs 1-10."""

    name: Name | None = None
    d_m: Number = 0.0
    theta_offset_rad: Number | None = None
    theta_offset_deg: Number | None = None
    alpha_rad: Number | None = None
    alpha_deg: Number | None = None
    a_m: Number = 0.0
    b_m: Number = 0.0
    mass_kg: Mass
    com_m: Vector | None = None
    inertia_kg_m2: Inertia


class RevoluteLink(ArmLink, RevoluteMotion):
    """`[[arm.link]]` with `type = "revolute"`."""

    type: Literal["revolute"] = Field(description="revolute or prismatic")


class PrismaticLink(ArmLink, PrismaticMotion):
    """`[[arm.link]]` with `type = "prismatic"`."""

    type: Literal["prismatic"] = Field(description="revolute or prismatic")


class ArmTable(SystemFileTable):
    """`[[arm]]`."""

    name: Name | None = None
    parent: Name = "base"
    mount_m: Vector = Field(default_factory=_origin)
    mount_rpy_rad: Vector | None = None
    mount_rpy_deg: Vector | None = None
    link: list[Annotated[RevoluteLink | PrismaticLink, Field(discriminator="type")]] = Field(
        min_length=1, description="one or more [[arm.link]] tables"
    )


class SpringDamperTable(SystemFileTable):
    """`[[spring_damper]]`, between two named points."""

    name: Name
    between: Annotated[list[Name], Field(min_length=2, max_length=2), _checked(between_problems)] = Field(
        description="the names of two different frames"
    )
    stiffness_N_m: Coefficient = 0.0
    damping_Ns_m: Coefficient = 0.0
    length_m: Coefficient = 0.0


@cache
def actuator_table(kind: type[Actuator]) -> type[SystemFileTable]:
    """Return the table of a kind of actuators, with the keys that its fields declare."""
    taken: dict[str, Any] = {}
    for name, key in kind.keys().items():
        taken[name] = _key(key.quantity), ... if key.required else None
    for other, (name, _) in kind.spellings.items():
        taken[other] = taken[name][0], None
        taken[name] = taken[name][0], None
    return create_model(kind.kind, __base__=SystemFileTable, **taken)


def _key(quantity: Quantity) -> Any:
    """Return the type of a key: what pydantic checks and in which words."""
    inner: Any = {"name": Name, "number": Number, "vector": Vector}[quantity.form]
    return Annotated[inner, _checked(quantity.problems), Field(description=quantity.words)]


class HdLink(SystemFileTable):
    """What both kinds of `[[hd_link]]` take: the modified Hartenberg-Denavit parameters of [Angeles1989] section 3.1."""

    name: Name | None = None
    alpha_rad: Number | None = None
    alpha_deg: Number | None = None
    a_m: Number = 0.0
    b_m: Number = 0.0
    theta_rad: Number | None = None
    theta_deg: Number | None = None
    mass_kg: Mass
    rho_m: Vector = Field(default_factory=_origin)
    inertia_kg_m2: Inertia


class RevoluteHdLink(HdLink, RevoluteMotion):
    """`[[hd_link]]` with `type = "revolute"`."""

    type: Literal["revolute"] = Field(description="revolute or prismatic")


class PrismaticHdLink(HdLink, PrismaticMotion):
    """`[[hd_link]]` with `type = "prismatic"`."""

    type: Literal["prismatic"] = Field(description="revolute or prismatic")


class SystemFile(SystemFileTable):
    """A system file without its actuators."""

    schema_: Literal["scmanip.system/1"] = Field(alias="schema", description=f"'{SCHEMA}'")
    name: Name = "system"
    gravity_m_s2: Vector = Field(default_factory=_origin)
    base: BaseTable = Field(description="a [base] table")
    body: list[BodyTable] = Field(default_factory=list)
    frame: list[FrameTable] = Field(default_factory=list)
    arm: list[ArmTable] = Field(default_factory=list)
    spring_damper: list[SpringDamperTable] = Field(default_factory=list)
    hd_link: list[Annotated[RevoluteHdLink | PrismaticHdLink, Field(discriminator="type")]] = Field(default_factory=list)


def system_file() -> type[SystemFile]:
    """Return a whole system file with the tables of all kinds of actuators."""
    return _system_file(*actuator_kinds().values())


@cache
def _system_file(*kinds: type[Actuator]) -> type[SystemFile]:
    tables: dict[str, Any] = {}
    for kind in kinds:
        tables[kind.kind] = list[actuator_table(kind)], Field(default_factory=list)  # type: ignore[misc]
    return create_model("SystemFile", __base__=SystemFile, **tables)
