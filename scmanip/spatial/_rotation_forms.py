"""Two ways to carry a rotation along a chain: direction-cosine matrices, or unit quaternions [Wilde2018] eqs 18-25."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from ._rotation import (
    dcm_from_axis_angle,
    dcm_from_quaternion,
    quaternion_from_axis_angle,
    quaternion_from_dcm,
    quaternion_product,
    rotate_by_quaternion,
)
from ._types import Array


class RotationForm(ABC):
    """How rotations are stored and multiplied while a kinematic chain is walked.

    They take components in turned axes to components in those before, throughout.

    >>> about, v = np.array([0, 0, 1.0]), np.array([1.0, 0, 0])
    >>> [form.rotate(form.from_axis_angle(about, 0.3), v).round(6).tolist() for form in (DCM(), Quaternion())]
    [[0.955336, 0.29552, 0.0], [0.955336, 0.29552, 0.0]]
    """

    @abstractmethod
    def from_quaternion(self, q: Array) -> Array:
        """Return the rotation of the unit quaternion q (4,) in order x, y, z, w."""

    @abstractmethod
    def from_matrix(self, R: Array) -> Array:
        """Return the rotation of a constant matrix (3, 3) of floats."""

    @abstractmethod
    def from_axis_angle(self, axis: Array, angle: Any) -> Array:
        """Return the rotation by `angle` [rad] about the unit vector `axis` (3,)."""

    @abstractmethod
    def compose(self, first: Array, second: Array) -> Array:
        """Return the rotation R1 R2, (3, 3) or a quaternion (4,)."""

    @abstractmethod
    def rotate(self, rotation: Array, v: Array) -> Array:
        """Return R v of a vector (3,) in any unit, from turned axes to those before."""

    @abstractmethod
    def matrix(self, rotation: Array) -> Array:
        """Return the rotation as a matrix (3, 3)."""


@dataclass(frozen=True)
class DCM(RotationForm):
    """Rotations as (3, 3) matrices [Wilde2018] eqs 1-10.

    >>> form = DCM()
    >>> form.matrix(form.from_axis_angle(np.array([0, 0, 1.0]), np.pi)).round(6).diagonal().tolist()
    [-1.0, -1.0, 1.0]
    """

    def from_quaternion(self, q: Array) -> Array:
        return dcm_from_quaternion(q)

    def from_matrix(self, R: Array) -> Array:
        return R

    def from_axis_angle(self, axis: Array, angle: Any) -> Array:
        return dcm_from_axis_angle(axis, angle)

    def compose(self, first: Array, second: Array) -> Array:
        return first @ second

    def rotate(self, rotation: Array, v: Array) -> Array:
        return rotation @ v

    def matrix(self, rotation: Array) -> Array:
        return rotation


@dataclass(frozen=True)
class Quaternion(RotationForm):
    """Rotations as unit quaternions x, y, z, w [Wilde2018] eqs 18-25.

    >>> form = Quaternion()
    >>> half = form.from_axis_angle(np.array([0, 0, 1.0]), np.pi / 2)
    >>> form.rotate(form.compose(half, half), np.array([1.0, 0, 0])).round(6).tolist()
    [-1.0, 0.0, 0.0]
    """

    def from_quaternion(self, q: Array) -> Array:
        return q

    def from_matrix(self, R: Array) -> Array:
        return quaternion_from_dcm(R)

    def from_axis_angle(self, axis: Array, angle: Any) -> Array:
        return quaternion_from_axis_angle(axis, angle)

    def compose(self, first: Array, second: Array) -> Array:
        return quaternion_product(first, second)

    def rotate(self, rotation: Array, v: Array) -> Array:
        return rotate_by_quaternion(rotation, v)

    def matrix(self, rotation: Array) -> Array:
        return dcm_from_quaternion(rotation)
