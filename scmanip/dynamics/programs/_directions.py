"""Directions in what programs take, along which their outputs are differentiated.

A change of the base's own centre of mass is another state of the same motion: r_0, v_0, the base's acceleration and the
wrench on it belong to the point of the base where the system says that its centre of mass is, which stays while the number
changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem
from ...spatial import Array, cross, dcm_from_quaternion, quaternion_rate, skew
from ...symbolic import Program
from ...system import Layout, coordinate_rates

ABOUT_COM = {  # per axis of an output: forces on the base, motions of it, accelerations of it, a place from its CoM
    "H0": "ff",
    "H0m": "f ",
    "M": "ff",
    "H0_inverse": "mm",
    "J0": " f",
    "r_0C": "p",
    "dH0_dq": "ff ",
    "dH0m_dq": "f  ",
    "forward_dynamics": "a",
    "inverse_dynamics.wrench": "f",
    "floating_inverse_dynamics.base_acceleration": "a",
}
NOT_ABOUT_COM = {"momentum.L_0", "H0_dot", "H0m_dot", "regressor", "momentum_regressor"}
NOT_ABOUT_COM |= {"inverse_dynamics_derivatives", "forward_dynamics_derivatives"}


@dataclass(frozen=True, eq=False)
class Direction:
    """Rates of inputs of a program, by name; those that are not named are held.

    com : (3,) rate of the base's centre of mass in its axes, None where it stays
    """

    rates: Mapping[str, Array]
    com: Array | None = None


def of_number(path: str, shape: tuple[int, ...], com: str) -> list[Direction]:
    """Return the directions of the entries of a number, in C order; com : what the base's own centre of mass is called."""
    size, found = int(np.prod(shape)), []
    for k, unit in enumerate(np.eye(size, dtype=int)):
        way = None
        if path == com:
            way = unit
        elif path.startswith(f"{com}["):
            way = np.eye(3, dtype=int)[int(path[len(com) + 1 : -1])]
        elif path == "inertia" and 1 <= k <= 3:
            way = np.eye(3, dtype=int)[k - 1]
        found.append(Direction({path: unit.reshape(shape)}, way))
    return found


def of_state(layout: Layout, name: str, x: Array) -> list[Direction]:
    """Return those along joint freedoms "q", speeds, place "r_0" or small turns "attitude" of the base, at x (n_x,)."""
    units: Sequence[Array]
    if name == "q":
        at, units = layout.x_q, [coordinate_rates(layout, x[layout.x_q], unit) for unit in np.eye(layout.N, dtype=int)]
    elif name == "attitude":
        at, units = layout.x_attitude, [quaternion_rate(x[layout.x_attitude], axis) for axis in np.eye(3, dtype=int)]
    else:
        at = _entries(layout)[name]
        units = list(np.eye(at.stop - at.start, dtype=int))
    return [Direction({"x": _filled(layout.n_x, at, unit)}) for unit in units]


def state_names(layout: Layout) -> tuple[str, ...]:
    """Return the names of what of a state there are derivatives by."""
    return ("q", "qdot", "u") if layout.fixed else ("q", "qdot", "u", "r_0", "attitude", "v_0", "omega_0")


def _entries(layout: Layout) -> dict[str, slice]:
    first = layout.x_u.start
    own = {"u": layout.x_u, "qdot": slice(first + layout.n_base, layout.x_u.stop)}
    return own | {"r_0": layout.x_r_0, "v_0": slice(first, first + 3), "omega_0": slice(first + 3, first + 6)}


def _filled(size: int, at: slice, values: Array) -> Array:
    row = np.zeros(size, dtype=np.asarray(values).dtype)
    row[at] = values
    return row


def moved_along(
    layout: Layout, program: Program, given: Mapping[str, Array], directions: Sequence[Direction]
) -> list[list[Array]]:
    """Return per direction how the outputs of a program of x and other inputs, over any scalar, change along it."""
    arrays = {i.name: np.asarray(given[i.name]) for i in program.inputs}
    movings = [None if d.com is None or layout.fixed else _Moving.of(layout, arrays["x"], d.com) for d in directions]
    each = []
    for direction, moving in zip(directions, movings, strict=True):
        rates: dict[str, Array] = {name: np.zeros(array.shape) for name, array in arrays.items()}
        rates |= direction.rates
        if moving is not None:
            rates |= {"x": moving.state(layout, rates["x"]), **moving.inputs(arrays)}
        each.append([rates[name] for name in arrays])
    values, found = program.moved_each(list(arrays.values()), each)
    names = [output.name for output in program.outputs]
    return [
        rows if moving is None else [moving.seen(*known) for known in zip(names, values, rows, strict=True)]
        for moving, rows in zip(movings, found, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _Moving:
    """The base's centre of mass on its way.

    d : (3,) its rate, in N; omega : (3,) of the base
    """

    d: Array
    omega: Array

    @classmethod
    def of(cls, layout: Layout, x: Array, com: Array) -> _Moving:
        return cls(dcm_from_quaternion(x[layout.x_attitude]) @ com, x[layout.x_u][3:6])

    @property
    def _drift(self) -> Array:
        return cross(self.omega, cross(self.omega, self.d))

    def state(self, layout: Layout, rate: Array) -> Array:
        rate = np.array(rate, dtype=object)
        rate[layout.x_r_0] = rate[layout.x_r_0] + self.d
        first = layout.x_u.start
        rate[first : first + 3] = rate[first : first + 3] + cross(self.omega, self.d)
        return rate

    def inputs(self, arrays: Mapping[str, Array]) -> dict[str, Array]:
        found: dict[str, Any] = {}
        if "udot" in arrays:
            udot = arrays["udot"]
            found["udot"] = np.concatenate([cross(udot[3:6], self.d) + self._drift, np.zeros(len(udot) - 3, dtype=int)])
        if "wrench" in arrays:
            found["wrench"] = np.concatenate([np.zeros(3, dtype=int), cross(arrays["wrench"][:3], self.d)])
        return found

    def seen(self, name: str, value: Array, rate: Array) -> Array:
        """Return how an output changes when it is told about the point that stays."""
        head = name.partition(":")[0].partition("@")[0]
        if {head, head.partition(".")[0]} & NOT_ABOUT_COM:
            hint = "the other quantities have it, momentum.P and momentum.L_C among them"
            raise InvalidInput(Problem("derivative", "a quantity that goes by the base's own centre of mass", name, hint=hint))
        for axis, kind in enumerate(ABOUT_COM.get(head, "")):
            rows = np.moveaxis(np.array(value, dtype=object), axis, 0)
            change = np.moveaxis(np.array(rate, dtype=object), axis, 0)
            if kind == "f":
                change[3:6] = change[3:6] + np.tensordot(skew(self.d), rows[:3], axes=1)
            elif kind in "ma":
                change[:3] = change[:3] + np.tensordot(skew(self.d), rows[3:6], axes=1)
            if kind == "a":
                change[:3] = change[:3] - self._drift
            elif kind == "p":
                change[:3] = change[:3] + self.d
            rate = np.moveaxis(change, 0, axis)
        return rate
