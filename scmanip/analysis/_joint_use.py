"""How much of what joints and their motors may give a run took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ..errors import expect
from ..simulation import History
from ._joint_power import joint_power
from ._limited import Limited
from ._peak import peak_of

_NONE: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class JointUse(Limited):
    """One quantity of one freedom against what its motor allows, or of its power against what is asked for.

    quantity, joint : "torque", "rate" or "power"; the freedom's name
    unit : N m or N, rad/s or m/s, W
    peak, limit : largest size of the run, and what is allowed; infinite where nothing is said
    t_peak_s, t_over_s : when the peak was, and when the limit was first reached [s], None where it was not
    unseen : by how much the peak is higher between the places of the run that were looked at (`unseen_peak`)
    """

    quantity: str
    joint: str
    unit: str
    peak: float
    limit: float
    t_peak_s: float
    t_over_s: float | None
    unseen: float = 0.0


def joint_uses(history: History, power_W: Mapping[str, float] = _NONE) -> tuple[JointUse, ...]:
    """Return torque, rate and power of every freedom of the system, in this order, freedom by freedom.

    The peaks lie anywhere (`History.finely`). Limits of torque and rate are those of the motors; power_W : limits by name of
    the freedom.
    """
    expect("history", history, History, "a History")
    expect("power_W", power_W, Mapping, "a table of joint and largest power")
    return tuple(_uses(history.finely, power_W))


def _uses(history: History, power_W: Mapping[str, float]) -> Iterator[JointUse]:
    freedoms, drives = history.system.freedoms, history.system.drive_of
    table = (
        ("torque", history.tau, ("N m", "N"), [np.inf if drive is None else drive.torque_limit for drive in drives]),
        ("rate", history.qdot, ("rad/s", "m/s"), [np.inf if drive is None else drive.rate_limit for drive in drives]),
        ("power", joint_power(history), ("W", "W"), [power_W.get(freedom.name, np.inf) for freedom in freedoms]),
    )
    for quantity, series, units, limits in table:
        for freedom, column, limit in zip(freedoms, series.T, limits, strict=True):
            found = peak_of(history.t, column, limit)
            unit = units[0] if freedom.turns else units[1]
            yield JointUse(quantity, freedom.name, unit, found.peak, limit, *found[1:])
