"""One joint after the other, out and back and home [Wilde2018] section Numerical Simulations."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem
from ..spatial import Array
from ._checks import number_problems, row
from ._joint_reference import JointReference
from ._rate_step import RateStep
from ._reference import Reference


class JointSequence(Reference):
    """Move the joints in turn: out at +rate, rest, back past the start at -rate, rest, home at +rate, settle.

    Every leg is a ramp, a cruise and a ramp of the joint's rate; the ramps are quintic (`RateStep`), so a leg covers
    rate * (ramp + cruise). The paper gives the rates and the durations of legs and rests; the defaults read it as
    ramps of 1 s and cruises of 9, 19 and 9 s, which makes the legs exactly +1, -2 and +1 rad. The settling rest after
    each joint is ours: the next joint starts from a quiet arm. A joint takes 49 s with the defaults.

    q_home : (n_q,) joint coordinates at the start [rad or m], or the number of joints, all at zero
    joints : numbers from 0, in the order in which they move; all from the base outward when left out
    rate_rad_s : cruise rate [rad/s; m/s of a prismatic joint]
    ramp_s, rest_s, settle_s : durations [s] of one ramp, of the rests between legs, of the rest after the last leg
    cruise_s : (3,) durations [s] at constant rate of the three legs

    Raises `InvalidInput` for numbers that are not finite, durations that are negative and joints that do not exist.
    """

    def __init__(
        self,
        q_home: ArrayLike | int,
        *,
        joints: Sequence[int] | None = None,
        rate_rad_s: float = 0.1,
        ramp_s: float = 1.0,
        cruise_s: Sequence[float] = (9.0, 19.0, 9.0),
        rest_s: float = 2.0,
        settle_s: float = 2.0,
    ) -> None:
        home = _home(q_home)
        moving = tuple(range(home.size)) if joints is None else tuple(joints)
        _check(home.size, moving, rate_rad_s, ramp_s, cruise_s, rest_s, settle_s)
        steps = [(j, s) for j in moving for s in _cycle(rate_rad_s, ramp_s, cruise_s, rest_s, settle_s) if s.duration > 0]
        self._moving = moving
        self._joints = tuple(joint for joint, _ in steps)
        self._steps = tuple(step for _, step in steps)
        self._times = tuple(accumulate((step.duration for step in self._steps), initial=0.0))
        self._positions = _positions(home, steps)

    def at(self, t: float) -> JointReference:
        """Return the reference at `t` [s]: q (n_q,), qdot (N,), qddot (N,); at rest before 0 and after the end."""
        number = bisect_right(self._times, t) - 1
        q = self._positions[max(number, 0)].copy()
        qdot, qddot = np.zeros_like(q), np.zeros_like(q)
        if 0 <= number < len(self._steps):
            joint, step, since = self._joints[number], self._steps[number], t - self._times[number]
            q[joint] += step.distance(since)
            qdot[joint] = step.rate(since)
            qddot[joint] = step.acceleration(since)
        return JointReference(q, qdot, qddot)

    @property
    def corners_s(self) -> tuple[float, ...]:
        """Boundaries [s] of all ramps, cruises and rests, the first and the last included."""
        return self._times

    @property
    def t_end_s(self) -> float:
        """End of the last rest [s]."""
        return self._times[-1]

    def __repr__(self) -> str:
        return f"JointSequence(n_q={self._positions.shape[1]}, joints={self._moving}, t_end_s={self.t_end_s:g})"


def _home(q_home: ArrayLike | int) -> Array:
    """Return the joint coordinates at the start; a number of joints means all at zero."""
    if not isinstance(q_home, int):
        return row("q_home", q_home)
    if q_home < 0:
        raise InvalidInput(Problem("q_home", "joint coordinates or a number of joints", str(q_home)))
    return row("q_home", np.zeros(q_home))


def _cycle(rate: float, ramp: float, cruise: Sequence[float], rest: float, settle: float) -> Iterator[RateStep]:
    """Yield the steps of one joint: three legs, each followed by its rest."""
    for v, duration, pause in zip((rate, -rate, rate), cruise, (rest, rest, settle), strict=True):
        yield RateStep(ramp, 0.0, v)
        yield RateStep(duration, v, 0.0)
        yield RateStep(ramp, v, -v)
        yield RateStep(pause, 0.0, 0.0)


def _positions(home: Array, steps: Sequence[tuple[int, RateStep]]) -> Array:
    """Return (n + 1, n_q): the joint coordinates at the start of each step, and at the end of the last."""
    positions = np.tile(home, (len(steps) + 1, 1))
    for number, (joint, step) in enumerate(steps):
        positions[number + 1 :, joint] += step.length
    return positions


def _check(
    n_q: int, joints: Sequence[int], rate: float, ramp: float, cruise: Sequence[float], rest: float, settle: float
) -> None:
    problems = [Problem("cruise_s", "three durations", repr(cruise))] if np.shape(cruise) != (3,) else []
    lengths = {"rest_s": rest, "settle_s": settle}
    lengths |= {} if problems else {f"cruise_s[{i}]": value for i, value in enumerate(cruise)}
    problems += number_problems({"rate_rad_s": rate, "ramp_s": ramp}, lengths)
    problems += [
        Problem("joints", f"joint numbers from 0 to {n_q - 1}", repr(joint))
        for joint in joints
        if not (isinstance(joint, int | np.integer) and 0 <= joint < n_q)
    ]
    if problems:
        raise InvalidInput(problems)
