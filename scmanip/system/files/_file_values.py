"""What the keys of a system file take, and tables of which others are made. Importing this file loads pydantic: do it late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat
from pydantic_core import PydanticCustomError

from ...constraints import FramePose
from ...errors import InvalidInput, Problem
from ...spatial import FloatArray, attitude_xyzw, axis_problems, coefficient_problems, positive_problems, rotation_problems
from ..parts._angles import dcm_from_rpy, dcm_from_xyzw
from ..parts._body import inertia_problems, mass_problems
from ._schema_problems import refusal, visible


def checked(problems: Callable[[str, Any], list[Problem]]) -> AfterValidator:
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
Mass = Annotated[Number, checked(mass_problems), Field(description="a number >= 0")]
Inertia = Annotated[
    list[Vector],
    BeforeValidator(_diagonal, json_schema_input_type=Vector | list[Vector]),
    checked(inertia_problems),
    Field(description="3 numbers (the diagonal) or 3 x 3 numbers, about the centre of mass"),
]
Dcm = Annotated[list[Vector], BeforeValidator(_rows), checked(rotation_problems), Field(description="3 x 3 numbers")]
Attitude = Annotated[list[Number], Field(min_length=4, max_length=4), checked(_quaternion_problems)]
Axis = Annotated[Vector, checked(axis_problems), Field(description="a unit vector of 3 numbers")]
Positive = Annotated[Number, checked(positive_problems), Field(description="a finite number > 0")]
Coefficient = Annotated[Number, checked(coefficient_problems), Field(description="a number >= 0")]


def origin() -> list[float]:
    return [0.0, 0.0, 0.0]


class SystemFileTable(BaseModel):
    """A table that takes the listed keys, of exactly the listed types, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)  # most kinds of tables no file has


class PlacementTable(SystemFileTable):
    """Where a frame sits in another one."""

    origin_m: Vector = Field(default_factory=origin)
    rpy_rad: Vector | None = None
    rpy_deg: Vector | None = None
    dcm: Dcm | None = None
    quaternion_xyzw: Attitude | None = None

    @property
    def pose(self) -> FramePose:
        """Where it is."""
        return FramePose(np.array(self.origin_m), self.rotation)

    @property
    def rotation(self) -> FloatArray:
        """The rotation (3, 3); its columns are the axes of the inner frame."""
        if self.dcm is not None:
            return np.array(self.dcm)
        if self.quaternion_xyzw is not None:
            return dcm_from_xyzw(self.quaternion_xyzw)
        return dcm_from_rpy(self.rpy_rad, self.rpy_deg)
