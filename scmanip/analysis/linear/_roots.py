"""Margins of many loops at once, from the roots of what opens and closes them.

With one loop open and all others closed, 1 + L(s) = det(s - A_closed) / det(s - A_open): a product over roots, which is as
good where they come together as where they are apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...spatial import Array

POINTS = 96  # frequencies between the slowest and the fastest root, in addition to the roots' own
BEYOND = 30.0  # times these, where it is looked at too
BESIDE = 0.98, 1.0001, 1.02  # times a root's frequency: L may have no value at it
ROUNDS = 16  # in which places between neighbouring frequencies come to rounding
GOLDEN = (np.sqrt(5) - 1) / 2
NONE = 1e-6  # of the fastest root: that of a slower one, of which several may be at 0, is 0
SMALL = 1e-9  # of the fastest root: slower ones are at 0


@dataclass(frozen=True, eq=False)
class Roots:
    """Loops with eigenvalues `closed` (n, m) of all loops closed, and `opened` (n, k, m) of each open in turn.

    period_s : of samples, at which the eigenvalues are those from one to the next; None in continuous time
    """

    closed: Array
    opened: Array
    period_s: float | None = None

    def at(self, case: NDArray[np.intp], loop: NDArray[np.intp], omega: Array) -> Array:
        """Return L(j omega) of some loops of some cases, (j,) each, at frequencies (j,) or (j, f)."""
        s = 1j * (omega[:, None] if omega.ndim == 1 else omega)
        s = s if self.period_s is None else np.exp(s * self.period_s)
        value = np.ones(s.shape, dtype=complex)
        for p, z in zip(self.closed.T, np.moveaxis(self.opened, 2, 0), strict=True):
            value *= (s - p[case][:, None]) / (s - z[case, loop][:, None])
        value -= 1
        return value[:, 0] if omega.ndim == 1 else value

    @property
    def last(self) -> float:
        """The last frequency that counts [rad/s]: half of the samples'."""
        return np.inf if self.period_s is None else np.pi / self.period_s

    @property
    def real(self) -> list[tuple[float, Array]]:
        """Frequencies at which L is real whatever the loop, and L there (n k,)."""
        static = [(0.0, self.static)]
        if self.period_s is None:
            return static
        case, loop = self.loops
        return [*static, (self.last, self.at(case, loop, np.full(len(case), self.last)).real)]

    @property
    def static(self) -> Array:
        """(n k,) L(0), where as many roots at 0 are closed as opened; NaN elsewhere."""
        n, k, m = self.opened.shape
        origin = 0.0 if self.period_s is None else 1.0
        closed = np.broadcast_to(self.closed[:, None], (n, k, m)).reshape(-1, m) - origin
        opened = self.opened.reshape(-1, m) - origin
        slow = NONE * np.maximum(abs(closed).max(axis=1), abs(opened).max(axis=1))[:, None]
        at_0, of_0 = abs(closed) <= slow, abs(opened) <= slow
        L = (np.where(at_0, 1.0, closed).prod(axis=1) / np.where(of_0, 1.0, opened).prod(axis=1)).real - 1
        return np.where(at_0.sum(axis=1) == of_0.sum(axis=1), L, np.nan)

    @cached_property
    def loops(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Case and loop of all loops, (n k,) each."""
        case, loop = np.indices(self.opened.shape[:2])
        return case.ravel(), loop.ravel()

    @cached_property
    def grid(self) -> Array:
        """(n k, f) frequencies in ascending order: evenly in their logarithm over all roots, and these themselves."""
        n, k, m = self.opened.shape
        every = np.concatenate([np.broadcast_to(self.closed[:, None], (n, k, m)), self.opened], axis=2).reshape(n * k, -1)
        last = self.last
        if self.period_s is not None:
            with np.errstate(divide="ignore"):
                every = abs(np.log(every.astype(complex))) / self.period_s
        every = np.minimum(abs(every), last)
        fastest = every.max(axis=1, keepdims=True)
        fastest[fastest == 0] = 1.0
        slowest = np.where(every > SMALL * fastest, every, fastest).min(axis=1, keepdims=True)
        every = np.clip(every, slowest, fastest)
        low, high = np.log(slowest / BEYOND), np.log(np.minimum(fastest * BEYOND, last))
        even = np.exp(low + (high - low) * np.linspace(0, 1, POINTS))
        near = [np.minimum(factor * every, last) for factor in BESIDE]
        return np.sort(np.concatenate([even, *near], axis=1), axis=1)


def crossings(
    roots: Roots, L: Array, of: Callable[[Array], Array], counts: Callable[[Array], Array]
) -> tuple[NDArray[np.intp], Array, Array]:
    """Return where a number of L passes zero: which of the loops (j,), at what frequency (j,), and L there (j,).

    L : (n k, f) on the grid; of : what passes zero; counts : whether a value of L counts
    """
    value, grid, (case, loop) = of(L), roots.grid, roots.loops
    row, place = np.nonzero((value[:, 1:] > 0) != (value[:, :-1] > 0))
    near = counts(L[row, place]) | counts(L[row, place + 1])
    row, place = row[near], place[near]
    ends = np.log(grid[row, place]), np.log(grid[row, place + 1])
    omega = np.exp(
        _zero(lambda x: of(roots.at(case[row], loop[row], np.exp(x))), *ends, value[row, place], value[row, place + 1])
    )
    there = roots.at(case[row], loop[row], omega)
    sure = counts(there)
    return row[sure], omega[sure], there[sure]


def _zero(of: Callable[[Array], Array], one: Array, other: Array, at_one: Array, at_other: Array) -> Array:
    """Return where numbers (j,) pass zero between two places (j,) with values of different signs: the rule of Illinois."""
    found = other
    for _ in range(ROUNDS):
        with np.errstate(all="ignore"):
            found = other - at_other * (other - one) / (at_other - at_one)
        found = np.where(np.isfinite(found), found, other)
        value = of(found)
        beyond = (value > 0) != (at_other > 0)
        one, at_one = np.where(beyond, other, one), np.where(beyond, at_other, at_one / 2)
        other, at_other = found, value
    return found


def nearest(roots: Roots, L: Array) -> tuple[Array, Array]:
    """Return how near every loop comes to -1 (n k,), and at what frequency, 1 at infinity where there are no samples.

    L : (n k, f) on the grid
    """
    grid, (case, loop) = roots.grid, roots.loops
    best = grid[np.arange(len(grid)), abs(1 + L).argmin(axis=1)][:, None]
    low = np.log(np.where(grid < best, grid, grid[:, :1]).max(axis=1))  # several roots may be at one frequency
    high = np.log(np.where(grid > best, grid, grid[:, -1:]).min(axis=1))

    def distance(middle: Array) -> Array:
        return abs(1 + roots.at(case, loop, np.exp(middle)))

    one, other = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_one, at_other = distance(one), distance(other)
    for _ in range(2 * ROUNDS):
        left = at_one < at_other
        low, high = np.where(left, low, one), np.where(left, other, high)
        one, other = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        anew = distance(np.where(left, one, other))
        at_one, at_other = np.where(left, anew, at_other), np.where(left, at_one, anew)
    least, omega = np.minimum(at_one, at_other), np.exp(np.where(at_one < at_other, one, other))
    if roots.period_s is not None:
        return least, omega
    return np.minimum(least, 1.0), np.where(least < 1.0, omega, np.inf)
