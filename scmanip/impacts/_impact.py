"""Jumps of speeds where contacts close and constraints set in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..errors import expect
from ..spatial import Array
from ._bilateral import Bilateral
from ._contacts import Contacts
from ._one_system import of_one_system
from ._problem import ContactProblem
from ._reduced import Reduced
from ._restitution import Restitution
from ._solution import Answers, Solution

RISE = 1e-9  # of the energy that speeds before and after stand for: a larger rise by contacts has no reason


class ImpactOutcome(Enum):
    """How an impact came out.

    >>> wall = Contacts(N=np.array([[-1.0, 0.0]]), T=np.zeros((0, 2)))
    >>> found = impact(np.diag([4.0, 4.0]), np.array([-2.0, 1.0]), wall, Newton(0.5))
    >>> found.outcome.name, found.sentence
    ('APART', 'no contact approaches, and none takes an impulse')
    """

    APART = "no contact approaches, and none takes an impulse"
    JUMP = "one jump of the speeds"
    SEVERAL = "several jumps satisfy the law of impact: the one that leaves least energy is given"
    NONE = "no jump satisfies the law of impact; contacts gave no impulse in the phase that has none"
    NOT_FOUND = "the iteration did not come to an end; contacts gave no impulse in the phase in which it did not"
    ENERGY_RISES = "contacts gave energy, which nothing at them has: this law does not fit this impact"


_OF = {Answers.SEVERAL: ImpactOutcome.SEVERAL, Answers.NONE: ImpactOutcome.NONE, Answers.NOT_FOUND: ImpactOutcome.NOT_FOUND}


@dataclass(frozen=True, eq=False)
class Impact:
    """A jump of the speeds, its impulses and where the energy went, in SI.

    The work of an impulse is by definition what it gives along the mean of the speeds before and after.

    u_plus : (n,) speeds after
    normal : (c,) >= 0; tangential : (c, k); bilateral : (m,) impulses along the rows N, T, A
    energy_normal, energy_friction, energy_bilateral : what each gave, 1/2 impulse (speed before + speed after), in J
    outcome : how it came out

    >>> wall = Contacts(N=np.array([[-1.0, 0.0]]), T=np.zeros((0, 2)))
    >>> found = impact(np.diag([4.0, 4.0]), np.array([2.0, 1.0]), wall, Newton(0.5))
    >>> found.u_plus.round(6).tolist(), found.normal.round(6).tolist(), round(found.energy_normal, 6)
    ([-1.0, 1.0], [12.0], -6.0)
    """

    u_plus: Array
    normal: Array
    tangential: Array
    bilateral: Array
    energy_normal: float
    energy_friction: float
    energy_bilateral: float
    outcome: ImpactOutcome

    @property
    def energy_change(self) -> float:
        """T+ - T- = 1/2 Lambda' A (u+ + u-) over all rows [J]."""
        return self.energy_normal + self.energy_friction + self.energy_bilateral

    @property
    def sentence(self) -> str:
        """The outcome in words, with the energy where it rises."""
        gain = self.energy_normal + self.energy_friction
        return f"{self.outcome.value} ({gain:+.3g} J)" if self.outcome is ImpactOutcome.ENERGY_RISES else self.outcome.value


def impact(M: Array, u: Array, contacts: Contacts, law: Restitution, *, bilateral: Bilateral | None = None) -> Impact:
    """Return the jump of the speeds where closed contacts approach, by a law of restitution and Coulomb friction.

    M (u+ - u) = A' l + N' p_n + T' p_t with A u+ + speed = 0 and p_n >= 0. Constraints that do not hold before set in
    plastically first; contacts approach at the speeds that they leave. M is the full inertia, and what is not in A
    gives no impulse [Moreau1988], [Pfeiffer1996].

    M : (n, n) inertia; u : (n,) speeds before

    Raises `InvalidInput` for arrays that do not fit, `SingularInertia`, and `InconsistentConstraints` where those of
    A contradict each other. An energy that rises, several jumps and none are values: `Impact.outcome`. In SI.

    >>> wall = Contacts(N=np.array([[-1.0, 0.0]]), T=np.zeros((0, 2)))
    >>> impact(np.eye(2), np.array([2.0, 1.0]), wall, Newton(1.0)).u_plus.round(6).tolist()
    [-2.0, 1.0]
    >>> impact(np.eye(3), np.array([2.0, 1.0, 0.0]), wall, Newton(1.0))
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: M: expected 2 x 2 finite numbers, found shape (3, 3)
    u: expected 2 finite numbers, found shape (3,)
    """
    held = of_one_system(M, u, contacts, bilateral)
    expect("law", law, Restitution, "Newton, Poisson or Energetic")
    reduced = Reduced.of(M, held.A, contacts.rows)
    before = reduced.L.T @ u
    set_in = reduced.motion(before, -held.speed)
    G = np.linalg.solve(reduced.L, contacts.rows.T).T
    c = len(contacts.N)
    problem = ContactProblem(reduced.W, reduced.along(G, set_in), contacts.mu, np.zeros((c, contacts.tangents)), np.zeros(c))
    answer = _answer(problem, law)
    (p,) = answer.f
    after = set_in + reduced.X @ p
    pushed = reduced.bilateral(after - before - G.T @ p)
    (p_n, p_t), (n, t) = problem.split(p), problem.split(G @ (before + after) / 2)
    energies = float(p_n @ n), float(np.sum(p_t * t)), float(pushed @ (reduced.Y.T @ (before + after))) / 2
    rises = p @ (problem.b + problem.W @ p / 2) > RISE * (before @ before + after @ after)
    outcome = (
        ImpactOutcome.ENERGY_RISES if rises else _OF.get(answer.answers, ImpactOutcome.JUMP if p.any() else ImpactOutcome.APART)
    )
    return Impact(reduced.unscaled(after), p_n, p_t, pushed, *energies, outcome)


def _answer(problem: ContactProblem, law: Restitution) -> Solution:
    """Return the impulses of contacts, none where none approaches."""
    if not problem.c:
        return Solution(Answers.ONE, np.zeros((1, 0)))
    return law.impulses(problem, law.coefficients(problem.split(problem.b)[0]))
