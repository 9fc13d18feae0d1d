"""One answer to a problem of many contacts, by iteration."""

from __future__ import annotations

import numpy as np

from ..errors import checked
from ..spatial import Array
from ._choice import ContactChoice, Grip
from ._modes import Modes
from ._problem import TOLERANCE, ContactProblem
from ._solution import Answers, Solution

SWEEPS = 20_000
_EVERY = 25  # sweeps after which it is seen whether the contacts have settled


@checked
def swept(problem: ContactProblem) -> Solution:
    """Return one answer: projected Gauss-Seidel sweeps over the contacts say what each does, its equations what the forces are.

    The sweeps are those of [Moreau1988].

    Whether there are further answers is not asked: `FOUND`. Without an answer after `SWEEPS` sweeps the outcome is `NOT_FOUND`.

    >>> problem = ContactProblem.at_rest(W=np.eye(2), b=np.array([-1.0, 2.0]), mu=np.array([0.5]))
    >>> solution = swept(problem)
    >>> solution.answers.name, solution.f.round(6).tolist()
    ('FOUND', [[1.0, -0.5]])
    """
    f = np.concatenate([problem.floor, np.zeros(problem.c * problem.k)])
    for sweep in range(1, SWEEPS + 1):
        _sweep(problem, f)
        if sweep % _EVERY == 0 and (found := _settled(problem, f)) is not None:
            return Solution(Answers.FOUND, found[None])
        if not np.all(np.isfinite(f)):
            break
    return Solution(Answers.NOT_FOUND, np.zeros((0, len(problem.b))))


def _sweep(problem: ContactProblem, f: Array) -> None:
    """Improve f (d,) contact by contact: its normal entry, then its friction, each as far as its own conditions go."""
    W, b, mu = problem.W, problem.b, problem.mu
    for i in range(problem.c):
        t = problem.tangents(i)
        if problem.slides[i]:
            column = W[i, i] - mu[i] * (W[i, t] @ problem.slip[i])
            f[i] = max(problem.floor[i], f[i] - (W[i] @ f + b[i]) / column) if column else np.nan
            f[t] = -mu[i] * f[i] * problem.slip[i]
            continue
        f[i] = max(problem.floor[i], f[i] - (W[i] @ f + b[i]) / W[i, i]) if W[i, i] else f[i]
        size = np.trace(W[t, t])
        f[t] = _within(f[t] - (W[t] @ f + b[t]) / size, mu[i] * f[i]) if size else f[t]


def _within(f_t: Array, most: float) -> Array:
    """Return what is nearest to f_t (k,) in a disk of radius `most`."""
    size = np.sqrt(f_t @ f_t)
    return f_t if size <= most else f_t * (most / size)


def _settled(problem: ContactProblem, f: Array) -> Array | None:
    """Return exact forces (d,) of contacts that do what f shows, or f where it is as good; None before it is any good."""
    modes = Modes(problem, [_shown(problem, f, i) for i in range(problem.c)])
    f_t = problem.split(f)[1]
    angles = np.array([[np.arctan2(-f_t[i, 1], -f_t[i, 0]) for i in modes.turning]])
    candidates = np.vstack([modes.forces(angles), f])
    miss = problem.misses(candidates)
    best = int(np.argmin(miss))
    return candidates[best] if miss[best] <= TOLERANCE else None


def _shown(problem: ContactProblem, f: Array, i: int) -> ContactChoice:
    """Return what contact i does by f (d,)."""
    t, slip = f[problem.tangents(i)], problem.slip[i]
    closed = bool(f[i] > problem.floor[i])
    size = np.sqrt(t @ t)
    if problem.slides[i]:
        return ContactChoice(closed, Grip.SLIDE, slip)
    if not f[i] * problem.mu[i]:
        return ContactChoice(closed, Grip.NONE, slip)
    if size < problem.mu[i] * f[i] * (1 - 1e-9):
        return ContactChoice(closed, Grip.STICK, 0 * slip)
    return ContactChoice(closed, Grip.SLIDE, -t / size) if problem.k == 1 else ContactChoice(closed, Grip.TURN, 0 * slip)
