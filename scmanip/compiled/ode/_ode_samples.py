"""Samples at any times, by dense output of order 7 [Hairer1993] II.6."""

from __future__ import annotations

from collections.abc import Callable

from ..kernel._code import Cell, Value
from ..kernel._flow import Flow
from ._ode_layout import DENSE, DENSE_PARTS, NEW, SHAPE_PARTS, SHAPES, TRIAL, K, Y
from ._ode_steps import OdeSteps
from ._tableaux import DENSE_NODES, DENSE_STAGES, DENSE_WEIGHTS, DOP853

LAST = len(DOP853.nodes)  # the number of the rate at the end of a step, which begins the next one


class OdeSamples:
    """Writes the samples, in the direction of integration.

    times, samples : addresses of their times and of where they go
    shapes : address of where y and dense output of every step go, row after row; null for none
    wanted : how many
    stored : how many are there
    evaluations : counts those of the right-hand side
    direction : 1.0 or -1.0
    """

    def __init__(
        self,
        code: Flow,
        steps: OdeSteps,
        *,
        times: str,
        samples: str,
        shapes: str,
        wanted: Value,
        stored: Cell,
        evaluations: Cell,
        direction: Value,
    ) -> None:
        self.code, self.steps, self.direction = code, steps, direction
        self._times, self._samples, self._shapes, self._wanted = times, samples, shapes, wanted
        self.stored, self._evaluations = stored, evaluations

    def ahead(self, a: Value, b: Value) -> Value:
        """Append how far a lies beyond b in the direction of integration."""
        return (a - b) * self.direction

    def store_in_step(self, t: Value, h: Value, t_new: Value, number: Value) -> None:
        """Append the samples inside a step, by dense output, and those at its end, which need none; and its shape."""
        code, shaped = self.code, ~self.code.load("i64", "%arrays", SHAPES).equals(0)
        inside = code.cell("i64", code.chosen(shaped, 1, code.typed(0, "i64")))
        with code.when(self.stored.value < self._wanted), code.when(self.ahead(self._due(), t_new) < 0.0):
            inside.set(1)
        with code.when(inside.value.equals(1)):
            self._prepare_dense_output(t, h)
        with code.when(shaped):
            self._keep_shape(number)
        with code.when(self.stored.value < self._wanted):
            self.store_while(lambda due: self.ahead(due, t_new) < 0.0, lambda due: self._interpolated((due - t) / h))
            self.store_while(lambda due: self.ahead(due, t_new) <= 0.0, lambda due: NEW)

    def _prepare_dense_output(self, t: Value, h: Value) -> None:
        """Append three more stages and the coefficients of the polynomial [Hairer1993] II.6."""
        code, steps = self.code, self.steps
        steps.stages(t, h, DENSE_NODES, DENSE_STAGES, LAST + 1)
        self._evaluations.set(self._evaluations.value + len(DENSE_NODES))
        spread = code.row(h)
        with code.loop(steps.rows) as row:
            change = steps.read(NEW, row) - steps.read(Y, row)
            first, last = spread * steps.read(K, row), spread * steps.read(K + LAST, row)
            parts = [change, first - change, 2.0 * change - (first + last)]
            parts += [spread * steps.weighted(weights, row) for weights in DENSE_WEIGHTS]
            for k, part in enumerate(parts):
                steps.write(DENSE + k, row, part)

    def _keep_shape(self, number: Value) -> None:
        """Append storing y at the start of the step with this number, and the parts of its dense output."""
        code, steps = self.code, self.steps
        with code.loop(steps.rows) as row:
            first = (number * steps.rows + row) * SHAPE_PARTS
            for k, area in enumerate([Y, *range(DENSE, DENSE + DENSE_PARTS)]):
                code.store(steps.read(area, row), self._shapes, first + k)

    def _interpolated(self, x: Value) -> int:
        """Append y at the fraction x of the step and return its area."""
        code, steps = self.code, self.steps
        along, back = code.row(x), code.row(1.0 - x)
        with code.loop(steps.rows) as row:
            total = steps.read(DENSE + DENSE_PARTS - 1, row) * along
            for k in reversed(range(DENSE_PARTS - 1)):
                total = (total + steps.read(DENSE + k, row)) * (along if k % 2 == 0 else back)
            steps.write(TRIAL, row, steps.read(Y, row) + total)
        return TRIAL

    def store_while(self, condition: Callable[[Value], Value], area_at: Callable[[Value], int]) -> None:
        """Append storing the samples that are due from areas, as long as the condition holds for their times."""
        code = self.code
        more = code.cell("i64", 1)
        with code.during(lambda: more.value.equals(1) & (self.stored.value < self._wanted)):
            more.set(0)
            due = self._due()
            with code.when(condition(due)):
                area = area_at(due)
                self.steps.scatter(area, [self._samples], self.stored.value * self.steps.n)
                self.stored.set(self.stored.value + 1)
                more.set(1)

    def _due(self) -> Value:
        return self.code.load("double", self._times, self.stored.value)
