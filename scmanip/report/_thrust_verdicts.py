"""What pushed and turned the base from outside, and what that came to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..simulation import History
from ._verdict import Verdict


def thrust_verdicts(history: History) -> Iterator[Verdict]:
    """Yield the largest force and torque on the base of modes that drive it, and the impulse from outside at the end."""
    if history.system.fixed or not history.mode.commands_base:
        return
    parts = (("base_force", "force on base", "N", 0), ("base_torque", "torque on base", "N m", 3))
    for name, meaning, unit, first in parts:
        size = np.linalg.norm(history.wrench[:, first : first + 3], axis=1)
        yield Verdict(name, meaning, float(size.max()), unit, where=f"t = {history.t[int(np.argmax(size))]:g} s")
    if history.mode.pushed:
        words = (("impulse", "impulse from outside", "N s", 0), ("angular_impulse", "angular impulse from outside", "N m s", 3))
        for name, meaning, unit, first in words:
            size = np.linalg.norm(history.impulse[:, first : first + 3], axis=1)
            yield Verdict(name, meaning, float(size.max()), unit, where=f"t = {history.t[int(np.argmax(size))]:g} s")
