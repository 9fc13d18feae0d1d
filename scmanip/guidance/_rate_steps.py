"""Motion whose rates go smoothly from one value to the next, stretch by stretch."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from ..spatial import Array, scalar_type
from ._home import Home
from ._joint_reference import JointReference
from ._rate_step import Cruise, RateStep
from ._reference import ReferenceMotion
from ._reference_form import ReferenceForm


@dataclass(frozen=True)
class RateStepForm(ReferenceForm):
    """All rates make a `RateStep` of one duration: the numbers are its start [s], its duration, q there, v_0 and dv.

    n_q, N : of coordinates and of rates
    places : pairs of the place of a rate in qdot and of its coordinate in q; other coordinates stay
    """

    n_q: int
    N: int
    places: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, home: Home) -> RateStepForm:
        """Return the form of motion from a home."""
        return cls(home.q.size, home.N, tuple(home.places.items()))

    @property
    def size(self) -> int:
        """Length of a row of numbers."""
        return 2 + self.n_q + 2 * self.N

    def row(self, start: float, duration: float, q: Array, v_0: Array, dv: Array) -> Array:
        """Return the numbers of a stretch."""
        return np.concatenate([[start, duration], q, v_0, dv])

    def rest(self, q: Array) -> Array:
        """Return the numbers of a rest at q (n_q,)."""
        return self.row(0.0, 1.0, q, np.zeros(self.N), np.zeros(self.N))

    def at(self, t: Any, numbers: Array) -> JointReference:
        q, v_0, dv = self._arrays(numbers)
        return RateStretch(self, numbers[0], q, RateStep(numbers[1], v_0, dv)).at(t)

    def stretch(self, numbers: Array) -> RateStretch:
        """Return the stretch of a row of floats, in the form in which it is evaluated fastest."""
        start, duration = numbers[:2].tolist()
        q, v_0, dv = self._arrays(numbers)
        return RateStretch(self, start, q, RateStep(duration, v_0, dv) if dv.any() else Cruise(duration, v_0 + dv, dv))

    def _arrays(self, numbers: Array) -> tuple[Array, Array, Array]:
        """Return q, v_0 and dv of a row."""
        q, rates = numbers[2 : 2 + self.n_q], numbers[2 + self.n_q :]
        return q, rates[: self.N], rates[self.N :]

    def moved(self, q: Array, distance: Array) -> Array:
        """Return q (n_q,) after all joints have gone their distances (N,)."""
        if self.n_q == self.N:
            moved: Array = q + distance
            return moved
        place = np.array(q, dtype=scalar_type(q, distance))
        for j, i in self.places:
            place[i] = place[i] + distance[j]
        return place


@dataclass(frozen=True, eq=False)
class RateStretch:
    """A step of all rates that begins at `start` [s] and q (n_q,)."""

    form: RateStepForm
    start: Any
    q: Array
    step: RateStep

    def at(self, t: Any) -> JointReference:
        """Return the reference at `t` [s]."""
        step, since = self.step, t - self.start
        return JointReference(self.form.moved(self.q, step.distance(since)), step.rate(since), step.acceleration(since))


class RateSteps(ReferenceMotion):
    """Rest at a home, steps of all rates one after the other, rest.

    home : where the joints start
    steps : of every stretch its duration > 0 [s] and (N,) rates at its start and what comes to them [rad/s or m/s]
    """

    def __init__(self, home: Home, steps: Sequence[tuple[float, Array, Array]]) -> None:
        self._form, q = RateStepForm.of(home), np.array(home.q)
        self._times = tuple(accumulate((duration for duration, _, _ in steps), initial=0.0))
        self._rows = [self._form.rest(q)]
        for start, (duration, v_0, dv) in zip(self._times, steps, strict=False):
            self._rows.append(self._form.row(start, duration, q, v_0, dv))
            length = RateStep(duration, v_0, dv).length
            for j, i in self._form.places:
                q[i] += length[j]
        self._rows.append(self._form.rest(q))

    def at(self, t: float) -> JointReference:
        """Return the reference at `t` [s]: q (n_q,), qdot (N,), qddot (N,); at rest before 0 and after the end."""
        return self._stretches[bisect_right(self._times, t)].at(t)

    @cached_property
    def _stretches(self) -> list[RateStretch]:
        return [self._form.stretch(row) for row in self._rows]

    @property
    def form(self) -> ReferenceForm:
        """All stretches are steps of the rates."""
        return self._form

    def numbers(self, t: float) -> Array:
        """Return the numbers of the stretch that `t` [s] lies in."""
        return self._rows[bisect_right(self._times, t)]

    @property
    def corners_s(self) -> tuple[float, ...]:
        """Boundaries [s] of all stretches, the first and the last included."""
        return self._times
