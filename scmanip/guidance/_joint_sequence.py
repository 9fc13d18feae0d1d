"""One joint after the other, out and back and home [Wilde2018] section Numerical Simulations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..errors import Problem, checked, refuse
from ..spatial import coefficient_problems, positive_problems
from ..system import Layout
from ._home import Home
from ._rate_step import RateStep
from ._rate_steps import RateSteps


@checked
class JointSequence(RateSteps):
    """Move the joints in turn: out at +rate, rest, back past the start at -rate, rest, home at +rate, settle.

    Every leg is a ramp, a cruise and a ramp of the joint's rate; the ramps are quintic (`RateStep`), so a leg covers
    rate * (ramp + cruise). The paper gives the rates and the durations of legs and rests; the defaults read it as
    ramps of 1 s and cruises of 9, 19 and 9 s, which makes the legs exactly +1, -2 and +1 rad. The settling rest after
    each joint is ours: the next joint starts from a quiet arm. A joint takes 49 s with the defaults.

    The angles of a gimbal move one after the other, as if they were joints. A spherical joint has no coordinate that could
    run at a rate; it is held.

    q_home : (n_q,) joint coordinates at the start [rad or m], or the number of joint rates, all joints at zero
    layout : `system.layout`, needed where the system has spherical joints
    joints : places in qdot, from 0, in the order in which they move; all from the base outward when left out
    rate_rad_s : cruise rate [rad/s; m/s of a prismatic joint]
    ramp_s, rest_s, settle_s : durations [s] of one ramp, of the rests between legs, of the rest after the last leg
    cruise_s : (3,) durations [s] at constant rate of the three legs

    Raises `InvalidInput` for numbers that are not finite, durations that are negative, joints that do not exist or are
    spherical, and, with a layout, a `q_home` that is none of it.

    >>> sequence = JointSequence(4, rate_rad_s=0.1)
    >>> sequence.t_end_s, [round(float(sequence.at(t).q[0]), 6) for t in (0.0, 11.0, 34.0, 47.0)]
    (196.0, [0.0, 1.0, -1.0, -0.0])
    """

    def __init__(
        self,
        q_home: ArrayLike | int,
        *,
        layout: Layout | None = None,
        joints: Sequence[int] | None = None,
        rate_rad_s: float = 0.1,
        ramp_s: float = 1.0,
        cruise_s: Sequence[float] = (9.0, 19.0, 9.0),
        rest_s: float = 2.0,
        settle_s: float = 2.0,
    ) -> None:
        home = Home.of("q_home", q_home, layout)
        moving = tuple(home.places) if joints is None else tuple(joints)
        _check(home, moving, rate_rad_s, ramp_s, cruise_s, rest_s, settle_s)
        steps = [(j, s) for j in moving for s in _cycle(rate_rad_s, ramp_s, cruise_s, rest_s, settle_s) if s.duration > 0]
        unit, self._n_q, self._moving = np.eye(home.N), home.q.size, moving
        super().__init__(home, [(step.duration, step.v_0 * unit[j], step.dv * unit[j]) for j, step in steps])

    def __repr__(self) -> str:
        return f"JointSequence(n_q={self._n_q}, joints={self._moving}, t_end_s={self.t_end_s:g})"


def _cycle(rate: float, ramp: float, cruise: Sequence[float], rest: float, settle: float) -> Iterator[RateStep]:
    """Yield the steps of one joint: three legs, each followed by its rest."""
    for v, duration, pause in zip((rate, -rate, rate), cruise, (rest, rest, settle), strict=True):
        yield RateStep(ramp, 0.0, v)
        yield RateStep(duration, v, 0.0)
        yield RateStep(ramp, v, -v)
        yield RateStep(pause, 0.0, 0.0)


def _check(
    home: Home, joints: Sequence[int], rate: float, ramp: float, cruise: Sequence[float], rest: float, settle: float
) -> None:
    problems = [Problem("cruise_s", "three durations", repr(cruise))] if len(cruise) != 3 else []
    cruises = {} if problems else {f"cruise_s[{i}]": value for i, value in enumerate(cruise)}
    problems += positive_problems("rate_rad_s", rate) + positive_problems("ramp_s", ramp)
    for key, length in {"rest_s": rest, "settle_s": settle, **cruises}.items():
        problems += coefficient_problems(key, length)
    problems += [problem for joint in joints for problem in _joint_problems(home, joint)]
    refuse(problems)


def _joint_problems(home: Home, joint: object) -> list[Problem]:
    if not (isinstance(joint, int | np.integer) and 0 <= joint < home.N):
        return [Problem("joints", f"joint numbers from 0 to {home.N - 1}", repr(joint))]
    if joint not in home.places:
        found = f"{joint}, '{home.names[int(joint)]}', of a spherical joint or of what the base does not carry"
        return [Problem("joints", "joints that an angle or a length moves", found, hint="a spherical joint is held")]
    return []
