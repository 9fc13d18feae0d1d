"""What one contact may do, as equations."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..spatial import Array
from ._problem import ContactProblem


class Grip(Enum):
    """What friction does at a contact."""

    NONE = "no force"
    STICK = "sticks"
    SLIDE = "slides in a given direction"
    TURN = "begins to slide in a direction that is sought"


@dataclass(frozen=True, eq=False)
class ContactChoice:
    """A contact that is closed (a_n = 0) or not (f_n = floor), and its friction; `direction` (k,) of slip where it is given."""

    closed: bool
    grip: Grip
    direction: Array


def choices(problem: ContactProblem, i: int) -> list[ContactChoice]:
    """Return all that contact i may do."""
    return [choice for closed in (False, True) for choice in _grips(problem, i, closed)]


def _grips(problem: ContactProblem, i: int, closed: bool) -> list[ContactChoice]:
    none = np.zeros(problem.k)
    if not problem.k or not problem.mu[i] or not (closed or problem.floor[i]):
        return [ContactChoice(closed, Grip.NONE, none)]
    if problem.slides[i]:
        return [ContactChoice(closed, Grip.SLIDE, problem.slip[i])]
    stick = ContactChoice(closed, Grip.STICK, none)
    if problem.k == 1:
        return [stick, *(ContactChoice(closed, Grip.SLIDE, np.array([sign])) for sign in (1.0, -1.0))]
    return [stick, ContactChoice(closed, Grip.TURN, none)]
