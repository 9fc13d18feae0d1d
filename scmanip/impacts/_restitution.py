"""What an impact gives back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import Problem, refuse
from ..spatial import Array, array_problems, coefficient_problems
from ._problem import ContactProblem
from ._solution import Answers, Solution


@dataclass(frozen=True)
class Restitution(ABC):
    """A law of impact with a coefficient e of restitution, a bare number from 0 (plastic) to 1.

    Which law it is, a kind says with its source; a coefficient is by definition a share of what came.

    kind : its word in files; empty of one that no file names
    plastic_below_m_s : contacts that approach at this speed or less give nothing back, so that what bounces comes to rest

    Raises `InvalidInput` for numbers out of range.

    >>> class Dull(Restitution):
    ...     def impulses(self, struck, e):
    ...         return enumerated(struck)
    >>> wall = Contacts(N=np.array([[-1.0]]), T=np.zeros((0, 1)))
    >>> impact(np.eye(1), np.array([2.0]), wall, Dull(0.5)).u_plus.tolist()
    [0.0]
    """

    kind: ClassVar[str] = ""
    e: float
    plastic_below_m_s: float = 1e-3

    def __post_init__(self) -> None:
        problems = array_problems("e", self.e, ()) or coefficient_problems("plastic_below_m_s", self.plastic_below_m_s)
        refuse(
            problems or [None if 0 <= self.e <= 1 else Problem("e", "a coefficient of restitution from 0 to 1", f"{self.e:g}")]
        )

    def coefficients(self, v_n: Array) -> Array:
        """Return e of each contact that parts at v_n (c,) [m/s] before: zero for those that do not approach, or slowly."""
        return np.where(-v_n > self.plastic_below_m_s, float(self.e), 0.0)

    @abstractmethod
    def impulses(self, struck: ContactProblem, e: Array) -> Solution:
        """Return the impulses [N s] of contacts, of which b has the speeds before and e (c,) the coefficients, bare numbers."""


def phase(problem: ContactProblem, solution: Solution) -> Solution:
    """Return one answer for what follows: of several that of least energy, of none no impulse, and the word on it."""
    if not len(solution.f):
        return Solution(solution.answers, np.zeros((1, len(problem.b))))
    energy = np.einsum("si,ij,sj->s", solution.f, problem.W, solution.f) / 2 + solution.f @ problem.b
    return Solution(solution.answers, solution.f[[np.argmin(energy)]])


def joined(*phases: Solution) -> Solution:
    """Return the sum of the impulses of phases, with the worst word on any of them."""
    order = list(Answers)
    return Solution(max((phase.answers for phase in phases), key=order.index), np.sum([phase.f for phase in phases], axis=0))
