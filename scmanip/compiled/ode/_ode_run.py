"""An integration that stops, lets its numbers be changed, and goes on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from ..kernel._arguments import Array
from ._ode_arguments import OdeTask
from ._ode_result import OdeResult, OdeStatus


@dataclass
class Route:
    """Stretches of a run. At the start of each one quaternions are normalised and a parameter takes its row.

    stops : (m,) ends of the stretches
    parameter : its number; rows : (m, size) its values
    quaternions : (k,) whole numbers, places of the first entries of quaternions in y
    number : of the stretch that comes next; m at the end
    resumed : whether that one has been left in its midst
    first_step : of every stretch, as in `OdeRun.to`; NaN where steps go on as they were, in the first stretch from `begin`
    ask : called at the start of every stretch with t and y (n,), which are not to be changed, to change parameters; where it
        says False the run ends there, NOT_FINITE

    Times and parameters are in any units throughout, those of the program.

    >>> route = Route(np.array([0.5, 1.0]), 0, np.zeros((2, 1)), np.empty(0, dtype=np.int64), first_step=0.01)
    >>> route.number, route.first
    (0, 0.01)
    """

    stops: Array
    parameter: int
    rows: Array
    quaternions: NDArray[np.int64]
    number: int = 0
    resumed: bool = False
    first_step: float = 0.0
    begin: float = 0.0
    ask: Callable[[float, Array], bool] | None = None

    @property
    def first(self) -> float | None:
        """Step to begin with now; None for the one that the run suggests."""
        if self.resumed or (self.number and isnan(self.first_step)):
            return None
        return self.begin if isnan(self.first_step) else self.first_step


class OdeRun(ABC):
    """A trajectory with controlled steps, in machine code between stops.

    t : where it has come to
    y : (n,) state there; whoever changes its entries changes the trajectory
    parameters : in the order of the program's, to be changed in place between stops
    samples : (k, n) stored so far, at the times that were asked for
    steps, evaluations : since the beginning
    ends : times at which the steps of the latest call ended
    shapes : (k, rows, 8, width) of these steps where the latest call kept them, else empty: what `shape_weights` weighs, of so
        many entries of y in every row, the last of which may be longer than y
    next_step : that the error control suggests from here on
    alarm : output alarm where an alarm has stopped the run

    Times and states are in any units throughout, those of the program.

    >>> from scmanip.symbolic import record
    >>> ode = compile_ode(record({"t": (), "y": (1,)}, lambda t, y: {"ydot": -y}), cache=None)
    >>> run = ode.begin(0.0, np.ones(1), 2.0, rtol=1e-8, atol=1e-10)
    >>> status = run.to(1.0)
    >>> run.y[0] = 1.0  # a jump at the stop
    >>> status = run.to(2.0)
    >>> run.t, round(float(run.y[0]), 6)
    (2.0, 0.367879)
    """

    t: float
    y: Array
    parameters: tuple[Array, ...]
    steps: int
    evaluations: int
    ends: Sequence[float] = ()
    shapes: Array = np.empty(0)
    samples: Array
    next_step: float
    alarm: Array

    @abstractmethod
    def to(self, t_1: float, *, first_step: float = 0.0, max_steps: int = 100_000) -> OdeStatus:
        """Go on to `t_1`, or until something else ends it.

        first_step : 0 is the integrator's choice, which is cautious, and a negative number so many times that
        """

    @abstractmethod
    def rewind(self, t: float, y: Array) -> None:
        """Go back to `t` in the latest step, where the state was y (n,); samples behind it are forgotten."""

    def along(self, route: Route, *, max_steps: int = 100_000, shaped: bool = False) -> OdeStatus:
        """Go on from stop to stop of a route, or until something else ends it.

        shaped : whether the shapes of its steps are kept, where there is machine code
        """
        before = self.steps
        while route.number < len(route.stops):
            left = max_steps - (self.steps - before)
            if left <= 0:
                return OdeStatus.TOO_MANY_STEPS
            if not (route.resumed or self._enter(route)):
                return OdeStatus.NOT_FINITE
            first = self.next_step if route.first is None else route.first
            status = self.to(float(route.stops[route.number]), first_step=first, max_steps=left)
            route.resumed = status is not OdeStatus.DONE
            if route.resumed:
                return status
            route.number += 1
        return OdeStatus.DONE

    def unit(self, quaternions: NDArray[np.int64]) -> None:
        """Give the quaternions that begin at these places (k,) of y norm 1."""
        for place in quaternions:
            self.y[place : place + 4] /= np.sqrt(self.y[place : place + 4] @ self.y[place : place + 4])

    def _enter(self, route: Route) -> bool:
        """Begin a stretch, and return whether it can be."""
        self.unit(route.quaternions)
        parameter = self.parameters[route.parameter]
        parameter[...] = route.rows[route.number].reshape(parameter.shape)
        return route.ask is None or route.ask(self.t, self.y)


class SolvedRun(OdeRun):
    """The same by whole integrations from stop to stop."""

    def __init__(self, solve: Callable[[OdeTask], OdeResult], task: OdeTask) -> None:
        self._solve, self._task = solve, task
        y_0, *parameters = (array.copy() for array in task.arguments.ready)
        self.t, self.y, self.parameters = task.t_0, y_0, tuple(parameters)
        self.steps, self.evaluations, self.next_step = 0, 0, 0.0
        self.samples, self.alarm = y_0[:0].reshape(0, y_0.size), y_0[:0]

    def to(self, t_1: float, *, first_step: float = 0.0, max_steps: int = 100_000) -> OdeStatus:
        """Go on."""
        due = self._task.samples[len(self.samples) :]
        arguments = self._task.arguments._replace(ready=(self.y.copy(), *self.parameters))
        ran = self._solve(
            self._task._replace(
                arguments=arguments,
                t_0=self.t,
                t_1=t_1,
                first_step=first_step,
                max_steps=max_steps,
                samples=due[due <= t_1],
            )
        )
        self.samples = np.concatenate([self.samples, ran.y])
        self.t, self.next_step = ran.end_t, ran.next_step
        self.y[:] = ran.end_y
        self.steps, self.evaluations = self.steps + ran.steps, self.evaluations + ran.evaluations
        self.alarm = self.y[:0] if ran.alarm is None else ran.alarm
        return ran.status

    def rewind(self, t: float, y: Array) -> None:
        """Go back to `t`."""
        self.t, self.y[:] = t, y
        self.samples = self.samples[: np.searchsorted(self._task.samples, t, side="right")]
