"""What compiled methods cannot see: whether the joint quaternions of a packed state are quaternions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import refuse
from ...spatial import Array
from ...system import Layout, quaternion_problems

NEARLY = 1.9e-6  # a norm off by 1e-6 has a square off by 2e-6


@dataclass(frozen=True, eq=False)
class UnitQuaternions:
    """`function` (x, inputs..., outputs...), which raises `InvalidInput` where a joint quaternion's norm is off by 1e-6."""

    function: Callable[..., Any]
    layout: Layout

    def __call__(self, x: Array, *arrays: Array) -> Any:
        if np.shape(x) == (self.layout.n_x,):  # anything else `function` refuses
            q = x[self.layout.x_q]
            for i, _ in self.layout.quaternions:
                if not abs(q[i : i + 4] @ q[i : i + 4] - 1) <= NEARLY:
                    self._refuse(q)
        return self.function(x, *arrays)

    def _refuse(self, q: Array) -> None:
        refuse(quaternion_problems("state", q, self.layout))
