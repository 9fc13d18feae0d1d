"""Stronge's law of impact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..spatial import Array
from ._enumeration import solved
from ._poisson import expansion
from ._problem import ContactProblem
from ._restitution import Restitution, joined, phase
from ._routh import routh
from ._solution import Answers, Solution
from ._sweeps import swept

_UNCOUPLED = 1e-13  # of the geometric mean of their own entries: contacts that feel less of each other are apart
_MOST = 1e3  # times Poisson's coefficient: friction that eats more leaves nothing to give back
_CLOSE = 1e-14  # of the work due, or of the scale
_TRIALS = 100


@dataclass(frozen=True)
class Energetic(Restitution):
    """Normal impulses give back e^2 of the work they took in compression [Stronge1990]; energy never rises.

    A contact that feels no other is followed in the impulse through all changes of its slip (`routh`). Contacts that feel
    each other are compressed together and expand together, as in `Poisson`, with as much normal impulse as does that work,
    and no more than keeps the energy from rising.

    Raises `InvalidInput` for numbers out of range.

    >>> floor = Contacts(N=np.array([[0.0, 1.0]]), T=np.array([[1.0, 0.0]]), mu=0.5)
    >>> found = impact(np.diag([2.0, 2.0]), np.array([3.0, -1.0]), floor, Energetic(0.5))
    >>> found.u_plus.round(6).tolist(), bool(found.energy_change < 0)
    ([2.25, 0.5], True)
    """

    kind: ClassVar[str] = "energetic"

    def impulses(self, struck: ContactProblem, e: Array) -> Solution:
        f, words = np.zeros((1, len(struck.b))), [Answers.ONE]
        for contacts in apart(struck):
            rows = [*contacts, *(j for i in contacts for j in range(*struck.tangents(i).indices(len(struck.b))))]
            part = ContactProblem(
                struck.W[np.ix_(rows, rows)], struck.b[rows], *(x[contacts] for x in (struck.mu, struck.slip, struck.floor))
            )
            answer = _alone(part, e[contacts]) if len(contacts) == 1 else _together(part, e[contacts])
            f[:, rows] = answer.f
            words.append(answer.answers)
        return Solution(max(words, key=list(Answers).index), f)


def _alone(struck: ContactProblem, e: Array) -> Solution:
    return Solution(Answers.ONE, routh(struck, float(e[0]))[None])


def _together(struck: ContactProblem, e: Array) -> Solution:
    """Return the impulses of contacts that feel each other."""
    compressed = phase(struck, solved(struck))
    (f,) = compressed.f
    due = -float(np.sum(e**2 * _normal_work(struck, f)))
    if due <= 0:
        return compressed

    def excess(scale: float) -> float:
        """How much work, or energy, a scale of Poisson's coefficients gives back beyond what is due."""
        after = expansion(struck, compressed, scale * e)
        (back,) = phase(after, swept(after)).f  # in a search one answer is enough; the last one is counted
        return max(float(np.sum(_normal_work(after, back))) - due, _energy(struck, f + back))

    after = expansion(struck, compressed, _zero(excess, due) * e)
    return joined(compressed, phase(after, solved(after)))


def _normal_work(problem: ContactProblem, f: Array) -> Array:
    """Return the work (c,) of normal impulses between the speeds b before and b + W f after."""
    return problem.split(f)[0] * problem.split(problem.b + problem.W @ f / 2)[0]


def _energy(problem: ContactProblem, f: Array) -> float:
    """Return the change of energy by all impulses."""
    return float(f @ (problem.b + problem.W @ f / 2))


def _zero(excess: Callable[[float], float], due: float) -> float:
    """Return the scale at which an excess rises through zero, by regula falsi: an end that stays twice counts half."""
    low, below, high, side = 0.0, excess(0.0), 1.0, 0
    while (above := excess(high)) < 0 and high < _MOST:
        low, below, high = high, above, 2 * high
    if above <= 0:
        return high
    for _ in range(_TRIALS):
        scale = (low * above - high * below) / (above - below)
        found = excess(scale)
        if abs(found) <= _CLOSE * due or high - low <= _CLOSE * high:
            return scale
        if found < 0:
            low, below, above, side = scale, found, above / 2 if side < 0 else above, -1
        else:
            high, above, below, side = scale, found, below / 2 if side > 0 else below, 1
    return low


def apart(problem: ContactProblem) -> list[list[int]]:
    """Return groups of contacts that feel nothing of each other's impulses."""
    sizes = np.sqrt(np.diagonal(problem.W))
    felt = abs(problem.W) > _UNCOUPLED * np.outer(sizes, sizes)
    owner = [*range(problem.c), *(i for i in range(problem.c) for _ in range(problem.k))]
    group = list(range(problem.c))
    for row, column in zip(*np.nonzero(felt), strict=True):
        one, other = group[owner[row]], group[owner[column]]
        group = [one if g == other else g for g in group]
    return [[i for i in range(problem.c) if group[i] == g] for g in dict.fromkeys(group)]
