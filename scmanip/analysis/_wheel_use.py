"""How much of what reaction wheels may give a run took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..errors import expect
from ..simulation import History
from ..spatial import Array
from ._limited import Limited
from ._peak import peak_of


@dataclass(frozen=True, eq=False)
class WheelUse(Limited):
    """One quantity of one wheel against what the system file allows.

    quantity, wheel : "speed", "torque" or "momentum"; the wheel's name
    unit : rad/s, N m or N m s
    peak, limit : largest size of the run, and what is allowed; infinite where the file does not say
    t_peak_s, t_over_s : when the peak was, and when the limit was first reached [s], where it holds the wheel; None where it
        was not
    unseen : by how much the peak is higher between the places of the run that were looked at (`unseen_peak`)
    """

    quantity: str
    wheel: str
    unit: str
    peak: float
    limit: float
    t_peak_s: float
    t_over_s: float | None
    unseen: float = 0.0


def wheel_momentum(history: History) -> Array:
    """Return the momenta (n, n_w) [N m s] of the wheels relative to the base, about their axes."""
    expect("history", history, History, "a History")
    return history.states.wheel_rad_s * np.array([wheel.inertia_kg_m2 for wheel in history.system.wheels])


def wheel_uses(history: History) -> tuple[WheelUse, ...]:
    """Return speed, torque and momentum of every wheel of the system, in this order, wheel by wheel.

    The peaks lie anywhere (`History.finely`).
    """
    expect("history", history, History, "a History")
    return tuple(_uses(history.finely))


def _uses(history: History) -> Iterator[WheelUse]:
    wheels = history.system.wheels
    if not wheels:
        return
    table = (
        ("speed", "rad/s", history.states.wheel_rad_s, [wheel.speed_rad_s for wheel in wheels]),
        ("torque", "N m", history.wheel_torque, [wheel.torque_Nm for wheel in wheels]),
        ("momentum", "N m s", wheel_momentum(history), [wheel.momentum_Nms for wheel in wheels]),
    )
    for quantity, unit, series, limits in table:
        for wheel, column, limit in zip(wheels, series.T, limits, strict=True):
            found = peak_of(history.t, column, limit)
            yield WheelUse(quantity, wheel.name, unit, found.peak, limit, *found[1:])
