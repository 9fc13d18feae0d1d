"""Dormand and Prince's pair of order 8(5, 3) [Hairer1993] II.10, step by step in NumPy; the control of steps is SciPy's."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np

from ..kernel._arguments import Array
from ._tableaux import DENSE_NODES, DENSE_STAGES, DENSE_WEIGHTS, DOP853, ERROR_3, ERROR_5

OWN, ALL = 12, 16  # stages of a step, and with the rate at its end and those of the polynomial
NODES = (*DOP853.nodes, 1.0, *DENSE_NODES)
ROWS = [np.array(row) for row in (*DOP853.stages, (), *DENSE_STAGES)]
WEIGHTS, ERRORS, DENSE = np.array(DOP853.weights), np.array([ERROR_5, ERROR_3]), np.array(DENSE_WEIGHTS)
LEAST, MOST, SAFETY, EXPONENT = 0.2, 10.0, 0.9, -1 / 8  # of the factor from one step to the next


class Stepper:
    """Goes from `y` (n,) at `t` to `t_1`, either way.

    t, y, rate : where it has come to, the state there and its derivative
    t_old : where the latest step began
    wanted : size of the next step that the control of the error suggests; at first by [Hairer1993] II.4
    evaluations : of the derivative

    >>> stepper = Stepper(lambda t, y: -y, 0.0, np.ones(1), 1.0, rtol=1e-8, atol=1e-10)
    >>> while not stepper.done and stepper.step(stepper.wanted):
    ...     pass
    >>> stepper.t, round(float(stepper.y[0]), 7)
    (1.0, 0.3678794)
    """

    def __init__(
        self,
        derivative: Callable[[float, Array], Array],
        t: float,
        y: Array,
        t_1: float,
        *,
        rtol: float,
        atol: float | Array,
        max_step: float = inf,
        first_step: float | None = None,
    ) -> None:
        self._derivative, self._rtol, self._atol, self._max_step = derivative, rtol, atol, max_step
        self.t, self.y, self.t_1, self._sign = t, y, t_1, 1.0 if t_1 >= t else -1.0
        self.t_old, self.evaluations = t, 0
        self.rate = self._of(t, y)
        self.wanted = self._first() if first_step is None else first_step

    @property
    def done(self) -> bool:
        """Whether it has come to `t_1`."""
        return self.t == self.t_1

    def step(self, size: float) -> bool:
        """Take a step of `size`, or a smaller one that errs less; return whether there is one."""
        least = 10 * abs(float(np.nextafter(self.t, self._sign * inf)) - self.t)
        size, most = max(min(size, self._max_step), least), MOST
        while size >= least:
            t = self.t + self._sign * size
            t = self.t_1 if (t - self.t_1) * self._sign > 0 else t
            h, stages = t - self.t, np.empty((ALL, self.y.size))
            stages[0] = self.rate
            self._evaluate(stages, range(1, OWN), self.t, self.y, h)
            y = self.y + h * (WEIGHTS @ stages[:OWN])
            stages[OWN] = self._of(t, y)
            error = self._error(h, y, stages)
            if error < 1:
                self._old, self._stages = self.y, stages
                self.t_old, self.t, self.y, self.rate = self.t, t, y, stages[OWN]
                self.wanted = abs(h) * (most if error == 0 else min(most, SAFETY * error**EXPONENT))
                return True
            size, most = abs(h) * max(LEAST, SAFETY * error**EXPONENT), 1.0
        return False

    def dense(self, times: Array) -> Array:
        """Return the states (k, n) at times (k,) inside the latest step, by its polynomial of order 7 [Hairer1993] II.6.

        In any units, those of the derivative.
        """
        t, h, y, stages = self.t_old, self.t - self.t_old, self._old, self._stages
        self._evaluate(stages, range(OWN + 1, ALL), t, y, h)
        change, first, last = self.y - y, h * stages[0], h * self.rate
        parts = [change, first - change, 2 * change - last - first, *(h * DENSE @ stages)]
        x, result = ((times - t) / h)[:, np.newaxis], np.zeros((len(times), y.size))
        for place, part in enumerate(reversed(parts)):
            result = (result + part) * (x if place % 2 == 0 else 1 - x)
        return y + result

    def _evaluate(self, stages: Array, numbers: range, t: float, y: Array, h: float) -> None:
        for k in numbers:
            stages[k] = self._of(t + NODES[k] * h, y + h * (ROWS[k] @ stages[:k]))

    def _of(self, t: float, y: Array) -> Array:
        self.evaluations += 1
        return self._derivative(t, y)

    def _error(self, h: float, y: Array, stages: Array) -> float:
        scale = self._atol + np.maximum(np.abs(self.y), np.abs(y)) * self._rtol
        fifth, third = (float(np.sum((weights @ stages[:OWN] / scale) ** 2)) for weights in ERRORS)
        return 0.0 if fifth == 0 and third == 0 else abs(h) * fifth / np.sqrt((fifth + 0.01 * third) * y.size)

    def _first(self) -> float:
        whole, scale = abs(self.t_1 - self.t), self._atol + np.abs(self.y) * self._rtol
        d_0, d_1 = _size(self.y / scale), _size(self.rate / scale)
        h_0 = min(1e-6 if d_0 < 1e-5 or d_1 < 1e-5 else 0.01 * d_0 / d_1, whole)
        if h_0 == 0:  # nowhere to go, or a rate beyond squaring
            return 0.0
        h = self._sign * h_0
        d_2 = _size((self._of(self.t + h, self.y + h * self.rate) - self.rate) / scale) / h_0
        h_1 = max(1e-6, h_0 * 1e-3) if d_1 <= 1e-15 and d_2 <= 1e-15 else (0.01 / max(d_1, d_2)) ** -EXPONENT
        return min(100 * h_0, h_1, whole, self._max_step)


def _size(vector: Array) -> float:
    """Return the root of the mean of squares."""
    return float(np.linalg.norm(vector)) / vector.size**0.5
