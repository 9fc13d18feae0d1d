"""Dormand and Prince's pair of order 8(5, 3) with control of the step [Hairer1993] II.4, II.10."""

from __future__ import annotations

from collections.abc import Callable

from ..kernel._code import Value
from ..kernel._flow import Flow
from ._ode_even import PARTS
from ._ode_layout import ARRAYS, ATOL, ENDS, NEW, TRIAL, K, Y
from ._ode_samples import LAST, OdeSamples
from ._ode_steps import PARAMETERS, OdeSteps
from ._tableaux import DOP853, ERROR_3, ERROR_5

ADAPTIVE = "adaptive"
NUMBERS, COUNTS = 6, 6
RUNNING, DONE, TOO_MANY_STEPS, STEP_UNDERFLOW, NOT_FINITE, ALARM = -1, 0, 1, 2, 3, 4
SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
ORDER = 8
FORBIDDEN = 1e300  # an alarm beyond it keeps a step from being accepted
SPACINGS = 10.0  # of doubles, in the shortest step


class Adaptive:
    """Writes the function that integrates one trajectory with controlled steps.

    `numbers`: t_0 then t at the end, t_1, rtol, the first step or 0 then the next one, the longest step, whether the last
    steps are to be equal, as a 1 or a 0. For the first step 0 means the choice of SciPy, a negative number so many of them.
    `counts`: steps allowed, samples wanted; then written: steps, evaluations, status, samples stored.
    """

    def __init__(self, code: Flow) -> None:
        self.code, self.steps = code, OdeSteps(code, 1, ARRAYS)
        self.t, self.size = code.entry("double", "%numbers", 0), code.entry("double", "%numbers", 3)
        self.t_1, self.rtol, self.longest, self.even = (code.load("double", "%numbers", k) for k in (1, 2, 4, 5))
        self.allowed, wanted = (code.load("i64", "%counts", k) for k in (0, 1))
        self.taken, self.evaluations, self.status, stored = (code.entry("i64", "%counts", k) for k in (2, 3, 4, 5))
        self.rejected, self.reason = code.cell("i64", 0), code.cell("i64", STEP_UNDERFLOW)
        places = [code.load("ptr", "%arrays", k).name for k in range(1, ARRAYS)]
        self.last, self.atol, times, samples, self.ends, shapes = places
        self.n = code.as_double(self.steps.n)
        self.direction = code.chosen(self.t_1 < self.t.value, -1.0, code.typed(1.0, "double"))
        self.samples = OdeSamples(
            code,
            self.steps,
            times=times,
            samples=samples,
            shapes=shapes,
            wanted=wanted,
            stored=stored,
            evaluations=self.evaluations,
            direction=self.direction,
        )

    def source(self, name: str) -> list[str]:
        """Return the function."""
        code, steps = self.code, self.steps
        self._start()
        with code.during(lambda: self.status.value.equals(RUNNING)):
            self._try_step()
        steps.scatter(Y, [self.last], 0)
        return code.function(name, PARAMETERS)

    # Start

    def _start(self) -> None:
        code, steps = self.code, self.steps
        steps.begin(steps.first)
        steps.gather([self.atol], steps.padded, ATOL)
        t = self.t.value
        steps.rate(t, Y, K, final=True)
        self.evaluations.set(1)
        self.samples.store_while(lambda due: self.samples.ahead(due, t) <= 0.0, lambda due: Y)
        self.status.set(code.chosen(t.equals(self.t_1), DONE, code.typed(RUNNING, "i64")))
        (wrong,) = self._totals(1, lambda row: [steps.read(K, row) * 0.0])
        with code.when(~wrong.equals(0.0)):
            self.status.set(NOT_FINITE)
        self._look_for_alarms()
        with code.when(self.status.value.equals(RUNNING) & (self.size.value <= 0.0)):
            self._choose_first_size(t)

    def _choose_first_size(self, t: Value) -> None:
        """Append Hairer's choice: a step whose Taylor terms up to second order suggest an error of one hundredth."""
        code, steps, whole = self.code, self.steps, self.code.size(self.t_1 - t)

        def of_y_and_rate(row: Value) -> list[Value]:
            y, scale = steps.read(Y, row), self._scale(steps.read(Y, row), row)
            return [_square(y / scale), _square(steps.read(K, row) / scale)]

        d_0, d_1 = map(self._mean_root, self._totals(2, of_y_and_rate))
        tiny = (d_0 < 1e-5) | (d_1 < 1e-5)
        h_0 = code.smaller(code.chosen(tiny, 1e-6, 0.01 * d_0 / d_1), whole)
        steps.combine((1.0,), code.row(h_0 * self.direction), TRIAL)
        steps.rate(t + h_0 * self.direction, TRIAL, K + 1)
        self.evaluations.set(self.evaluations.value + 1)

        def of_change(row: Value) -> list[Value]:
            change = steps.read(K + 1, row) - steps.read(K, row)
            return [_square(change / self._scale(steps.read(Y, row), row))]

        d_2 = self._mean_root(self._totals(1, of_change)[0]) / h_0
        largest = code.larger(d_2, d_1)
        slow = code.larger(h_0 * 1e-3, code.typed(1e-6, "double"))
        h_1 = code.chosen((d_1 <= 1e-15) & (d_2 <= 1e-15), slow, self._eighth_root(0.01 / largest))
        chosen = code.smaller(100.0 * h_0, h_1) * code.larger(-1.0 * self.size.value, code.typed(1.0, "double"))
        self.size.set(code.smaller(code.smaller(chosen, whole), self.longest))

    # One step

    def _try_step(self) -> None:
        code, t = self.code, self.t.value
        shortest = SPACINGS * code.spacing(t)
        fresh = self.rejected.value.equals(0)
        wanted = code.smaller(self.size.value, self.longest)
        wanted = code.chosen(fresh, code.larger(wanted, shortest), wanted)
        with code.when(~(wanted >= shortest)):
            self.status.set(self.reason.value)
        with code.when(wanted >= shortest):
            left = code.size(self.t_1 - t)
            part = code.chosen(fresh, self._even(wanted, left), wanted)
            reached = t + part * self.direction
            last = (self.samples.ahead(reached, self.t_1) > 0.0) | (left <= wanted)
            t_new = code.chosen(last, self.t_1, reached)
            self._attempt(t, t_new - t, t_new, wanted)

    def _even(self, wanted: Value, left: Value) -> Value:
        """Append `even_step`, where equal steps are wanted."""
        code, near, step = self.code, wanted * self.even, wanted
        for parts in range(PARTS, 1, -1):
            step = code.chosen(left <= near * float(parts), left / float(parts), step)
        return code.chosen(left <= wanted, wanted, step)

    def _attempt(self, t: Value, h: Value, t_new: Value, wanted: Value) -> None:
        code, steps = self.code, self.steps
        steps.step(DOP853, t, h, NEW)
        steps.rate(t_new, NEW, K + LAST, final=True)
        self.evaluations.set(self.evaluations.value + LAST)
        size = code.size(h)
        error = self._error(size)
        factor = SAFETY / self._eighth_root(error)
        with code.when((error < 1.0) & self._forbidden().equals(1)):
            self.status.set(ALARM)
        with code.when((error < 1.0) & self.status.value.equals(RUNNING)):
            limit = code.chosen(self.rejected.value.equals(0), GROW, code.typed(1.0, "double"))
            following = size * code.smaller(factor, limit)
            cut = t_new.equals(self.t_1) & (size < wanted)
            self.size.set(code.chosen(cut, code.larger(following, wanted), following))
            self._accept(t, h, t_new)
        with code.when(~(error < 1.0)):
            self.size.set(size * code.larger(factor, code.typed(SHRINK, "double")))
            self.rejected.set(1)
            self.reason.set(code.chosen(error < float("inf"), STEP_UNDERFLOW, code.typed(NOT_FINITE, "i64")))

    def _error(self, size: Value) -> Value:
        """Append the norm of the error over its tolerance; NaN where anything is not finite, the new rate included."""
        code, steps = self.code, self.steps

        def of_errors(row: Value) -> list[Value]:
            y, new = (code.size(steps.read(area, row)) for area in (Y, NEW))
            scale = 1.0 / (steps.read(ATOL, row) + self.rtol * code.larger(y, new))
            fifth, third = steps.weighted(ERROR_5, row) * scale, steps.weighted(ERROR_3, row) * scale
            return [_square(fifth) + steps.read(K + LAST, row) * 0.0, _square(third)]

        fifth, third = self._totals(2, of_errors)
        norm = size * fifth / code.root((fifth + 0.01 * third) * self.n)
        return code.chosen(fifth.equals(0.0) & third.equals(0.0), 0.0, norm)

    def _accept(self, t: Value, h: Value, t_new: Value) -> None:
        code, steps = self.code, self.steps
        with code.when(~code.load("i64", "%arrays", ENDS).equals(0)):
            code.store(t_new, self.ends, self.taken.value)
        self.samples.store_in_step(t, h, t_new, self.taken.value)
        self.taken.set(self.taken.value + 1)
        self.rejected.set(0)
        steps.copy(NEW, Y)
        steps.copy(K + LAST, K)
        self.t.set(t_new)
        with code.when(self.taken.value >= self.allowed):
            self.status.set(TOO_MANY_STEPS)
        with code.when(self.samples.ahead(t_new, self.t_1) >= 0.0):
            self.status.set(DONE)
        self._look_for_alarms()

    # Parts

    def _forbidden(self) -> Value:
        """Append looking whether an alarm keeps the step from being accepted; 1 or 0."""
        code, place, found = self.code, self.steps.alarm_place(0), self.code.cell("i64", 0)
        with code.loop(self.steps.alarms) as number, code.when(code.load("double", place, number) > FORBIDDEN):
            found.set(1)
        return found.value

    def _look_for_alarms(self) -> None:
        code, place = self.code, self.steps.alarm_place(0)
        with code.loop(self.steps.alarms) as number, code.when(~(code.load("double", place, number) <= 0.0)):
            self.status.set(ALARM)

    def _scale(self, y: Value, row: Value) -> Value:
        return self.steps.read(ATOL, row) + self.rtol * self.code.size(y)

    def _totals(self, count: int, terms: Callable[[Value], list[Value]]) -> list[Value]:
        """Append the sums of so many terms over all entries of y."""
        code, steps = self.code, self.steps
        cells = [code.cell(code.type, 0.0) for _ in range(count)]
        with code.loop(steps.rows) as row:
            for cell, term in zip(cells, terms(row), strict=True):
                cell.set(cell.value + term)
        return [code.sum_of_row(cell.value) for cell in cells]

    def _mean_root(self, total: Value) -> Value:
        return self.code.root(total / self.n)

    def _eighth_root(self, x: Value) -> Value:
        for _ in range(ORDER.bit_length() - 1):
            x = self.code.root(x)
        return x


def _square(x: Value) -> Value:
    return x * x
