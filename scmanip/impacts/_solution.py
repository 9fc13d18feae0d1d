"""How many answers a problem of contact has, and what they are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..spatial import Array
from ._problem import TOLERANCE, ContactProblem

SAME = 1e-7  # of the largest number of its kind: answers that are nearer to each other are one


class Answers(Enum):
    """How many motions satisfy all conditions of rigid contact and Coulomb friction.

    >>> Answers.ONE.is_a_motion, Answers.SEVERAL.is_a_motion, Answers.NONE.value
    (True, False, 'no motion: rigid bodies and Coulomb friction contradict each other')
    """

    ONE = "one motion, and all forces are known"
    ONE_MOTION = "one motion, and forces that are not all determined: small ones are given"
    FOUND = "a motion; whether there are others was not asked"
    SEVERAL = "several motions: rigid bodies do not say which of them comes"
    NONE = "no motion: rigid bodies and Coulomb friction contradict each other"
    NOT_FOUND = "the iteration did not come to an end"

    @property
    def is_a_motion(self) -> bool:
        """Whether there is one motion to go on with."""
        return self in (Answers.ONE, Answers.ONE_MOTION, Answers.FOUND)


@dataclass(frozen=True, eq=False)
class Solution:
    """Answers to a problem: how many, and f (s, d), one for each motion, in the units of the problem.

    It has no formula of its own.

    >>> problem = ContactProblem.at_rest(W=np.eye(2), b=np.array([-1.0, 2.0]), mu=np.array([0.5]))
    >>> solution = Solution.of(problem, np.array([[1.0, -0.5], [0.0, 0.0]]))  # the second lets it come nearer
    >>> solution.answers.name, solution.f.tolist()
    ('ONE', [[1.0, -0.5]])
    """

    answers: Answers
    f: Array

    @classmethod
    def of(cls, problem: ContactProblem, candidates: Array) -> Solution:
        """Return the answers among candidates f (s, d), those that satisfy every condition.

        In the units of the problem. Forces that are not all determined show as several: extreme ones have a contact open or at
        its limit of friction.
        """
        f = candidates[problem.misses(candidates) <= TOLERANCE]
        motions = _groups(f, f @ problem.W.T + problem.b, problem.units(f)[0])
        if len(motions) != 1:
            smallest = np.array([_smallest(forces) for forces in motions]).reshape(-1, len(problem.b))
            return cls(Answers.SEVERAL if motions else Answers.NONE, smallest)
        (forces,) = motions
        known = len(_groups(forces, forces, problem.units(forces)[1])) == 1
        return cls(Answers.ONE if known else Answers.ONE_MOTION, _smallest(forces)[None])


def _groups(f: Array, key: Array, unit: Array) -> list[Array]:
    """Return groups of rows of f (s, d) whose keys (s, d), measured by units (s,), are the same."""
    groups: list[Array] = []
    left = np.arange(len(f))
    while len(left):
        near = np.max(abs(key[left] - key[left[0]]), axis=1, initial=0.0) <= SAME * unit[left]
        groups.append(f[left[near]])
        left = left[~near]
    return groups


def _smallest(f: Array) -> Array:
    """Return the row of least norm."""
    return f[np.argmin(np.linalg.norm(f, axis=1))]
