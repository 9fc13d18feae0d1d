"""One contact's impact, followed in the impulse [Routh1905], [Stronge1990]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np

from ..spatial import Array
from ._problem import ContactProblem

_REST = 1e-13  # of the largest speed: slip that is none
_RTOL = 1e-12  # of the integration in which slip turns
_LONGEST = 1e9  # of the regularised impulse; slip stops or a phase ends long before


@dataclass(frozen=True, eq=False)
class ImpactProgress:
    """How far an impact has come: speeds v (1 + k,), impulses f (1 + k,), work of the normal one."""

    v: Array
    f: Array
    work: float


Goal = Callable[[ImpactProgress, float], float]  # from here, with dv_n/dp: how much normal impulse until the phase ends


def routh(problem: ContactProblem, e: float) -> Array:
    """Return the impulses (1 + k,) of one contact whose normal impulse gives back e^2 of the work that it took.

    dv/dp = W [1, r] with the friction r per normal impulse: -mu s where it slides along s, -W_tt^-1 W_tn where it sticks.
    Compression ends where v_n rises through 0, restitution where the normal impulse has done -e^2 of its work until then.
    In a plane the speeds are straight lines between changes of slip, and nothing is integrated numerically. A contact with
    v_n = 0 whose friction drives it in (Painleve's) takes the impulse that stops its slip.
    """
    start = ImpactProgress(problem.b, np.zeros(len(problem.b)), 0.0)
    if start.v[0] > 0:
        return start.f
    compressed = _advanced(problem, start, _until_closest, None)
    if not e:
        return compressed.f
    end = (1 - e * e) * compressed.work

    def until_returned(at: ImpactProgress, slope: float) -> float:
        left, rising = end - at.work, at.v[0] ** 2 + 2 * slope * (end - at.work)
        return 2 * left / (at.v[0] + sqrt(rising)) if left > 0 and rising >= 0 else (inf if left > 0 else 0.0)

    return _advanced(problem, compressed, until_returned, end).f


def _until_closest(at: ImpactProgress, slope: float) -> float:
    """Return the impulse until v_n is zero from below."""
    if at.v[0] >= 0 and slope >= 0:
        return 0.0
    return -at.v[0] / slope if slope > 0 else inf


def _advanced(problem: ContactProblem, at: ImpactProgress, goal: Goal, end: float | None) -> ImpactProgress:
    """Return the moment at which a phase ends, by way of the changes of slip; `end` is the work then, None for compression."""
    while True:
        slip = _slip(problem, at)
        if problem.k == 2 and slip.any():
            at, done = _turned(problem, at, end)
        else:
            at, done = _straight(problem, at, slip, goal)
        if done:
            return at


def _slip(problem: ContactProblem, at: ImpactProgress) -> Array:
    """Return the slip (k,), zero where there is none or no friction to oppose it."""
    v_t = at.v[1:]
    return v_t if problem.mu[0] and np.linalg.norm(v_t) > _REST * np.max(abs(problem.b)) else np.zeros(problem.k)


def _straight(problem: ContactProblem, at: ImpactProgress, slip: Array, goal: Goal) -> tuple[ImpactProgress, bool]:
    """Return the moment at which slip stops or the phase ends, along a straight line, and whether the phase ends."""
    push = np.concatenate([[1.0], _friction(problem, slip)])
    rate = problem.W @ push
    length, stop = goal(at, rate[0]), inf
    if slip.any() and slip[0] * rate[1] < 0:
        stop = -slip[0] / rate[1]
    done = length <= stop
    p = min(length, stop)
    v = at.v + p * rate
    if not done:
        v[1:] = 0.0
    return ImpactProgress(v, at.f + p * push, at.work + p * (at.v[0] + v[0]) / 2), done


def _friction(problem: ContactProblem, slip: Array) -> Array:
    """Return the friction r (k,) per normal impulse: against slip, else what holds it if that is little enough."""
    mu, W_tn, W_tt = problem.mu[0], problem.W[1:, 0], problem.W[1:, 1:]
    if slip.any():
        return -mu * slip / np.linalg.norm(slip)
    if not mu or not problem.k:
        return np.zeros(problem.k)
    needed = -np.linalg.lstsq(W_tt, W_tn, rcond=None)[0]
    return needed if np.linalg.norm(needed) <= mu else -mu * outset(W_tt, W_tn, mu)


def outset(W_tt: Array, W_tn: Array, mu: float) -> Array:
    """Return the direction s (k,) in which slip begins that friction cannot hold: W_tn - mu W_tt s = rho s with rho > 0.

    s = (mu W_tt + rho)^-1 W_tn has length 1 for one rho > 0, because its length falls with rho from more than 1.
    """
    sizes, axes = np.linalg.eigh(W_tt)
    along = axes.T @ W_tn
    low, high = 0.0, float(np.linalg.norm(W_tn))  # there s is shorter than 1
    for _ in range(200):
        rho = (low + high) / 2
        low, high = (rho, high) if np.sum((along / (mu * sizes + rho)) ** 2) > 1 else (low, rho)
        if rho in (low, high) and high - low <= np.spacing(high):
            break
    s = axes @ (along / (mu * sizes + (low + high) / 2))
    return s / np.linalg.norm(s)


def _turned(problem: ContactProblem, at: ImpactProgress, end: float | None) -> tuple[ImpactProgress, bool]:
    """Return the moment at which slip in space stops or the phase ends, and whether the phase ends.

    Slip r (cos th, sin th) is followed in q with dp = r dq: log r and th then change at rates that stay finite as r falls to 0.
    """
    from scipy.integrate import solve_ivp

    r0, unit = float(np.linalg.norm(at.v[1:])), float(np.max(abs(problem.b)))
    least = np.log(_REST * unit / r0)

    def rates(q: float, x: Array) -> Array:
        r, s = r0 * np.exp(x[0]), np.array([np.cos(x[1]), np.sin(x[1])])
        push = np.array([1.0, *(-problem.mu[0] * s)])
        rate = problem.W @ push
        v_n = at.v[0] + problem.W[0] @ x[2:5]
        return np.array([s @ rate[1:], s[0] * rate[2] - s[1] * rate[1], *(r * push), r * v_n])

    def stopped(q: float, x: Array) -> float:
        return x[0] - least

    def ended(q: float, x: Array) -> float:
        return at.v[0] + problem.W[0] @ x[2:5] if end is None else at.work + x[5] - end

    stops: list[Any] = [stopped, ended]
    for stop, sign in zip(stops, (-1, 1), strict=True):
        stop.terminal, stop.direction = True, sign
    x0 = np.array([0.0, np.arctan2(at.v[2], at.v[1]), 0.0, 0.0, 0.0, 0.0])
    run = solve_ivp(rates, (0, _LONGEST), x0, "DOP853", events=stops, rtol=_RTOL, atol=_RTOL * unit)
    x, done = run.y[:, -1], len(run.t_events[1]) > 0
    v = at.v + problem.W @ x[2:5]
    if not done:
        v[1:] = 0.0
    return ImpactProgress(v, at.f + x[2:5], at.work + float(x[5])), done
