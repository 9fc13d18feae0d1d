"""Radau IIA of order 5 [HairerWanner1996] IV.8, step by step; the control of steps is SciPy's, Newton's iterations are not.

SciPy's give up where the second iteration is hardly smaller than the first. With large gains the first brings joints to the
force that they need, and only the second sees what that does to the base; the third is ten million times smaller.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...spatial import Array
from ._integrator import Rate
from ._jacobian import jacobian

_ROOT = 6**0.5
A = np.array(
    [
        [(88 - 7 * _ROOT) / 360, (296 - 169 * _ROOT) / 1800, (-2 + 3 * _ROOT) / 225],
        [(296 + 169 * _ROOT) / 1800, (88 + 7 * _ROOT) / 360, (-2 - 3 * _ROOT) / 225],
        [(16 - _ROOT) / 36, (16 + _ROOT) / 36, 1 / 9],
    ]
)
NODES = A.sum(axis=1)
ERRORS = np.array([-13 - 7 * _ROOT, -13 + 7 * _ROOT, -1]) / 3
_VALUES, _VECTORS = np.linalg.eig(np.linalg.inv(A))
_ORDER = np.argsort(np.abs(_VALUES.imag))[:2]  # the real one, and one of the pair
REAL, PAIR = float(_VALUES[_ORDER[0]].real), complex(_VALUES[_ORDER[1]])
_LEFT = np.linalg.inv(_VECTORS)
_PHASE = _VECTORS[2, _ORDER[0]]  # a real eigenvector may come with any factor
TO_REAL, FROM_REAL = (_LEFT[_ORDER[0]] * _PHASE).real, (_VECTORS[:, _ORDER[0]] / _PHASE).real
TO_PAIR, FROM_PAIR = _LEFT[_ORDER[1]], 2 * _VECTORS[:, _ORDER[1]]
SHARE = 0.2  # largest x (1 - x) (c_1 - x) (c_2 - x) / (c_1 c_2): what a slope that is off at 0 makes inside
POLYNOMIAL = np.linalg.inv(NODES[:, np.newaxis] ** np.arange(1, 4))

ITERATIONS, PATIENCE = 10, 2  # of Newton's method, and from which on it must promise to come to its end
OLD_RATE = 1e-3  # of convergence, from which on derivatives are looked up again
LEAST, MOST, SAFETY, KEPT = 0.2, 10.0, 0.9, 1.2  # of the factor from one step to the next, and up to which none is made


class Inside(NamedTuple):
    """The latest step: where it began, its polynomial's coefficients (3, n), and whether that errs less than is allowed."""

    t: float
    y: Array
    coefficients: Array
    fine: bool


class Iterated(NamedTuple):
    """Where Newton's method came to: changes (3, n) of y at the nodes, in how many iterations, and how fast it was."""

    z: Array
    iterations: int
    rate: float


