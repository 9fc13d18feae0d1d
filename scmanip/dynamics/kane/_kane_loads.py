"""Forces and torques on any body at any point, those of springs between two points among them [Stoneking2008]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...spatial import Array, cross, scalar_type
from ..sums._equations import Equations
from ..sums._springs import acting, pull_per_length, spring_end
from ._kane_factors import Placement


@dataclass(frozen=True, eq=False)
class AppliedWrench:
    """A wrench (6,) [f; n] in N on body number `body`; f acts at `at` (3,) [m] in N, or at the mass centre.

    >>> tables = PathTables.of(system)
    >>> push = AppliedWrench(4, np.array([0.0, 5.0, 0, 0, 0, 0]))
    >>> pushed = kane_system(tables, model.equations(state), np.zeros(4), [push])
    >>> np.round(pushed.RHS[-3:], 6).tolist()  # of v_1
    [0.0, 5.0, 0.0]
    """

    body: int
    wrench: Array
    at: Array | None = None


def applied(at: Placement, weights: Array, loads: Sequence[AppliedWrench]) -> tuple[Array, Array]:
    """T (n_b, 3) in body axes and F (n_b, 3) in N about the mass centres, of weights (n_b, 3) and of loads at any point."""
    kind = scalar_type(at.R, at.r, weights, *(load.wrench for load in loads))
    torque, force = np.zeros(weights.shape, dtype=kind), weights.astype(kind)
    for load in loads:
        k, f, n = load.body, load.wrench[:3], load.wrench[3:]
        arm = np.zeros(3) if load.at is None else load.at - at.r[k]
        torque[k] = torque[k] + at.R[k].T @ (n + cross(arm, f))
        force[k] = force[k] + f
    return torque, force


def spring_loads(at: Placement, e: Equations, omega: Array, v: Array) -> Iterator[AppliedWrench]:
    """Give the two forces of every spring between points, each at its own end.

    omega, v : (n_b, 3) angular velocities in body axes, and velocities of the mass centres in N
    """
    for spring in acting(e.parameters.springs):
        ends = [spring_end(e, spring, k) for k in (0, 1)]
        first, second = (e.position(end) for end in ends)
        d, d_dot = second - first, _velocity(at, omega, v, ends[1].body, second) - _velocity(at, omega, v, ends[0].body, first)
        pull = d * pull_per_length(spring, d, d @ d_dot)
        yield AppliedWrench(ends[0].body, np.concatenate([pull, 0 * pull]), first)
        yield AppliedWrench(ends[1].body, np.concatenate([-pull, 0 * pull]), second)


def _velocity(at: Placement, omega: Array, v: Array, k: int, x: Array) -> Array:
    """Return the velocity (3,) in N of the point of body k that is at x (3,)."""
    return v[k] + at.R[k] @ cross(omega[k], at.R[k].T @ (x - at.r[k]))
