"""Gimbals in a run: a step that goes through lock ends it, and large rates near lock are the lock's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...dynamics import ThreeAxisGimbal, gimbal_of_rate, three_axis_gimbals
from ...spatial import Array
from ...system import State, System
from ..events._outcome import Ending, Outcome
from ..integrators._integrator import Step
from ._setup import Setup

HALVINGS = 60


def until_lock(setup: Setup, gimbals: Sequence[ThreeAxisGimbal], y_old: Array, step: Step) -> tuple[Step, Ending | None]:
    """Return the step and no verdict, or, where one of the gimbals goes through lock in it, its part before that and why.

    M is singular at the lock alone, and a step may straddle it; where a body goes through exactly, its further motion is not
    determined.
    """
    passing = [g for g in gimbals if g.passed(_q(setup, y_old)) != g.passed(_q(setup, step.y))]
    if not passing:
        return step, None
    before = {gimbal: _last_before(setup, gimbal, y_old, step) for gimbal in passing}
    first = min(passing, key=before.__getitem__)
    t, y = before[first], step.at(np.array([before[first]]))[0]
    verdict = Ending(Outcome.SINGULAR, f"at t = {t:.9g} s: {first.advice(_q(setup, y))}")
    return replace(step, t=t, y=y), verdict


def _last_before(setup: Setup, gimbal: ThreeAxisGimbal, y_old: Array, step: Step) -> float:
    """Return the last time [s] found by bisection at which the gimbal has not gone through lock."""
    low, high, passed = step.t_old, step.t, gimbal.passed(_q(setup, y_old))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if gimbal.passed(_q(setup, step.at(np.array([middle]))[0])) == passed:
            low = middle
        else:
            high = middle
    return low


def near_lock(setup: Setup, state: State) -> str:
    """Return what to say of a run that cannot go on, nothing where no gimbal is to blame.

    To blame is one that is all but locked, whatever moves, or near lock and the fastest of all.
    """
    system = setup.model.system
    gimbals = three_axis_gimbals(system)
    if not gimbals:
        return ""
    closest = min(gimbals, key=lambda gimbal: gimbal.openness(state.q))
    if closest.all_but_locked(state.q):
        return closest.advice(state.q)
    gimbal = gimbal_of_rate(gimbals, int(np.argmax(np.abs(state.u))) - system.layout.n_base)
    return "" if gimbal is None or not gimbal.near(state.q) else gimbal.advice(state.q)


def _q(setup: Setup, y: Array) -> Array:
    return y[setup.frame.places.q]


def diverged(setup: Setup, last_t: float, t: float, x: State) -> Ending:
    """Return the verdict on a run with a speed beyond its bound in `x` at `t`; its last good state is that at `last_t`."""
    name, unit = _speed_name(setup.model.system, int(np.argmax(abs(x.u))))
    passed = f"{name} passed {setup.bound:.4g} {unit} at t = {t:.9g} s (last good state at t = {last_t:.9g} s)"
    advice = near_lock(setup, x) or "lower the gains, look for a sign error, or take shorter steps"
    return Ending(Outcome.DIVERGED, f"{passed}; {advice}")


def _speed_name(system: System, number: int) -> tuple[str, str]:
    """Return the name and unit of entry `number` of u."""
    layout = system.layout
    if number >= layout.joints.start:
        freedom = system.freedoms[number - layout.joints.start]
        return f"joint '{freedom.name}'", f"{freedom.unit}/s"
    return ("the base's v_0", "m/s") if number < layout.base_linear.stop else ("the base's omega_0", "rad/s")
