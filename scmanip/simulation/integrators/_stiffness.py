"""How fast the fastest motion of a loop is: explicit steps stay shorter than it, whatever the tolerances."""

from __future__ import annotations

import numpy as np

from ...spatial import Array
from ._integrator import Rate

STABLE = 3.0  # steps in fastest times from which on they are taken to be short for stability, which DOP853 loses at about 6
_SMALL = 1e-6


def stiffness_advice(rate: Rate, t: float, y: Array, step_s: float) -> str:
    """Return what to do about a loop whose latest steps are as short as stability asks for; nothing where they are shorter.

    rate : of y (n,) at `t` [s]; step_s : mean size of the latest steps, infinite where it is not known
    """
    fastest_s = fastest_time_s(rate, t, y)
    if not fastest_s or not fastest_s <= STABLE * step_s < np.inf:
        return ""
    return (
        f"the loop is stiff: its fastest time is {fastest_s:.2g} s, and explicit steps stay below a few of these; "
        'take an implicit integrator, integrator = "radau" or Radau(), let the law look at samples, or lower the gains'
    )


def fastest_time_s(rate: Rate, t: float, y: Array) -> float:
    """Return the inverse of the largest eigenvalue of a rate about a state [s]; 0 where there is none."""
    said, sizes = rate(t, y), _SMALL * np.maximum(1.0, np.abs(y))
    jacobian = np.array([(rate(t, y + size * row) - said) / size for size, row in zip(sizes, np.eye(len(y)), strict=True)])
    if not np.all(np.isfinite(jacobian)):
        return 0.0
    largest = float(np.abs(np.linalg.eigvals(jacobian)).max(initial=0.0))
    return 1.0 / largest if largest > 0.0 else 0.0
