"""What one contact may do, as equations."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..spatial import Array
from ._problem import Problem


class Grip(Enum):
    """What friction does at a contact."""

    NONE = "no force"
    STICK = "sticks"
    SLIDE = "slides in a given direction"
    TURN = "begins to slide in a direction that is sought"


@dataclass(frozen=True, eq=False)
class Choice:
    """A contact that is closed (a_n = 0) or not (f_n = floor), and its friction; `direction` (k,) of slip where it is given."""

    closed: bool
    grip: Grip
    direction: Array


def choices(problem: Problem, i: int) -> list[Choice]:
    """Return all that contact i may do."""
    return [choice for closed in (False, True) for choice in _grips(problem, i, closed)]


def _grips(problem: Problem, i: int, closed: bool) -> list[Choice]:
    none = np.zeros(problem.k)
    if not problem.k or not problem.mu[i] or not (closed or problem.floor[i]):
        return [Choice(closed, Grip.NONE, none)]
    if problem.slides[i]:
        return [Choice(closed, Grip.SLIDE, problem.slip[i])]
    stick = Choice(closed, Grip.STICK, none)
    if problem.k == 1:
        return [stick, *(Choice(closed, Grip.SLIDE, np.array([sign])) for sign in (1.0, -1.0))]
    return [stick, Choice(closed, Grip.TURN, none)]
