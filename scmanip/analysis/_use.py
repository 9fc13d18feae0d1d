"""How much of what base, joints and wheels may do a run took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from ..errors import InvalidInput, Problem, expect
from ..simulation import History
from ..spatial import Array, is_number
from ._peak import unseen_peak

_AT_LIMIT = 1 - 1e-9  # of a limit: what is held there counts as over
_NONE: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Use:
    """The largest size of one quantity of a joint's freedom, a wheel or the base against what is allowed.

    quantity, name : such as "torque" or "momentum"; of the freedom, the wheel or the base
    unit : SI
    peak, limit : largest size of the run, the first that is no number, if any; what is allowed, infinite where nothing is said
    t_peak_s, t_over_s : when the peak was, and when the limit was first reached [s], None where it was not
    unseen : by how much the peak is higher between the places of the run that were looked at (`unseen_peak`)
    """

    quantity: str
    name: str
    unit: str
    peak: float
    limit: float
    t_peak_s: float
    t_over_s: float | None
    unseen: float

    @classmethod
    def of(cls, quantity: str, name: str, unit: str, t: Array, series: Array, limit: Any) -> Use:
        """Return the use of a series (n,) over t (n,) [s]; raises `InvalidInput` for a limit that is no number."""
        if not isinstance(limit, float | np.floating) and not is_number(limit):
            raise InvalidInput(Problem("limit", "a number", repr(limit)))
        sizes = np.abs(series)
        at, over = int(np.argmax(sizes)), np.flatnonzero(sizes > limit * _AT_LIMIT)
        t_over_s = float(t[over[0]]) if over.size else None
        return cls(quantity, name, unit, float(sizes[at]), limit, float(t[at]), t_over_s, unseen_peak(t, sizes))

    @property
    def used(self) -> float:
        """Share of the limit that was used; 0 where there is none, NaN where the peak is no number."""
        return self.peak / self.limit

    @property
    def margin(self) -> float:
        """What is left of the limit; negative beyond it."""
        return self.limit - self.peak


def joint_power(history: History) -> Array:
    """Return the power (n, N) [W] of the actuators of the joints, negative where they brake."""
    expect("history", history, History, "a History")
    with np.errstate(invalid="ignore", over="ignore"):  # of a run that blew up
        return history.tau * history.qdot


def wheel_momentum(history: History) -> Array:
    """Return the momenta (n, n_w) [N m s] of the wheels relative to the base, about their axes."""
    expect("history", history, History, "a History")
    return history.states.wheel_rad_s * np.array([wheel.inertia_kg_m2 for wheel in history.system.wheels])


def joint_uses(history: History, power_W: Mapping[str, float] = _NONE) -> tuple[Use, ...]:
    """Return torque, rate and power of every freedom of the system, in this order, freedom by freedom.

    The peaks lie anywhere (`History.finely`). Limits of torque and rate are those of the motors; power_W : limits by name of
    the freedom.
    """
    expect("history", history, History, "a History")
    expect("power_W", power_W, Mapping, "a table of joint and largest power")
    return tuple(_of_joints(history.finely, power_W))


def wheel_uses(history: History) -> tuple[Use, ...]:
    """Return speed, torque and momentum of every wheel of the system, in this order, wheel by wheel.

    The peaks lie anywhere (`History.finely`).
    """
    expect("history", history, History, "a History")
    return tuple(_of_wheels(history.finely)) if history.system.wheels else ()


def _of_joints(history: History, power_W: Mapping[str, float]) -> Iterator[Use]:
    freedoms, drives = history.system.freedoms, history.system.drive_of
    table = (
        ("torque", history.tau, ("N m", "N"), [np.inf if drive is None else drive.torque_limit for drive in drives]),
        ("rate", history.qdot, ("rad/s", "m/s"), [np.inf if drive is None else drive.rate_limit for drive in drives]),
        ("power", joint_power(history), ("W", "W"), [power_W.get(freedom.name, np.inf) for freedom in freedoms]),
    )
    for quantity, series, units, limits in table:
        for freedom, column, limit in zip(freedoms, series.T, limits, strict=True):
            unit = units[0] if freedom.turns else units[1]
            yield Use.of(quantity, freedom.name, unit, history.t, column, limit)


def _of_wheels(history: History) -> Iterator[Use]:
    wheels = history.system.wheels
    table = (
        ("speed", "rad/s", history.states.wheel_rad_s, [wheel.speed_rad_s for wheel in wheels]),
        ("torque", "N m", history.wheel_torque, [wheel.torque_Nm for wheel in wheels]),
        ("momentum", "N m s", wheel_momentum(history), [wheel.momentum_Nms for wheel in wheels]),
    )
    for quantity, unit, series, limits in table:
        for wheel, column, limit in zip(wheels, series.T, limits, strict=True):
            yield Use.of(quantity, wheel.name, unit, history.t, column, limit)
