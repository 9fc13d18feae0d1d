"""Forces of closed rigid contacts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import NumericalFailure, Problem, refuse
from ..spatial import Array, array_problems, positive_problems
from ._bilateral import Bilateral
from ._contacts import Contacts
from ._enumeration import solved
from ._motion import ContactMotion, modes_of
from ._one_system import of_one_system
from ._problem import ContactProblem
from ._reduced import Reduced
from ._solution import Answers


@dataclass(frozen=True, eq=False)
class ContactForces:
    """The motions that rigid contacts allow: one, or what is wrong in words.

    answers : how many there are; sentence : that for people; motions : each of them

    >>> floor = Contacts(N=np.array([[0.0, 1.0]]), T=np.array([[1.0, 0.0]]), mu=0.5)
    >>> found = contact_forces(np.diag([2.0, 2.0]), np.array([5.0, -20.0]), floor, np.zeros(2))
    >>> found.answers.name, found.motion.modes[0].name, found.motion.tangential.round(6).tolist()
    ('ONE', 'STICKS', [[-5.0]])
    """

    answers: Answers
    sentence: str
    motions: tuple[ContactMotion, ...]

    @property
    def motion(self) -> ContactMotion:
        """The one motion. Raises `NumericalFailure` with `sentence` where there are several, or none."""
        if not self.answers.is_a_motion:
            raise NumericalFailure(self.sentence)
        return self.motions[0]


def contact_forces(
    M: Array, F: Array, contacts: Contacts, u: Array, *, bilateral: Bilateral | None = None, rest_m_s: float = 1e-9
) -> ContactForces:
    """Return accelerations and forces of a system whose contacts are closed and whose parting speeds N u are zero.

    M udot = F + A' l + N' f_n + T' f_t; A udot + drift = 0; every contact presses (f_n >= 0) and stays, or gives nothing
    and parts (N udot + drift_N >= 0). One that slides has f_t = -mu f_n against its slip. One at rest sticks with
    |f_t| <= mu f_n, or begins to slide with f_t = -mu f_n against the acceleration of its slip. Up to four contacts, all
    combinations of what they may do are tried and the motions counted, see `enumerated`; of more, one motion is found by
    sweeps and not counted.

    M : (n, n) inertia; F : (n,) all other forces less the inertia forces at udot = 0; u : (n,) speeds
    rest_m_s : slip up to this is none; a contact that approaches or parts at more is refused

    Raises `InvalidInput` for arrays that do not fit, `SingularInertia`, and `InconsistentConstraints` where those of
    A contradict each other. Several motions and none are values: `ContactForces.answers`. In SI. [Pfeiffer1996]

    >>> floor = Contacts(N=np.array([[0.0, 1.0]]), T=np.array([[1.0, 0.0]]), mu=0.5)
    >>> push = np.array([15.0, -20.0])  # 10 N of friction cannot hold 15 N
    >>> motion = contact_forces(np.diag([2.0, 2.0]), push, floor, np.zeros(2)).motion
    >>> motion.udot.round(6).tolist(), motion.modes[0].name
    ([2.5, 0.0], 'SLIDES')
    """
    held = of_one_system(M, u, contacts, bilateral)
    refuse([*array_problems("F", F, (held.A.shape[1],)), *positive_problems("rest_m_s", rest_m_s)])
    refuse(_apart_problems(contacts.N @ u, rest_m_s))
    reduced = Reduced.of(M, held.A, contacts.rows)
    free = reduced.motion(reduced.scaled(F), -held.drift)
    G = np.linalg.solve(reduced.L, contacts.rows.T).T
    problem = ContactProblem(
        reduced.W,
        reduced.along(G, free, contacts.drift),
        contacts.mu,
        _slip(contacts, u, rest_m_s),
        np.zeros(len(contacts.N)),
    )
    solution = solved(problem)

    def motion(f: Array) -> ContactMotion:
        y = free + reduced.X @ f
        pushed = reduced.bilateral(y - reduced.scaled(F) - G.T @ f)
        return ContactMotion(reduced.unscaled(y), *problem.split(f), pushed, modes_of(problem, f))

    motions = tuple(motion(f) for f in solution.f)
    return ContactForces(solution.answers, _sentence(solution.answers, motions), motions)


def _apart_problems(v_n: Array, rest_m_s: float) -> list[Problem]:
    """Return which contacts approach or part, with v_n (c,)."""
    words = f"a closed contact, whose normal speed is at most rest_m_s = {rest_m_s:g}"
    hint = "an impact gives speeds after which it does not approach; one that parts gives no force"
    return [Problem(f"contact {i}", words, f"{v:.6g} m/s", hint=hint) for i, v in enumerate(v_n) if abs(v) > rest_m_s]


def _slip(contacts: Contacts, u: Array, rest_m_s: float) -> Array:
    """Return the directions (c, k) in which contacts slide, zero where they rest."""
    v = (contacts.T @ u).reshape(len(contacts.N), contacts.tangents)
    speed = np.linalg.norm(v, axis=1, keepdims=True)
    return np.where(speed > rest_m_s, v / np.where(speed > 0, speed, 1), 0.0)


def _sentence(answers: Answers, motions: tuple[ContactMotion, ...]) -> str:
    """Return the answers in words, with what every contact does where there are several."""
    if answers is not Answers.SEVERAL:
        return answers.value
    return f"{answers.value}: " + " or ".join(f"({', '.join(mode.value for mode in motion.modes)})" for motion in motions)
