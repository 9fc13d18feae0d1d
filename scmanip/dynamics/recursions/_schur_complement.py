"""H as a person writes it; as the power of twists on momenta it takes fewer operations, and longer formulas."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...spatial import Array
from ._link_equations import LinkEquations


class SchurComplement:
    """H of an arm from what it is on a base that moves and does not turn."""

    def __init__(self, recursion: LinkEquations) -> None:
        self._recursion = recursion

    @cached_property
    def H(self) -> Array:
        """(N, N) H = (Hm - P' P / m_tot) - L' S_U^-1 L about the system CoM [Wilde2018] eqs 45, 53."""
        if self._recursion.parameters.fixed:
            return self._recursion.H
        arm = self._recursion.arm
        H, scaled = arm.unturned, arm.Y * arm.factor.D_inverse[:, None]
        rows = [[H[i, j] - arm.Y[:, min(i, j)] @ scaled[:, max(i, j)] for j in range(len(H))] for i in range(len(H))]
        return np.array(rows).reshape(H.shape)
