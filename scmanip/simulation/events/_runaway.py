"""How fast is too fast."""

from __future__ import annotations

import numpy as np

from ...system import State

RUNAWAY = 2000.0  # times the fastest initial speed, or rad/s (m/s)


def runaway(state0: State) -> float:
    """Return the speed from which on a run from `state0` has diverged."""
    return RUNAWAY * max(1.0, *map(abs, state0.u.tolist()))


def fastest(state: State) -> float:
    """Return the largest of all speeds, NaN where one of them is no number."""
    return float(np.abs(state.u).max(initial=0.0))
