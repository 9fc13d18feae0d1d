"""Margins of the loops of a law over configurations and numbers of the hardware."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller
from ...errors import UnknownName
from ...guidance import ReferenceMotion
from ...plant import Plant
from ...spatial import Array
from ...system import State
from ._loops import Loops
from ._roots import Roots, crossings, nearest
from ._sweep import Sweep

UNSTABLE = 1e-6  # of the fastest root, by which a root may be on the right for rounding
QUANTITIES = ("gain", "phase_deg", "modulus")


class WorstMargin(NamedTuple):
    """The smallest margin of a kind: its value, the loop, the frequency [rad/s] and the point of the grid.

    >>> worst = margins(plant, state, law, momenta="remove").worst["phase_deg"]
    >>> round(worst.value, 1), round(worst.omega_rad_s, 2), worst.at
    (51.8, 1.27, {})
    """

    value: float
    loop: str
    omega_rad_s: float
    at: dict[str, float]


@dataclass(frozen=True, eq=False)
class Margins:
    """Margins of every loop with all others closed, at the command, over a grid; arrays (*grid, loops).

    gain : the factor nearest to 1 that brings L to -1, inf where none does; phase_deg : the smallest turn that does, signed;
        modulus : the least |1 + L|, a bare number, one over the peak of the sensitivity. All three as
        python-control's `stability_margins`
    gain_rad_s, phase_rad_s, modulus_rad_s : where; NaN where there is none
    stable : (*grid,) whether the closed loop is; margins say nothing where it is not
    axes : the grid, by names of joints and numbers, in SI; loops : names of commands

    >>> found = margins(plant, state, law, momenta="remove")
    >>> found.loops[:2], found.phase_deg.round(1).tolist()[:2], bool(found.stable)
    (('tau[joint1]', 'tau[joint2]'), [51.8, 51.8], True)
    """

    gain: Array
    phase_deg: Array
    modulus: Array
    gain_rad_s: Array
    phase_rad_s: Array
    modulus_rad_s: Array
    stable: Array
    axes: dict[str, Array]
    loops: tuple[str, ...]

    def smallest(self, kind: str) -> Array:
        """Return what a map shows (*grid,): of all loops the smallest "gain" (as a factor > 1), "phase_deg" or "modulus"."""
        return np.asarray(self.sizes(kind).min(axis=-1))

    @property
    def worst(self) -> dict[str, WorstMargin]:
        """The smallest margins of each kind, where, and of which loop."""
        return {kind: self._worst(kind) for kind in QUANTITIES}

    def sizes(self, kind: str) -> Array:
        """Return margins without a sign (*grid, loops): gains as factors > 1, turns, moduli."""
        if kind not in QUANTITIES:
            raise UnknownName("margin", str(kind), "Margins", QUANTITIES)
        value = getattr(self, kind)
        return np.exp(abs(np.log(value))) if kind == "gain" else abs(value)

    def _worst(self, kind: str) -> WorstMargin:
        sizes = self.sizes(kind)
        *point, loop = np.unravel_index(int(sizes.argmin()), sizes.shape)
        place = (*point, loop)
        omega = getattr(self, f"{kind.removesuffix('_deg')}_rad_s")[place]
        at = {name: float(values[k]) for (name, values), k in zip(self.axes.items(), point, strict=True)}
        return WorstMargin(float(getattr(self, kind)[place]), self.loops[int(loop)], float(omega), at)


def margins(
    plant: Plant,
    state: State,
    controller: Controller,
    *,
    grid: Mapping[str, ArrayLike] | None = None,
    command: ArrayLike | None = None,
    reference: ReferenceMotion | None = None,
    momenta: str = "keep",
    t: float = 0.0,
    delay_s: float = 0.0,
    threads: int = 1,
) -> Margins:
    """Return gain, phase and modulus margins of every loop of a law, one open at a time and the others closed, over a grid.

    Every loop is opened where its command goes into the plant, and L is the gain around it with the sign of negative feedback.
    At every point of the grid the plant and the law are linear about `state` with the joints there.

    grid : values (n,), in SI, by names of joint coordinates and of open numbers of the plant's model, such as
        "body.payload.mass_kg"
    command : beside what the law says, as of `linearise`; none unless said
    reference : what the law follows; None is the joints of each point, at rest
    delay_s : by which commands of a `Sampled` law are late [s]; its loops are those from sample to sample
    threads : how many work at once
    plant, state, controller, momenta, t : as of `linearise`; "remove" takes every point for one that stays at rest

    Raises `InvalidInput` for thrusters that push, whose sets differ, and for constraints, else as `linearise`.

    >>> found = margins(plant, state, law, grid={"joint2": [0.0, 1.0]}, momenta="remove")
    >>> found.gain.shape, found.stable.tolist()
    ((2, 4), [True, True])
    """
    sweep = Sweep.of(plant, state, controller, grid, command, reference, momenta, t, delay_s)
    gain, phase, modulus, *places, stable = sweep.over(lambda loops: _margins(loops, sweep.rate_Hz), threads)
    at_gain, at_phase, at_modulus = places
    return Margins(gain, phase, modulus, at_gain, at_phase, at_modulus, stable, sweep.grid.axes, sweep.loops)


def _margins(loops: Loops, rate_Hz: float | None) -> tuple[Array, ...]:
    """Return the arrays of `Margins` (n, k) and whether the loops are stable (n,)."""
    closed = np.linalg.eigvals(loops.closed())
    roots = Roots(closed, np.linalg.eigvals(loops.opened()), None if rate_Hz is None else 1 / rate_Hz)
    case, loop = roots.loops
    L = roots.at(case, loop, roots.grid)
    gain, phase = np.full(len(case), np.inf), np.full(len(case), np.inf)
    at_gain, at_phase = np.full(len(case), np.nan), np.full(len(case), np.nan)
    row, omega, there = crossings(roots, L, lambda L: L.imag, lambda L: L.real < 0)
    _keep_least(gain, at_gain, row, 1 / abs(there), abs(np.log(abs(there))), omega)
    for omega_rad_s, value in roots.real:
        row = np.flatnonzero(value < 0)
        row = row[abs(np.log(-value[row])) < abs(np.log(gain[row]))]
        gain[row], at_gain[row] = -1 / value[row], omega_rad_s
    row, omega, there = crossings(roots, L, lambda L: abs(L) - 1, lambda L: np.ones(L.shape, dtype=bool))
    turn = np.remainder(np.degrees(np.angle(there)), 360.0) - 180.0
    _keep_least(phase, at_phase, row, turn, abs(turn), omega)
    modulus, at_modulus = nearest(roots, L)
    shape = roots.opened.shape[:2]
    every = (gain, phase, modulus, at_gain, at_phase, at_modulus)
    outside = closed.real if rate_Hz is None else abs(closed) - 1
    stable = outside.max(axis=1) <= UNSTABLE * abs(closed).max(axis=1)
    return *(part.reshape(shape) for part in every), stable


def _keep_least(best: Array, at: Array, row: Array, value: Array, sizes: Array, omega: Array) -> None:
    """Keep per row the value of least size, and where it is."""
    order = np.argsort(-sizes, kind="stable")
    best[row[order]], at[row[order]] = value[order], omega[order]
