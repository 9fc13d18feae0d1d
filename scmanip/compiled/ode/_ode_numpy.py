"""Integration in Python with NumPy, where there is no LLVM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..kernel._arguments import Arguments, Array
from ._ode_adaptive import ALARM, DONE, FORBIDDEN, NOT_FINITE, RUNNING, STEP_UNDERFLOW, TOO_MANY_STEPS
from ._ode_arguments import FixedTask, OdeTask
from ._ode_asked import Answer, AskingInPython
from ._ode_even import even_step
from ._ode_fixed import LEAST
from ._ode_module import METHODS
from ._ode_rate import ALARM as ALARM_OUTPUT
from ._ode_rate import RATE, STATE, TIME, OdeProgram
from ._ode_result import OdeResult, OdeStatus
from ._ode_run import OdeRun, SolvedRun
from ._stepper import Stepper
from ._tableaux import DOP853, ERROR_3, ERROR_5


class OdeNumpy:
    """The integrators of one right-hand side: slow, same answers."""

    def __init__(self, ode: OdeProgram, asking: AskingInPython | None = None) -> None:
        self._ode, self._asking = ode, asking

    def asking(self, answer: Answer) -> tuple[OdeNumpy, Array]:
        """Return the same, whose right-hand side asks, and what its first parameter begins with."""
        asking = AskingInPython(answer)
        return OdeNumpy(self._ode, asking), asking.head

    def source(self) -> str:
        """Return nothing: there is no code."""
        return ""

    def solve(self, task: OdeTask) -> OdeResult:
        """Integrate with controlled steps."""
        with np.errstate(all="ignore"):
            return _Solution(self._ode, task, self._asking).ran()

    def begin(self, task: OdeTask) -> OdeRun:
        """Return the same as a run from stop to stop."""
        return SolvedRun(self.solve, task)

    def fixed(self, task: FixedTask, results: Array, errors: Array, threads: int | None) -> None:
        """Integrate with fixed steps into `results` (cases, samples, n), all cases at once."""
        del threads
        ode, method, cases = self._ode.without_alarm, METHODS[task.method], task.arguments.cases
        y_0, *parameters = _with_cases(ode, task.arguments)

        def rate(t: float, y: Array) -> Array:
            if self._asking is not None:
                given = self._asking.told(t, y[0], [own[0] for own in parameters])
                return evaluated(ode, np.array(t), y[0], given)[RATE][np.newaxis]
            return evaluated(ode, np.full(cases, t), y, parameters)[RATE]

        y: Array = y_0
        results[:, 0] = y
        for step in range(task.samples * task.every):
            t = task.t_0 + step * task.dt
            k: list[Array] = []
            for node, weights in zip(method.nodes, method.stages, strict=True):
                k.append(rate(t + node * task.dt, y + task.dt * _weighted(weights, k)))
            y = y + task.dt * _weighted(method.weights, k)
            if method is DOP853:
                fifth, third = _weighted(ERROR_5, k) ** 2, _weighted(ERROR_3, k) ** 2
                errors += abs(task.dt) * fifth / np.sqrt(fifth + third * 0.01 + LEAST)
            if (step + 1) % task.every == 0:
                results[:, (step + 1) // task.every] = y


class _Solution:
    """One run of a stepper."""

    def __init__(self, ode: OdeProgram, task: OdeTask, asking: AskingInPython | None) -> None:
        self._ode, self._task, self._asking = ode, task, asking
        self._samples: list[Array] = []
        self._finite = True
        self._alarm: Array = np.empty(ode.alarm_shape)

    def ran(self) -> OdeResult:
        """Return the outcome."""
        task, y_0 = self._task, self._task.arguments.ready[0]
        rate = self._rate(task.t_0, y_0)
        self._take(task.t_0, y_0, None)
        status = DONE if task.t_0 == task.t_1 else RUNNING
        status = status if np.isfinite(rate).all() else NOT_FINITE
        status = ALARM if self._alarmed(task.t_0, y_0) else status
        return self._stepped() if status == RUNNING else self._result(task.t_0, y_0, 0, 1, task.first_step, status)

    def _stepped(self) -> OdeResult:
        stepper, task = self._stepper(), self._task
        steps, status, following = 0, RUNNING, stepper.wanted
        while status == RUNNING:
            t, y, wanted = stepper.t, stepper.y, min(stepper.wanted, task.max_step)
            size = even_step(wanted, abs(task.t_1 - t)) if task.even else wanted
            if not stepper.step(size):
                status = STEP_UNDERFLOW if self._finite else NOT_FINITE
                return self._result(t, y, steps, stepper.evaluations, size, status)
            if self._alarmed(stepper.t, stepper.y) and (self._alarm > FORBIDDEN).any():
                return self._result(t, y, steps, stepper.evaluations, wanted, ALARM)
            steps += 1
            self._take(stepper.t, stepper.y, stepper)
            cut = stepper.done and abs(stepper.t - stepper.t_old) < wanted
            following = max(stepper.wanted, wanted) if cut else stepper.wanted
            status = TOO_MANY_STEPS if steps >= task.max_steps else RUNNING
            status = DONE if stepper.done else status
            status = ALARM if self._alarmed(stepper.t, stepper.y) else status
        return self._result(stepper.t, stepper.y, steps, stepper.evaluations, following, status)

    def _stepper(self) -> Stepper:
        task, chosen = self._task, self._task.first_step <= 0.0
        whole, first = abs(task.t_1 - task.t_0), None if chosen else task.first_step
        stepper = Stepper(
            self._rate,
            task.t_0,
            task.arguments.ready[0],
            task.t_1,
            rtol=task.rtol,
            atol=task.atol,
            max_step=task.max_step,
            first_step=first,
        )
        if chosen:
            stepper.wanted = min(max(-task.first_step, 1.0) * stepper.wanted, whole, task.max_step)
        return stepper

    def _rate(self, t: float, y: Array) -> Array:
        rate = self._outputs(t, y)[RATE]
        self._finite = bool(np.isfinite(rate).all())
        return rate

    def _outputs(self, t: float, y: Array) -> dict[str, Array]:
        parameters = self._task.arguments.ready[1:]
        given = parameters if self._asking is None else self._asking.told(t, y, parameters)
        return evaluated(self._ode, np.asarray(t), y, given)

    def _alarmed(self, t: float, y: Array) -> bool:
        if self._ode.alarms:
            self._alarm = self._outputs(t, y)[ALARM_OUTPUT]
        return bool(self._ode.alarms) and not bool((self._alarm <= 0).all())

    def _take(self, t: float, y: Array, stepper: Stepper | None) -> None:
        """Keep the samples up to the state that was reached."""
        due = self._task.samples[len(self._samples) :]
        sign = 1.0 if self._task.t_1 >= self._task.t_0 else -1.0
        inside, there = due[(due - t) * sign < 0], due[due == t]
        if stepper is not None and inside.size:
            self._samples += list(stepper.dense(inside))
        self._samples += [np.array(y)] * there.size

    def _result(self, t: float, y: Array, steps: int, evaluations: int, next_step: float, status: int) -> OdeResult:
        samples = np.array(self._samples).reshape(-1, self._ode.n)
        alarm = self._alarm if status == ALARM else None
        times, ended = self._task.samples[: len(samples)].copy(), OdeStatus(status)
        return OdeResult(times, samples, float(t), np.array(y), steps, evaluations, float(next_step), ended, alarm)


def evaluated(ode: OdeProgram, t: Array, y: Array, parameters: Sequence[Array]) -> dict[str, Array]:
    """Return the outputs by name; as in machine code, a rate that is not finite is no error."""
    given = iter(parameters)
    arrays = [t if item.name == TIME else y if item.name == STATE else next(given) for item in ode.program.inputs]
    return dict(zip((output.name for output in ode.program.outputs), ode.program.evaluate(*arrays), strict=True))


def _with_cases(ode: OdeProgram, arguments: Arguments) -> list[Array]:
    """Return y_0 and the parameters, each with its cases in front."""
    shapes = [(ode.n,), *(item.shape for item in ode.parameters)]
    return [np.broadcast_to(a, (arguments.cases, *shape)) for a, shape in zip(arguments.ready, shapes, strict=True)]


def _weighted(weights: Sequence[float], rates: Sequence[Array]) -> Any:
    return sum((weight * rate for weight, rate in zip(weights, rates, strict=True) if weight), start=0.0)
