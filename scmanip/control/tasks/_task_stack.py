"""Several tasks at once, the first of them first, for the accelerations of what a mode commands [Siciliano1991]."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from ...dynamics import Model
from ...guidance import JointReference, PoseReference, Sample
from ...modes import CentroidalDynamics, DrivenSpeeds, ManoeuvreMode, Situation
from ...spatial import Array, scalar_type
from ...symbolic import maximum
from ...system import State
from .._recorded_law import RecordedLaw, believed_of, can_be_recorded, estimate_numbers
from .._resolution import Resolution
from ..several._together import own_name


class TaskRows(NamedTuple):
    """J ds/dt = asked, of the commanded speeds s (n_c,): J (k, n_c), asked (k,)."""

    J: Array
    asked: Array


class LevelRows(NamedTuple):
    """All rows of a level, J ds/dt = asked, and the singular value below which they are damped; None: it takes the rest."""

    J: Array
    asked: Array
    sigma_0: Any


@dataclass(frozen=True, eq=False)
class DrivenMotion:
    """A system in one state with the equations of what a mode commands; any scalar.

    of_base : whether the mode places the base CoM: then speeds are those of u, elsewhere of s = [v_C; omega_0; qdot]
    """

    now: Situation
    driven: DrivenSpeeds
    of_base: bool

    @classmethod
    def of(cls, now: Situation, mode: ManoeuvreMode, pushes: Sequence[Array] = ()) -> DrivenMotion:
        """Return that of a situation in a mode under generalized forces (n_u,) from elsewhere."""
        whole = reduce(CentroidalDynamics.pushed, pushes, CentroidalDynamics.at(now))
        return cls(now, whole.driven(mode.actuated(now.system.layout)), mode.places_base)

    @property
    def speeds(self) -> Array:
        """(n_c,) the commanded ones."""
        whole, u = self.driven.whole, self.now.u
        s = u if self.of_base or whole.held else np.concatenate([whole.M[:3] @ u / whole.m_tot, u[3:]])
        return s[self.driven.commanded]

    def rows(self, J: Array, rate: Array, asked: Array) -> TaskRows:
        """Return J udot + rate = asked, J (k, n_u), as rows of the commanded speeds."""
        if self.of_base:
            return TaskRows(J[:, self.driven.commanded], asked - rate)
        return TaskRows(self.driven.jacobian(J), asked - rate - self.driven.drift(J))

    def forces(self, acceleration: Array) -> Array:
        """Return the forces (n_u,) on s that give the commanded speeds an acceleration (n_c,)."""
        whole, commanded = self.driven.whole, self.driven.commanded
        if self.of_base:
            udot = np.zeros(len(whole.M), dtype=scalar_type(acceleration))
            udot[commanded] = acceleration
            acceleration = whole.centroidal(udot)[commanded]
        return self.driven.forces(acceleration)

    def all_accelerations(self, acceleration: Array) -> Array:
        """Return udot (n_u,) where the commanded speeds have an acceleration (n_c,) and all others react."""
        udot = np.zeros(len(self.driven.whole.M), dtype=scalar_type(acceleration, self.driven.R))
        udot[self.driven.commanded], udot[self.driven.free] = acceleration, -(self.driven.R @ acceleration + self.driven.r)
        return udot if self.of_base else self.driven.whole.accelerations(udot)

    def chosen(self, places: Sequence[int], asked: Array) -> TaskRows:
        """Return the rows of commanded speeds themselves; places : theirs in s."""
        return TaskRows(np.eye(len(self.driven.whole.M))[list(places)][:, self.driven.commanded], asked)


class TaskEquation(ABC):
    """What the stack asks of a task.

    estimate, mode : what it believes the system to be, and the mode that it flies in
    most_rows : of its equation; takes_the_rest : whether nothing is left to tasks after it
    """

    estimate: Model
    mode: ManoeuvreMode
    most_rows: int
    takes_the_rest: bool = False

    @property
    @abstractmethod
    def form(self) -> Hashable:
        """Equal forms mean equal equations."""

    @property
    @abstractmethod
    def numbers(self) -> Mapping[str, Array]:
        """Gains and the like in SI, by name, with "sigma_0" (1,) below which its rows are damped, unless it takes the rest."""

    @abstractmethod
    def rows(self, motion: DrivenMotion, wanted: Sample | None, numbers: Mapping[str, Array]) -> TaskRows:
        """Return its equation, rows (k, n_c), for a sample of the reference, in SI and over any scalar.

        Raises `InvalidInput` for a wrong sample.
        """

    def push(self, now: Situation, numbers: Mapping[str, Array]) -> Array | None:
        """Return what acts on the system beside the command (n_u,) [N, N m], over any scalar; None where nothing does."""
        del now, numbers
        return None


@dataclass(frozen=True, eq=False)
class TaskStack:
    """Tasks in levels, of which each is done as well as those before it let it.

        ds/dt <- ds/dt + (J N)# (asked - J ds/dt),   N <- N - (J N)# (J N)

    (J N)# is the inverse by least squares, damped near singularities (`Resolution`); J and asked are all rows of a level,
    those of each task times its weight. N leads to what is left: there the joints do what a task that takes the rest asks of
    them, and all other commanded speeds go to rest, ds/dt = -rest_K_D s.

    levels : of each task, ascending; weights : (n,); rest_K_D : [1/s]
    """

    tasks: tuple[TaskEquation, ...]
    levels: tuple[int, ...]
    weights: Array
    rest_K_D: float

    @classmethod
    def of_one(cls, task: TaskEquation) -> TaskStack:
        """Return that of one task."""
        return cls((task,), (1,), np.ones(1), 1.0)

    @property
    def numbers(self) -> dict[str, Array]:
        """Those of the tasks, its own and those of the estimate, by name."""
        of_one = len(self.tasks) == 1
        own = {own_name(k, name) if not of_one else name: a for k, t in enumerate(self.tasks) for name, a in t.numbers.items()}
        mine = {} if of_one else {"weights": self.weights, "rest_K_D": np.array([self.rest_K_D])}
        return {**own, **mine, **estimate_numbers(self.tasks[0].estimate)}

    def command(self, state: State, wanted: Sample | None) -> Array:
        """Return the command, (N,) or (6 + N,), in a state."""
        return self.said(Situation.of(self.tasks[0].estimate, state), wanted, self.numbers)

    def said(self, now: Situation, wanted: Sample | None, numbers: Mapping[str, Array]) -> Array:
        """Return the command over any scalar."""
        motion = self.motion(now, numbers)
        return self.applied(motion, self.accelerations(motion, wanted, numbers))

    def motion(self, now: Situation, numbers: Mapping[str, Array]) -> DrivenMotion:
        """Return the equations of what the mode commands, over any scalar."""
        pushes = [task.push(now, self._numbers_of(k, numbers)) for k, task in enumerate(self.tasks)]
        return DrivenMotion.of(now, self.tasks[0].mode, [push for push in pushes if push is not None])

    def applied(self, motion: DrivenMotion, accelerations: Array) -> Array:
        """Return the command that gives the commanded speeds accelerations (n_c,), over any scalar."""
        return self.tasks[0].mode.command_for(motion.driven.whole, motion.forces(accelerations))

    def accelerations(self, motion: DrivenMotion, wanted: Sample | None, numbers: Mapping[str, Array]) -> Array:
        """Return ds/dt (n_c,) of the commanded speeds, over any scalar."""
        levels, rest = self.asked(motion, wanted, numbers)
        found, left = 0 * rest, np.eye(len(rest), dtype=int)
        for J, asked, sigma_0 in levels:
            within = J @ left
            done = Resolution(within, 0 * asked, sigma_0).rates(np.column_stack([asked - J @ found, within]))
            found, left = found + done[:, 0], left - done[:, 1:]
        return found + left @ rest

    def asked(self, motion: DrivenMotion, wanted: Sample | None, numbers: Mapping[str, Array]) -> tuple[list[LevelRows], Array]:
        """Return the levels that leave something, one after the other, and what the speeds do in what these leave (n_c,)."""
        K = self.rest_K_D if len(self.tasks) == 1 else numbers["rest_K_D"][0]
        rest, levels = -K * motion.speeds, list[LevelRows]()
        for level in dict.fromkeys(self.levels):
            places = [k for k, other in enumerate(self.levels) if other == level]
            rows = self._level(places, motion, wanted, numbers)
            if rows.sigma_0 is None:
                rest = rest + rows.J.T @ (rows.asked - rows.J @ rest)
            else:
                levels.append(rows)
        return levels, rest

    def _level(
        self, places: Sequence[int], motion: DrivenMotion, wanted: Sample | None, numbers: Mapping[str, Array]
    ) -> LevelRows:
        """Return the rows of a level; of one that takes the rest they are those of speeds."""
        own = [self._numbers_of(k, numbers) for k in places]
        each = [self.tasks[k].rows(motion, wanted, its) for k, its in zip(places, own, strict=True)]
        weights = numbers["weights"][places] if len(places) > 1 else np.ones(1, dtype=int)
        J = np.concatenate([weight * rows.J for weight, rows in zip(weights, each, strict=True)])
        asked = np.concatenate([weight * rows.asked for weight, rows in zip(weights, each, strict=True)])
        damped = not self.tasks[places[0]].takes_the_rest
        return LevelRows(J, asked, reduce(maximum, [its["sigma_0"][0] for its in own]) if damped else None)

    def _numbers_of(self, k: int, numbers: Mapping[str, Array]) -> Mapping[str, Array]:
        if len(self.tasks) == 1:
            return numbers
        return {name: numbers[own_name(k, name)] for name in self.tasks[k].numbers}

    def recorded(self, follows: Sequence[type[JointReference] | type[PoseReference]]) -> RecordedLaw | None:
        """Return the stack as equations; follows : the kinds of samples that all of its tasks take."""
        return RecordedStack(self, tuple(follows)) if can_be_recorded(self.tasks[0].estimate) else None


@dataclass(frozen=True, eq=False)
class RecordedStack(RecordedLaw):
    """A stack as equations."""

    stack: TaskStack
    kinds: tuple[type[JointReference] | type[PoseReference], ...]

    @property
    def follows(self) -> type[JointReference] | type[PoseReference]:
        return self.kinds[0]

    @property
    def takes(self) -> tuple[type[JointReference] | type[PoseReference], ...]:
        return self.kinds

    @property
    def key(self) -> Hashable:
        first = self.stack.tasks[0]
        mode, estimate = first.mode, first.estimate
        flown = tuple(mode.actuated(estimate.layout).tolist()), mode.places_base, type(mode).command_for
        return "tasks", tuple(task.form for task in self.stack.tasks), self.stack.levels, flown, estimate.family

    @property
    def numbers(self) -> Mapping[str, Array]:
        return self.stack.numbers

    def force(self, x: Array, wanted: Any, numbers: Mapping[str, Array]) -> Array:
        now = Situation.recorded(self.stack.tasks[0].estimate, x, believed_of(numbers))
        return self.stack.said(now, wanted, numbers)
