"""All answers to a problem of contact, by trying what every contact may do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from ..errors import checked
from ..spatial import Array
from ._choice import choices
from ._modes import Modes
from ._problem import ContactProblem
from ._solution import Answers, Solution
from ._sweeps import swept

MOST_ENUMERATED = 4  # contacts; each more takes four times as long
MOST_EXPANDING = 2  # contacts of which all answers are looked for where each has an impulse at least
_STARTS = {0: 1, 1: 12, 2: 6, 3: 4, 4: 4}  # directions that are tried, of each contact of so many that begin to slide in space


@checked
def enumerated(problem: ContactProblem) -> Solution:
    """Return every answer to a problem of at most `MOST_ENUMERATED` contacts.

    In a plane every combination of open, closed and sticking, closed and sliding either way is a set of linear equations,
    so that none is left out. In space the directions in which resting contacts begin to slide are found by Newton's
    method from 12 directions (6, 4, 4 of each of two, three, four such contacts): there, several are at least so many.
    What the sweeps find is tried too, because forces that are not all determined may be possible in a corner alone.
    A search of our own.

    >>> problem = ContactProblem.at_rest(W=np.eye(2), b=np.array([-1.0, 0.2]), mu=np.array([0.5]))  # it approaches and slips
    >>> solution = enumerated(problem)
    >>> solution.answers.name, (solution.f.round(6) + 0).tolist()  # it sticks
    ('ONE', [[1.0, -0.2]])
    """
    tried = [modes.forces(_starts(len(modes.turning))) for modes in _all(problem)]
    return Solution.of(problem, np.concatenate([*tried, swept(problem).f] if problem.k == 2 else tried))


def solved(problem: ContactProblem) -> Solution:
    """Return every answer to a problem of few contacts, else one answer: with floors each contact has more that it may do."""
    if problem.c <= (MOST_EXPANDING if problem.floor.any() else MOST_ENUMERATED):
        return enumerated(problem)
    found = swept(problem)
    return enumerated(problem) if found.answers is Answers.NOT_FOUND and problem.c <= MOST_ENUMERATED else found


def _all(problem: ContactProblem) -> Iterator[Modes]:
    """Yield every combination of what contacts may do."""
    for chosen in product(*(choices(problem, i) for i in range(problem.c))):
        yield Modes(problem, chosen)


def _starts(turning: int) -> Array:
    """Return angles (s, turning) from which directions of slip are sought."""
    count = _STARTS[turning]
    circle = 0.1 + 2 * np.pi * np.arange(count) / count  # off the axes, which symmetric arrangements share
    return np.array(list(product(circle, repeat=turning))).reshape(count**turning, turning)