class ImplicitStepper:
    """Goes from `y` (n,) at `t` to `t_1` > t.

    t, y, rate : where it has come to, the state there and its derivative
    t_old : where the latest step began
    wanted : size of the next step that the control of the error suggests

    >>> near = lambda t, y: -1e6 * (y - np.cos(t))
    >>> stepper = ImplicitStepper(near, 0.0, np.ones(1), 1.0, rtol=1e-6, atol=1e-6, first_step=0.1)
    >>> while stepper.t < 1.0 and stepper.step(stepper.wanted):
    ...     pass
    >>> round(float(stepper.y[0]), 5)  # cos(1)
    0.5403
    """

    def __init__(
        self, derivative: Rate, t: float, y: Array, t_1: float, *, rtol: float, atol: float | Array, first_step: float
    ) -> None:
        self._derivative, self._rtol, self._atol, self.wanted = derivative, rtol, atol, first_step
        self.t, self.t_old, self.t_1, self.y, self.rate = t, t, t_1, y, derivative(t, y)
        self._tolerance = max(10 * float(np.finfo(float).eps) / rtol, min(0.03, rtol**0.5))
        self._J, self._fresh = jacobian(derivative, t, y), True
        self._factors: tuple[float, Any, Any] | None = None
        self._inside: Inside | None = None
        self._last: tuple[float, float] | None = None

    def step(self, size: float) -> bool:
        """Take a step of `size`, or a smaller one that errs less; return whether there is one."""
        least, most = 10 * (float(np.nextafter(self.t, np.inf)) - self.t), MOST
        size = max(size, least)
        while size >= least:
            t = min(self.t + size, self.t_1)
            h = t - self.t
            found = self._newton(self.t, self.y, h, self._predicted(h)) if np.isfinite(self._J).all() else None
            if found is None:
                size *= 1.0 if self._refreshed() else 0.5
                continue
            y = self.y + found.z[-1]
            error = self._error(h, y, found, rejected=most < MOST)
            factor = self._factor(h, error, found)
            if error <= 1:
                self._accept(t, y, error, found, min(most, factor))
                return True
            size, most = h * max(LEAST, factor), 1.0
        return False

    def dense(self, times: Array) -> Array:
        """Return the states (k, n) at times (k,) inside the latest step.

        By the polynomial through its nodes, which is of order 3 where the step itself is of order 5: where it errs more than a
        step may, by a step of its own to each time.
        """
        assert self._inside is not None
        begun, rows = self._inside, self._polynomial((times - self.t_old) / (self.t - self.t_old))
        if not begun.fine:
            for k in np.flatnonzero((times > begun.t) & (times < self.t)):
                h = float(times[k]) - begun.t
                found = self._newton(begun.t, begun.y, h, self._polynomial(NODES * h / (self.t - begun.t)) - begun.y)
                rows[k] = rows[k] if found is None else begun.y + found.z[-1]
        return rows

    def _polynomial(self, parts: Array) -> Array:
        assert self._inside is not None
        return np.asarray(self._inside.y + (parts[:, np.newaxis] ** np.arange(1, 4)) @ self._inside.coefficients)

    def _begun(self, h: float, z: Array) -> Inside:
        """Return a step of size `h` from here, whose polynomial is known by how it goes on from that before."""
        coefficients, before = POLYNOMIAL @ z, self._inside
        slope = self.rate if before is None else np.arange(1, 4) @ before.coefficients / (self.t - self.t_old)
        off = (coefficients[0] - h * slope) / (self._atol + np.abs(self.y) * self._rtol)
        return Inside(self.t, self.y, coefficients, SHARE * _size(off) <= 1)

    def _accept(self, t: float, y: Array, error: float, found: Iterated, factor: float) -> None:
        h, self._last = t - self.t, (t - self.t, error)
        self._inside = self._begun(h, found.z)
        self.t_old, self.t, self.y, self.rate, self._fresh = self.t, t, y, self._derivative(t, y), False
        slow = found.iterations > PATIENCE and found.rate > OLD_RATE
        if slow:
            self._refreshed()
        self.wanted = h if factor < KEPT and not slow else h * factor

    def _refreshed(self) -> bool:
        """Look derivatives up here; return whether those that were known came from elsewhere."""
        if self._fresh:
            return False
        self._J, self._fresh, self._factors = jacobian(self._derivative, self.t, self.y), True, None
        return True

    def _newton(self, t: float, y: Array, h: float, z: Array) -> Iterated | None:
        """Return the changes at the nodes of a step from y at `t`, at first z (3, n); None where there is no end to it."""
        scale, last, rate = self._atol + np.abs(y) * self._rtol, 0.0, 0.0
        for k in range(ITERATIONS):
            rates = np.array([self._derivative(t + c * h, y + own) for c, own in zip(NODES, z, strict=True)])
            if not np.isfinite(rates).all():
                return None
            change = self._change(h, rates, z)
            z, size = z + change, _size(change / scale)
            rate = size / last if last else 0.0
            if size == 0 or (k > 0 and rate < 1 and rate / (1 - rate) * size < self._tolerance):
                return Iterated(z, k + 1, rate)
            if not np.isfinite(size) or (k >= PATIENCE and not _promises(rate, size, ITERATIONS - 1 - k, self._tolerance)):
                return None
            last = size
        return None

    def _predicted(self, h: float) -> Array:
        """Return what the polynomial of the latest step says of the nodes of one of size `h` behind it."""
        if self._inside is None:
            return np.zeros((3, self.y.size))
        return self._polynomial(1 + NODES * h / (self.t - self.t_old)) - self.y

    def _change(self, h: float, rates: Array, z: Array) -> Array:
        real = self._solved(h, TO_REAL @ rates - REAL / h * (TO_REAL @ z))
        pair = self._solved(h, TO_PAIR @ rates - PAIR / h * (TO_PAIR @ z))
        return np.asarray(np.outer(FROM_REAL, real) + np.outer(FROM_PAIR, pair).real)

    def _solved(self, h: float, right: Array) -> Array:
        """Return x of (REAL / h - J) x = right, or of that with PAIR where the right side is complex."""
        from scipy.linalg import lapack  # takes a while to load, and most runs are not stiff

        if self._factors is None or self._factors[0] != h:
            unit = np.eye(self.y.size)
            self._factors = h, lapack.dgetrf(REAL / h * unit - self._J)[:2], lapack.zgetrf(PAIR / h * unit - self._J)[:2]
        _, real, pair = self._factors
        return np.asarray((lapack.zgetrs(*pair, right) if np.iscomplexobj(right) else lapack.dgetrs(*real, right))[0])

    def _error(self, h: float, y: Array, found: Iterated, *, rejected: bool) -> float:
        scale = self._atol + np.maximum(np.abs(self.y), np.abs(y)) * self._rtol
        own = ERRORS @ found.z / h
        error = self._solved(h, self.rate + own)
        if _size(error / scale) > 1 and (rejected or self._last is None):
            error = self._solved(h, self._derivative(self.t, self.y + error) + own)
        size = _size(error / scale)
        return size if np.isfinite(size) else np.inf

    def _factor(self, h: float, error: float, found: Iterated) -> float:
        """Return by how much the next step may be longer [HairerWanner1996] eq. IV.8.25."""
        safety = SAFETY * (2 * ITERATIONS + 1) / (2 * ITERATIONS + found.iterations)
        if error == 0:
            return MOST
        if self._last is None or self._last[1] == 0:
            return float(min(MOST, safety * error**-0.25))
        old_h, old_error = self._last
        return float(min(MOST, safety * min(1.0, h / old_h * (old_error / error) ** 0.25) * error**-0.25))


def _promises(rate: float, size: float, left: int, tolerance: float) -> bool:
    """Whether iterations that go on so come to their end."""
    return rate < 1 and rate**left / (1 - rate) * size <= tolerance


def _size(array: Array) -> float:
    """Return the root of the mean of squares."""
    return float(np.linalg.norm(array)) / array.size**0.5
