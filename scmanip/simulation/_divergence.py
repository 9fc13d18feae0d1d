"""What to say of a run in which a speed ran away."""

from __future__ import annotations

import numpy as np

from ..system import State, System
from ._gimbals import near_lock
from ._outcome import Outcome
from ._setup import Setup
from ._verdict import Ending


def diverged(setup: Setup, last_t: float, t: float, x: State) -> Ending:
    """Return the verdict on a run with a speed beyond its bound in `x` at `t`; its last good state is that at `last_t`."""
    name, unit = _speed_name(setup.model.system, int(np.argmax(abs(x.u))))
    passed = f"{name} passed {setup.bound:.4g} {unit} at t = {t:.9g} s (last good state at t = {last_t:.9g} s)"
    advice = near_lock(setup, x) or "lower the gains, look for a sign error, or take shorter steps"
    return Ending(Outcome.DIVERGED, f"{passed}; {advice}")


def _speed_name(system: System, number: int) -> tuple[str, str]:
    """Return the name and unit of entry `number` of u."""
    layout = system.layout
    if number >= layout.joints.start:
        freedom = system.freedoms[number - layout.joints.start]
        return f"joint '{freedom.name}'", f"{freedom.unit}/s"
    return ("the base's v_0", "m/s") if number < layout.base_linear.stop else ("the base's omega_0", "rad/s")
