"""What pushed and turned the base from outside, and what that came to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...analysis import unseen_peak
from ...simulation import History
from ...spatial import Array
from ._limits import Limits
from ._verdict import Verdict


def thrust_verdicts(history: History, limits: Limits) -> Iterator[Verdict]:
    """Yield the largest force and torque on the base of modes that drive it, the impulses from outside, and the propellant."""
    if history.system.fixed or not history.mode.commands_base:
        return
    history = history.finely
    f, n = slice(0, 3), slice(3, 6)
    yield _largest(history, "base_force", "force on base", "N", history.wrench[:, f], limits.base_force_N)
    yield _largest(history, "base_torque", "torque on base", "N m", history.wrench[:, n], limits.base_torque_Nm)
    if not history.mode.pushed:
        return
    words = "impulse from outside"
    yield _largest(history, "impulse", words, "N s", history.impulse[:, f], limits.impulse_Ns)
    given = history.impulse[:, n], limits.angular_impulse_Nms
    yield _largest(history, "angular_impulse", f"angular {words}", "N m s", *given)
    if history.system.pushers:
        burnt, t_end = float(history.propellant_kg[-1]), f"t = {history.t[-1]:g} s"
        limit = limits.propellant_kg
        where = t_end if limit is None else f"{100 * burnt / limit:.3g} % at {t_end}"
        yield Verdict("propellant", "propellant", burnt, "kg", limit, where)


def _largest(history: History, name: str, meaning: str, unit: str, rows: Array, limit: float | None) -> Verdict:
    size = np.linalg.norm(rows, axis=1)
    where = f"t = {history.t[int(np.argmax(size))]:g} s"
    return Verdict(name, meaning, float(size.max()), unit, limit, where, unseen=unseen_peak(history.t, size))
