"""Constraints that begin to hold at once: plastic, bilateral, over any scalar."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...spatial import Array, Cholesky, transpose


class Jump(NamedTuple):
    """What happens in no time.

    u : (n,) speeds after; impulses : (m,) Lambda of the rows, as constraint forces; energy_lost : [J]
    """

    u: Array
    impulses: Array
    energy_lost: Any


def imposed(M: Array, A: Array, speed: Array, u: Array) -> Jump:
    """Return what comes of speeds u (n,), in SI, when A u + speed = 0 begins to hold and nothing springs back.

    M (u+ - u-) = A' Lambda: u+ is the admissible motion nearest to u- in the metric M [Moreau1988]. The energy T+ - T- is
    1/2 Lambda' A (u+ + u-), which with speed = 0 is never positive.

    M : (n, n) with all that a motor cannot hold in no time turning freely; A : (m, n) independent rows; speed : (m,)

    >>> jump = imposed(np.diag([2.0, 1.0]), np.array([[1.0, -1.0]]), np.zeros(1), np.array([3.0, 0.0]))
    >>> jump.u.tolist(), jump.impulses.tolist(), float(jump.energy_lost)
    ([2.0, 2.0], [-2.0], 3.0)
    """
    if not len(A):
        return Jump(u, np.zeros(0), 0.0)
    yielded = Cholesky.of(M).solve(transpose(A))
    impulses = -Cholesky.of(A @ yielded).solve(A @ u + speed)
    after = u + yielded @ impulses
    return Jump(after, impulses, -(impulses @ (A @ (after + u))) / 2)


def struck_inertia(M: Array, base_angular: slice, R_0: Array, loose: Array) -> Array:
    """Return the inertia (n, n) that an impulse meets: M less what turns on freely in the base.

    About the axis of a wheel an impulse J changes the base's rate by J/(I - I_w), the wheel's relative speed by the opposite.

    M : (n, n) with turners at rest relative to the base; R_0 : (3, 3) from base axes to N; loose : (3, 3) in base axes
    """
    struck = np.array(M)
    struck[base_angular, base_angular] = struck[base_angular, base_angular] - R_0 @ loose @ transpose(R_0)
    return struck
