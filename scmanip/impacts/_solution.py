"""How many answers a problem of contact has, and what they are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..spatial import Array
from ._problem import TOLERANCE, Problem

SAME = 1e-7  # of the largest number of its kind: answers that are nearer to each other are one
_RANK = 1e-11  # of the largest singular value


class Answers(Enum):
    """How many motions satisfy all conditions of rigid contact and Coulomb friction."""

    ONE = "one motion, and all forces are known"
    ONE_MOTION = "one motion, and forces that are not all determined: small ones are given"
    SEVERAL = "several motions: rigid bodies do not say which of them comes"
    NONE = "no motion: rigid bodies and Coulomb friction contradict each other"
    NOT_FOUND = "the iteration did not come to an end"


@dataclass(frozen=True, eq=False)
class Solution:
    """Answers to a problem: how many, and f (s, d), one for each motion."""

    answers: Answers
    f: Array

    @classmethod
    def of(cls, problem: Problem, candidates: Array) -> Solution:
        """Return the answers among candidates f (s, d), those that satisfy every condition."""
        f = candidates[problem.misses(candidates) <= TOLERANCE]
        motions = _groups(f, f @ problem.W.T + problem.b, problem.units(f)[0])
        if len(motions) != 1:
            smallest = np.array([_smallest(forces) for forces in motions]).reshape(-1, len(problem.b))
            return cls(Answers.SEVERAL if motions else Answers.NONE, smallest)
        (forces,) = motions
        known = len(_groups(forces, forces, problem.units(forces)[1])) == 1 and not is_loose(problem, _smallest(forces))
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


def is_loose(problem: Problem, f: Array) -> bool:
    """Whether forces f (d,) may change a little, either way, with neither a motion nor a condition that notices."""
    (f_n, f_t), columns = problem.split(f), []
    unit = SAME * problem.units(f[None])[1][0]
    for i in range(problem.c):
        size = np.linalg.norm(f_t[i])
        column = np.zeros(len(f))
        column[i] = 1
        if f_n[i] <= unit:
            continue
        if problem.slides[i] or (size > unit and size >= problem.mu[i] * f_n[i] - unit):
            column[problem.tangents(i)] = f_t[i] / f_n[i]
        elif problem.mu[i]:
            columns += list(np.eye(len(f))[problem.tangents(i)])
        if f_n[i] > problem.floor[i] + unit:
            columns.append(column)
    if not columns:
        return False
    sizes = np.linalg.svd(problem.W @ np.stack(columns, axis=1), compute_uv=False)
    return len(sizes) < len(columns) or bool(sizes[-1] <= _RANK * sizes[0])
