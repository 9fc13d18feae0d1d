"""A tumbling target that is grasped and let go: `simulate` with switches against Pinocchio in SciPy's DOP853, and MuJoCo."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from .agreement import DisagreementError, check
from .grasps import MujocoGrasp, OurGrasp, PinocchioGrasp, Softness, apart, capture
from .report import Row, Section, at_least, duration, table
from .stopwatch import Call, Pace, timed

RTOL, REFERENCE, NEAR = 1e-8, 1e-12, 1e-7
STIFFEST = Softness("rk4")
SOFTER = (Softness("rk4", timeconst=1.0), Softness("rk4", timeconst=4.0), Softness("rk4", impedance=0.999))
OTHERS = (*SOFTER, Softness("implicit"), Softness("implicitfast"), Softness("Euler"))
STEPS_PER_S = [70, 80, 100, 125, 160, 200, 250, 400]


def grasping(pace: Pace) -> tuple[Section, ...]:
    """Return the sections on the capture, or raise `DisagreementError`."""
    model, start = capture()
    ours, theirs = OurGrasp(model, start), PinocchioGrasp(model.system, start)
    truth = ours.end(REFERENCE)
    check("capture against Pinocchio's, at 1e-12", apart(theirs.end(REFERENCE), truth), 1e-9)
    errors = {"simulate": apart(ours.end(RTOL), truth), "Pinocchio, SciPy's DOP853": apart(theirs.end(RTOL), truth)}
    for name, error in errors.items():
        check(f"capture by {name}", error, NEAR)
    others = [MujocoGrasp(model.system, start, softness) for softness in OTHERS]
    soft, floors = MujocoGrasp(model.system, start, STIFFEST), _floors(others, truth)
    ladder = {steps: apart(soft.end(1 / steps), truth) for steps in STEPS_PER_S}
    steps = _matching(ladder, errors["simulate"])
    mujoco = f"MuJoCo, {steps} steps a second"
    errors[mujoco] = ladder[steps]
    floor = Section("Capture: how rigid MuJoCo's weld is", _rigidity(ladder, floors))
    runs: dict[str, Callable[[], object]] = {
        "simulate": lambda: ours.history(RTOL),
        "Pinocchio, SciPy's DOP853": lambda: theirs.end(RTOL),
        mujoco: lambda: soft.end(1 / steps),
    }
    return floor, _times(runs, errors, pace)


def _floors(others: list[MujocoGrasp], truth: np.ndarray) -> list[Row]:
    each = [[apart(one.end(1 / steps), truth) for steps in (100, 200)] for one in others]
    return [(one.softness, *(f"{error:.1e}" for error in errors)) for one, errors in zip(others, each, strict=True)]


def _matching(ladder: dict[int, float], error: float) -> int:
    """Return the fewest steps a second that come as near as `error`."""
    near = [steps for steps, reached in ladder.items() if reached <= error]
    if not near:
        raise DisagreementError(f"MuJoCo does not come within {error:.1e} of the rigid capture: {min(ladder.values()):.1e}")
    return near[0]


def _rigidity(ladder: dict[int, float], floors: list[Row]) -> list[str]:
    slopes = [np.log(a / b) / np.log(n / m) for (m, a), (n, b) in pairwise(ladder.items())]
    rows = [(f"{steps} steps a second", f"{error:.1e}") for steps, error in ladder.items()]
    return [
        *table((str(STIFFEST), "error"), rows),
        "",
        f"Errors of the state at 60 s against the rigid run. Their order is the weld's: {np.median(slopes):.1f}.",
        "solimp 0.9999 is MuJoCo's largest, solref its time constant with damping ratio 1. With 50 steps a second the dampers",
        "of the free arm's joints are unstable in RK4. Newton's method to 1e-14, dense rows; the blow of the grasp is solved",
        "as rigid.",
        "",
        *table(("other settings", "100 steps a second", "200"), floors),
    ]


def _times(runs: dict[str, Callable[[], object]], errors: dict[str, float], pace: Pace) -> Section:
    calls = {name: Call("run()", run=run) for name, run in runs.items()}
    times = timed(calls, max(5, pace.turns // 4))
    rows = [(name, f"{errors[name]:.1e}", duration(t.median), duration(t.best)) for name, t in times.items()]
    ours, pinocchio, mujoco = (t.best for t in times.values())
    verdicts = [
        at_least("capture of 60 s, MuJoCo at no larger error : simulate", mujoco / ours, 20.0, "{:.0f}x"),
        at_least("capture of 60 s, Pinocchio in SciPy's DOP853 : simulate", pinocchio / ours, 1.0, "{:.0f}x"),
    ]
    lines = [
        *table(("60 s of bench_6r and its target", "error", "median", "best"), rows),
        "",
        f"simulate and SciPy at rtol {RTOL:g}; ratios are of the best of turns that alternate.",
    ]
    return Section("Capture: one run with two switches", lines, verdicts)
