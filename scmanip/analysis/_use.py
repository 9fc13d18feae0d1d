"""How much of what base, joints and turners may do a run took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from ..actuators import Turner, TurnerChannels, Wheel
from ..errors import InvalidInput, Problem, UnknownName, checked, expect
from ..simulation import History
from ..spatial import Array, is_number
from ._peak import unseen_peak

_AT_LIMIT = 1 - 1e-9  # of a limit: what is held there counts as over
_NONE: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Use:
    """The largest size of one quantity of a joint's freedom, a turner or the base against what is allowed.

    quantity, name : such as "torque" or "momentum"; of the freedom, the turner or the base
    unit : SI
    peak, limit : largest size of the run, the first that is no number, if any; what is allowed, infinite where nothing is
        said; both in that unit
    t_peak_s, t_over_s : when the peak was, and when the limit was first reached [s], None where it was not
    unseen : by how much, in that unit, the peak is higher between the places of the run that were looked at (`unseen_peak`)

    >>> torque = joint_uses(history)[0]
    >>> torque.quantity, torque.name, torque.unit, round(torque.peak, 3), torque.limit
    ('torque', 'joint1', 'N m', 0.358, inf)
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
        """The share of the limit that was used; 0 where there is none, NaN where the peak is no number."""
        return self.peak / self.limit

    @property
    def margin(self) -> float:
        """What is left of the limit, in its unit; negative beyond it."""
        return self.limit - self.peak


def joint_power(history: History) -> Array:
    """Return the power (n, N) [W] of the actuators of the joints, negative where they brake: by definition tau qdot.

    Raises `InvalidInput` for what is no `History`.

    >>> joint_power(history).shape, bool(joint_power(history)[1, 0] > 0.0)
    ((5, 4), True)
    """
    expect("history", history, History, "a History")
    with np.errstate(invalid="ignore", over="ignore"):  # of a run that blew up
        return history.tau * history.qdot


@checked
def stored_by(history: History, kind: type[Turner]) -> Array:
    """Return what each turner of a kind stores (n, n_k) [N m s], as `Turner.stored` counts it.

    Raises `InvalidInput` for what is no `History`.

    >>> from scmanip.actuators import Wheel
    >>> stored_by(history, Wheel).shape
    (5, 0)
    """
    expect("history", history, History, "a History")
    turners = history.system.turners
    rows = turners.stored(history.states.x[:, history.system.layout.x_actuators])
    return dict(zip(turners.kinds, turners.by_kind(rows), strict=True)).get(kind, rows[:, :0])


def joint_uses(history: History, power_W: Mapping[str, float] = _NONE) -> tuple[Use, ...]:
    """Return torque, rate and power of every freedom that the base carries, in this order, freedom by freedom.

    The peaks lie anywhere (`History.finely`). Limits of torque and rate are those of the motors.

    power_W : limits [W] by name of the freedom

    Raises `InvalidInput` for what is no `History`, what is no table and a limit that is no number, `UnknownName` for a limit of
    what is no freedom that the base carries.

    >>> [(use.quantity, use.name) for use in joint_uses(history)][:3]
    [('torque', 'joint1'), ('torque', 'joint2'), ('torque', 'joint3')]
    """
    expect("history", history, History, "a History")
    expect("power_W", power_W, Mapping, "a table of joint and largest power")
    known = [freedom.name for freedom in history.system.freedoms[: history.system.layout.N_tree]]
    for name in power_W:
        if name not in known:
            raise UnknownName("freedom", str(name), f"system '{history.system.name}'", known)
    return tuple(_of_joints(history.finely, power_W))


@checked
def turner_uses(history: History, kind: type[Turner]) -> tuple[Use, ...]:
    """Return states, torques and momentum of every turner of a kind, such as `Wheel`, in this order, turner by turner.

    The peaks lie anywhere (`History.finely`).

    Raises `InvalidInput` for what is no `History`.

    >>> from scmanip.actuators import Wheel
    >>> turner_uses(history, Wheel)
    ()
    """
    expect("history", history, History, "a History")
    return tuple(_of_turners(history.finely, kind)) if history.system.turners.kinds.get(kind) else ()


def wheel_uses(history: History) -> tuple[Use, ...]:
    """Return `turner_uses` of the reaction wheels: speed, torque and momentum.

    >>> wheel_uses(history)
    ()
    """
    return turner_uses(history, Wheel)


def wheel_momentum(history: History) -> Array:
    """Return what each reaction wheel stores (n, n_w) [N m s] relative to the base, about its axis.

    >>> wheel_momentum(history).shape
    (5, 0)
    """
    return stored_by(history, Wheel)


def _of_joints(history: History, power_W: Mapping[str, float]) -> Iterator[Use]:
    n = history.system.layout.N_tree  # the others have no drives
    freedoms, drives = history.system.freedoms[:n], history.system.drive_of[:n]
    table = (
        ("torque", history.tau, ("N m", "N"), [np.inf if drive is None else drive.torque_limit for drive in drives]),
        ("rate", history.qdot, ("rad/s", "m/s"), [np.inf if drive is None else drive.rate_limit for drive in drives]),
        ("power", joint_power(history), ("W", "W"), [power_W.get(freedom.name, np.inf) for freedom in freedoms]),
    )
    for quantity, series, units, limits in table:
        for freedom, column, limit in zip(freedoms, series.T[:n], limits, strict=True):
            unit = units[0] if freedom.turns else units[1]
            yield Use.of(quantity, freedom.name, unit, history.t, column, limit)


def _of_turners(history: History, kind: type[Turner]) -> Iterator[Use]:
    its, channels = history.system.offering(kind), TurnerChannels.of(kind)
    columns = [(channel.name, str(channel.unit)) for channel in (*channels.states, *channels.efforts)]
    table = [(getattr(history, name), unit) for name, unit in columns] + [(stored_by(history, kind), "N m s")]
    limits = np.array([(*one.said_states, *one.largest_efforts, one.largest_momentum) for one in its]).T
    quantities = (*(entry.name for entry in kind.states), *channels.torques, "momentum")
    for quantity, (series, unit), most in zip(quantities, table, limits, strict=True):
        for one, column, limit in zip(its, series.T, most, strict=True):
            yield Use.of(quantity, one.called, unit, history.t, column, float(limit))
