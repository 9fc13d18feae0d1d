"""All joints together, each with its share of one rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..errors import Problem, checked, refuse
from ..spatial import positive_problems
from ..system import Layout
from ._checks import row
from ._home import Home
from ._rate_steps import RateSteps


@checked
class RateProfile(RateSteps):
    """Move every joint at its share of a rate that goes smoothly (`RateStep`) from one value to the next.

    A profile of our own.

    q_home : (n_q,) joint coordinates at the start [rad or m], or the number of joint rates, all joints at zero
    shares : (N,) what the rate is multiplied with for each joint; zero for spherical joints
    steps : of each stretch its duration > 0 [s], the rate at its start and the rate at its end [rad/s or m/s]
    layout : `system.layout`, needed where the system has spherical joints

    Raises `InvalidInput` for numbers that are not finite, another number of shares and durations that are not positive.

    >>> profile = RateProfile(2, [1.0, 0.5], [(1.0, 0.0, 0.1), (4.0, 0.1, 0.1), (1.0, 0.1, 0.0)])
    >>> profile.t_end_s, profile.at(6.0).q.round(6).tolist()
    (6.0, [0.5, 0.25])
    """

    def __init__(
        self,
        q_home: ArrayLike | int,
        shares: ArrayLike,
        steps: Sequence[Sequence[float]],
        *,
        layout: Layout | None = None,
    ) -> None:
        home, share = Home.of("q_home", q_home, layout), row("shares", shares)
        problems = [] if share.shape == (home.N,) else [Problem("shares", f"{home.N} numbers", f"{share.size}")]
        problems += [Problem("shares", "zero for a spherical joint", f"{share[j]:g}") for j in _held(home, share)]
        for number, step in enumerate(steps):
            problems += _step_problems(f"steps[{number}]", step)
        refuse(problems)
        super().__init__(home, [(float(T), v_0 * share, (v_1 - v_0) * share) for T, v_0, v_1 in steps])

    def __repr__(self) -> str:
        return f"RateProfile(steps={len(self.corners_s) - 1}, t_end_s={self.t_end_s:g})"


def _held(home: Home, share: np.ndarray) -> list[int]:
    return [j for j in range(min(home.N, share.size)) if j not in home.places and share[j]]


def _step_problems(key: str, step: Sequence[float]) -> list[Problem]:
    if np.shape(step) != (3,):
        return [Problem(key, "a duration and two rates", repr(step))]
    duration, *rates = step
    problems = positive_problems(f"{key} duration", duration)
    return problems if np.all(np.isfinite(rates)) else [*problems, Problem(key, "finite rates", repr(step))]
