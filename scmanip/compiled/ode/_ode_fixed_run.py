"""A run by steps of one length of the classical method of order 4, many of them at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np

from ..kernel._arguments import Array
from ._ode_adaptive import FORBIDDEN
from ._ode_result import OdeStatus
from ._ode_run import OdeRun


@dataclass(frozen=True, eq=False)
class Cubic:
    """The cubic (Hermite) through states y and y_new (n,) at `t` and `t_new` with their rates; t in one unit, y in any units.

    >>> between = Cubic(0.0, 1.0, np.array([0.0]), np.array([1.0]), first=np.array([0.0]), last=np.array([0.0]))
    >>> between(np.array([0.0, 0.25, 0.5])).ravel().tolist()
    [0.0, 0.15625, 0.5]
    """

    t: float
    t_new: float
    y: Array
    y_new: Array
    first: Array
    last: Array

    def __call__(self, times: Array) -> Array:
        """Return the states (k, n) at times (k,)."""
        h = self.t_new - self.t
        x = ((times - self.t) / h)[:, np.newaxis]
        bend = (1 - 2 * x) * (self.y_new - self.y) + h * ((x - 1) * self.first + x * self.last)
        return np.asarray((1 - x) * self.y + x * self.y_new + x * (x - 1) * bend)


class FixedRun(OdeRun):
    """An `OdeRun` by steps of `step`, the last one before a stop shorter; samples by cubics.

    advance : (t_0, y_0, dt, steps, parameters) -> y (steps + 1, n), in machine code
    evaluate : (t (k,), y (k, n), parameters) -> rates (k, n) and alarms (k, m), those of all steps at once

    >>> from scmanip.symbolic import record
    >>> ode = compile_ode(record({"t": (), "y": (1,)}, lambda t, y: {"ydot": -y}), cache=None)
    >>> run = ode.begin_fixed(0.0, np.ones(1), step=0.1)
    >>> run.to(0.25).name, run.steps, round(float(run.y[0]), 4)
    ('DONE', 3, 0.7788)
    """

    def __init__(
        self,
        advance: Callable[[float, Array, float, int, tuple[Array, ...]], Array],
        evaluate: Callable[[Array, Array, tuple[Array, ...]], tuple[Array, Array]],
        *,
        t: float,
        y: Array,
        parameters: tuple[Array, ...],
        step: float,
        times: Array,
    ) -> None:
        self._advance, self._evaluate, self._times = advance, evaluate, times
        self.t, self.y, self.parameters, self.next_step = t, y.copy(), tuple(p.copy() for p in parameters), step
        self.steps = self.evaluations = 0
        self.samples, self.alarm = y[:0].reshape(0, y.size), y[:0]
        self._goal: float | None = None
        self._begun, self._number = t, 0
        self._latest: Cubic | None = None

    def to(self, t_1: float, *, first_step: float = 0.0, max_steps: int = 100_000) -> OdeStatus:
        """Go on; all steps have one length, whatever `first_step` is."""
        del first_step
        if t_1 != self._goal:
            self._goal, self._begun, self._number = t_1, self.t, 0
        count = ceil((t_1 - self._begun) / self.next_step * (1 - 1e-12))
        steps = min(max_steps, count - self._number)
        with np.errstate(all="ignore"):
            t, y = self._stepped(t_1, steps, last=self._number + steps == count)
            rates, alarms = self._evaluate(t, y, self.parameters)
        return self._take(t, y, rates, alarms, done=self._number + steps == count)

    def rewind(self, t: float, y: Array) -> None:
        """Go back to `t`."""
        self.t, self.y[:], self._goal = t, y, None
        self.samples = self.samples[: np.searchsorted(self._times, t, side="right")]

    @property
    def dense(self) -> Callable[[Array], Array]:
        """The latest step, as a function of times (k,) inside it."""
        assert self._latest is not None
        return self._latest

    def _stepped(self, t_1: float, steps: int, *, last: bool) -> tuple[Array, Array]:
        """Return times (steps + 1,) and states of so many steps."""
        t = self._begun + self.next_step * np.arange(self._number, self._number + steps + 1)
        t[0], whole = self.t, steps - last
        y = np.empty((steps + 1, self.y.size))
        y[0] = self.y
        if whole:
            y[: whole + 1] = self._advance(self.t, self.y, self.next_step, whole, self.parameters)
            self.evaluations += 4 * whole
        if last:
            t[-1] = t_1
            y[-1] = self._advance(float(t[-2]), y[-2].copy(), t_1 - float(t[-2]), 1, self.parameters)[1]
            self.evaluations += 4
        return np.asarray(t), y

    def _take(self, t: Array, y: Array, rates: Array, alarms: Array, *, done: bool) -> OdeStatus:
        """Accept the steps up to the first one that is wrong, and return what is."""
        lost = np.asarray(~np.isfinite(rates).all(axis=1))
        refused, raised = lost | (alarms > FORBIDDEN).any(axis=1), ~(alarms <= 0).all(axis=1)
        found = np.flatnonzero(refused | raised)
        end, status = len(t) - 1, OdeStatus.DONE if done else OdeStatus.TOO_MANY_STEPS
        if found.size:
            place = int(found[0])
            end = max(0, place - int(refused[place]))
            status, self.alarm = OdeStatus.NOT_FINITE if lost[place] else OdeStatus.ALARM, alarms[place]
        self._keep(t[: end + 1], y, rates)
        self.t, self.y[:], self.ends = float(t[end]), y[end], t[1 : end + 1].tolist()
        self.steps, self._number = self.steps + end, self._number + end
        return status

    def _keep(self, t: Array, y: Array, rates: Array) -> None:
        """Keep the samples of some steps, and the latest step."""
        due = self._times[len(self.samples) :]
        due = due[due <= t[-1]]
        after = np.searchsorted(t, due, side="left")
        cubics = [Cubic(t[k - 1], t[k], y[k - 1], y[k], rates[k - 1], rates[k]) for k in range(1, len(t))]
        rows = [cubics[max(k, 1) - 1](due[i : i + 1]) for i, k in enumerate(after.tolist())] if cubics else []
        self.samples = np.concatenate([self.samples, *rows])
        self._latest = cubics[-1] if cubics else self._latest
