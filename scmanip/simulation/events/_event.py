"""What may happen in a run: numbers that rise through zero."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...dynamics import Batch, Model
from ...errors import InvalidInput, Problem, checked, expect, refuse, takes
from ...modes import GeneralizedForce
from ...spatial import Array, array_problems
from ...system import State
from ._numbers import number_problems, numbers

Force = Callable[[], Array]


class Event(ABC):
    """Something that happens where one of its numbers rises through zero; what is positive from the start has to fall first.

    ends : whether the run ends there; otherwise it is noted, and the integrator restarts
    called : its `name`, by which a `Switch` waits for it; its kind where it has none, such as "joint_limits"

    >>> JointLimits().called, When("half way", lambda t, state: t - 1.0).called
    ('joint_limits', 'half way')
    """

    ends: bool

    def met(self, values: Array) -> NDArray[np.bool_]:
        """Return which of the first values (k,) of a run, in their own units, have happened already."""
        return values > 0

    def values_of(self, model: Model, t: float, state: State, force: Callable[[], GeneralizedForce]) -> Array:
        """Return the numbers (k,) at t [s], each in a unit of its own; `force()` gives all that actuators do."""
        return self.values(model, t, state, lambda: force().tau)

    def of_many(self, batch: Batch, t: Array, states: State) -> Array | None:
        """Return the numbers (n, k), in their units, in n states at times t (n,) [s], by `model.batch`.

        None where it has single ones alone.
        """
        del batch, t, states
        return None

    @property
    def called(self) -> str:
        """Its name, or its kind in the words of files."""
        return getattr(self, "name", "") or re.sub("(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()

    @property
    def lasts(self) -> float:
        """How long a number has to be positive before the event happens [s]."""
        return 0.0

    @abstractmethod
    def names(self, model: Model) -> tuple[str, ...]:
        """Return what has happened, one phrase per number; raises `InvalidInput` and `UnknownName` for what does not fit."""

    @abstractmethod
    def values(self, model: Model, t: float, state: State, tau: Force) -> Array:
        """Return the numbers (k,) at t [s], each in a unit of its own; `tau()` gives the joint forces (N,) [N m or N]."""


@checked
@dataclass(frozen=True)
class JointLimits(Event):
    """A coordinate passes a limit that the system file gives it.

    >>> JointLimits(ends=False)
    JointLimits(ends=False, name='')
    """

    ends: bool = True
    name: str = ""

    def names(self, model: Model) -> tuple[str, ...]:
        limits = [
            (c.name, word, limit, c.unit)
            for word in ("lower", "upper")
            for c in model.system.coordinates
            if np.isfinite(limit := getattr(c, word))
        ]
        return tuple(f"'{name}' passed its {word} limit {limit:g} {unit}" for name, word, limit, unit in limits)

    def values(self, model: Model, t: float, state: State, tau: Force) -> Array:
        """Return how far beyond its limits each coordinate is."""
        lower, upper = (np.array([getattr(c, word) for c in model.system.coordinates]) for word in ("lower", "upper"))
        return np.concatenate([(lower - state.q)[np.isfinite(lower)], (state.q - upper)[np.isfinite(upper)]])


@checked
@dataclass(frozen=True, eq=False)
class Saturation(Event):
    """The controller asks a joint for more than it can give; the run goes on with what was asked for.

    tau_max : one number or (N,), > 0 [N m or N]

    >>> start = scmanip.State.at_rest(system, q=[0.0] * 4)
    >>> run = simulate(plant, law, start, reference=reference, t_end_s=1.0, output_step_s=0.5, events=[Saturation(0.1)])
    >>> run.events[0]
    "the joint force of 'joint1' passed 0.1 N m at t = 0.363627703 s"
    """

    tau_max: ArrayLike
    ends: bool = False
    name: str = ""

    def names(self, model: Model) -> tuple[str, ...]:
        limit = numbers("Saturation tau_max", self.tau_max)
        if limit.shape not in ((), (model.layout.N,)) or not np.all(limit > 0):
            raise InvalidInput(Problem("Saturation tau_max", f"a number > 0 or {model.layout.N} of them", str(limit.tolist())))
        return tuple(
            f"the joint force of '{f.name}' passed {most:g} {'N m' if f.turns else 'N'}"
            for f, most in zip(model.system.freedoms, np.broadcast_to(limit, model.layout.N), strict=True)
        )

    def values(self, model: Model, t: float, state: State, tau: Force) -> Array:
        """Return how far the joint forces are beyond the limits."""
        return np.abs(tau()) - np.asarray(self.tau_max, dtype=np.float64)


@checked
@dataclass(frozen=True)
class Approach(Event):
    """The origins of two frames come closer than `distance_m`.

    >>> near = Approach("tip", "base", 0.5)
    >>> near.called, near.ends
    ('approach', True)
    """

    frame: str
    other: str
    distance_m: float
    ends: bool = True
    name: str = ""

    def names(self, model: Model) -> tuple[str, ...]:
        model.system.frame(self.frame), model.system.frame(self.other)
        refuse(number_problems({"Approach distance_m": self.distance_m}, {}))
        return (f"'{self.frame}' and '{self.other}' came closer than {self.distance_m:g} m",)

    def values(self, model: Model, t: float, state: State, tau: Force) -> Array:
        """Return how much closer they are."""
        between = model.position(state, self.frame) - model.position(state, self.other)
        return np.array([self.distance_m - np.linalg.norm(between)])

    def of_many(self, batch: Batch, t: Array, states: State) -> Array:
        """Return the same in n states (n, 1)."""
        return self.distance_m - _sizes(batch.position(states, self.frame) - batch.position(states, self.other))


@checked
@dataclass(frozen=True, eq=False)
class Near(Event):
    """The origin of a frame comes closer than `distance_m` to a point in N.

    point_m : (3,)

    >>> from scmanip.control import TaskComputedTorque
    >>> lead = TaskComputedTorque(model, scmanip.Floating(), axes=("x", "y"))
    >>> half = Near("tip", reach.at(5.0).position_m, 0.05)
    >>> run = simulate(plant, lead, state, reference=reach, t_end_s=5.0, events=[half])
    >>> run.outcome.name, round(float(run.t[-1]), 3)
    ('EVENT', 2.5)
    """

    frame: str
    point_m: ArrayLike
    distance_m: float
    ends: bool = True
    name: str = ""

    def names(self, model: Model) -> tuple[str, ...]:
        model.system.frame(self.frame)
        refuse(number_problems({"Near distance_m": self.distance_m}, {}) + array_problems("Near point_m", self.point_m, (3,)))
        place = ", ".join(f"{x:g}" for x in np.asarray(self.point_m))
        return (f"'{self.frame}' came closer than {self.distance_m:g} m to ({place}) m",)

    def values(self, model: Model, t: float, state: State, tau: Force) -> Array:
        """Return how much closer it is."""
        away = model.position(state, self.frame) - np.asarray(self.point_m, dtype=np.float64)
        return np.array([self.distance_m - np.linalg.norm(away)])

    def of_many(self, batch: Batch, t: Array, states: State) -> Array:
        """Return the same in n states (n, 1)."""
        return self.distance_m - _sizes(batch.position(states, self.frame) - np.asarray(self.point_m, dtype=np.float64))


@checked
@dataclass(frozen=True)
class When(Event):
    """`function` (t, state) -> number rises through zero; `name` says what that means.

    >>> fast = When("joint1 turns fast", lambda t, state: state.qdot[0] - 0.05)
    >>> start = scmanip.State.at_rest(system, q=[0.0] * 4)
    >>> run = simulate(plant, law, start, reference=reference, t_end_s=2.0, events=[fast])
    >>> run.outcome.name, run.advice
    ('EVENT', 'joint1 turns fast at t = 1.02823308 s')
    """

    name: str
    function: Callable[[float, State], float]
    ends: bool = True

    def names(self, model: Model) -> tuple[str, ...]:
        expect("When name", self.name, str, "what it means that the function rises through zero")
        if not takes(self.function, 2):
            raise InvalidInput(Problem("When function", "a function (t, state) -> number", repr(self.function)))
        return (self.name,)

    def values(self, model: Model, t: float, state: State, tau: Force) -> Array:
        value = self.function(t, state)
        try:
            return np.array([float(value)])
        except (TypeError, ValueError, OverflowError):
            raise InvalidInput(Problem(f"event '{self.name}' at t = {t:g} s", "a number", repr(value))) from None


def _sizes(rows: Array) -> Array:
    """Return the sizes (n, 1) of rows (n, 3)."""
    return np.asarray(np.linalg.norm(rows, axis=1, keepdims=True))
