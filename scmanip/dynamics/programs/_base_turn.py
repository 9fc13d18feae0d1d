"""From base axes to N and back: nothing but the base's attitude stands between them."""

from __future__ import annotations

import numpy as np

from ...spatial import Array, dcm_from_quaternion, quaternion_product, transpose

PLACES = ("position", "transforms.p", "transforms.r", "link_transforms.p", "link_transforms.r")  # what moves with the base


class BaseTurn:
    """The base's place and attitude, between base axes and N.

    r_0 : (3,); attitude : (4,) x, y, z, w
    """

    def __init__(self, r_0: Array, attitude: Array) -> None:
        self.r_0, self.attitude = r_0, attitude
        self.R = dcm_from_quaternion(attitude)

    def inward(self, v: Array) -> Array:
        """Return a vector (3,) of N in base axes."""
        return transpose(self.R) @ v

    def outward(self, name: str, array: Array, axes: tuple[int, ...]) -> Array:
        """Return a quantity of base axes in N."""
        if name == "attitude":
            return quaternion_product(self.attitude, array)
        turned = self.turned(array, axes, inward=False)
        return self.r_0 + turned if name in PLACES else turned

    def turned(self, array: Array, axes: tuple[int, ...], *, inward: bool) -> Array:
        """Turn the first three or six entries along every axis in `axes`: one vector or two."""
        R = transpose(self.R) if inward else self.R
        for axis in axes:
            rows = np.moveaxis(array, axis, 0)
            vectors = [rows[:3]] if len(rows) == 3 else [rows[:3], rows[3:6]]
            turned = [np.tensordot(R, v, axes=1) for v in vectors]
            array = np.moveaxis(np.concatenate([*turned, rows[3 * len(vectors) :]]), 0, axis)
        return array
