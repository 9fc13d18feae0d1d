"""Many states in one call, against Pinocchio's loop in C++."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from scmanip.compiled.kernel._host import host
from scmanip.dynamics import Model

from .agreement import EXACT, check, relative, solved
from .arms import accelerations, forces, states
from .machine import load, widest
from .report import Section, Verdict, at_least, table
from .rivals import PinocchioArm
from .stopwatch import Call, Pace, Times, timed

MANY, IN_CACHE, THREADS = 131072, 2048, 2
LIMITS = {"AVX-512": 25, "AVX2": 15}


def batches(model: Model, pace: Pace) -> Section:
    """Return nanoseconds per case, for batches in memory and in the cache, with one thread and with two."""
    rows, found = [], {}
    for cases, threads in ((IN_CACHE, 1), (MANY, 1), (MANY, THREADS)):
        found[cases, threads] = times = timed(_calls(model, cases, threads), max(5, pace.turns // 3))
        for name in ("forward dynamics", "inverse dynamics"):
            rows.append((f"{name}, {cases} cases", threads, *_cells(times[f"ours {name}"], times[f"theirs {name}"])))
    head = ("ns per case", "threads", "ours", "(best)", "Pinocchio", "(best)", "ratio")
    gains = [_gain(found, who) for who in ("ours", "theirs")]
    lines = [*table(head, rows), "", f"What two threads gain tells whether the second core was free; {load()}."]
    if widest() == "AVX-512" and host().lanes < 8:
        lines.append("This processor executes AVX-512 as two halves, so four states per instruction are used here.")
    return Section("Batches", lines, _verdicts(found, *gains))


def _verdicts(found: dict[tuple[int, int], dict[str, Times]], ours: float, theirs: float) -> list[Verdict]:
    times = found[MANY, 1]
    ratio = times["theirs forward dynamics"].median / times["ours forward dynamics"].median
    return [
        at_least(f"batch forward dynamics, one thread, {widest()}", ratio, LIMITS.get(widest(), 15)),
        at_least(f"batch forward dynamics, two threads over one (Pinocchio {theirs:.2f}x)", ours, 1.6, "{:.2f}x"),
    ]


def _gain(found: dict[tuple[int, int], dict[str, Times]], who: str) -> float:
    name = f"{who} forward dynamics"
    return found[MANY, 1][name].median / found[MANY, THREADS][name].median


def _cells(ours: Times, theirs: Times) -> tuple[str, ...]:
    numbers = (ours.median, ours.best, theirs.median, theirs.best)
    return *(f"{t * 1e9:.1f}" for t in numbers), f"{theirs.median / ours.median:.1f}x"


def _calls(model: Model, cases: int, threads: int) -> dict[str, Call]:
    """Return the four calls; forward dynamics fills an array that exists, inverse dynamics makes new ones, ours and theirs."""
    system, batch, n_u = model.system, model.batch, model.layout.n_u
    s, tau, udot = states(system, cases), forces(system, cases), accelerations(system, cases)
    arm = PinocchioArm(system)
    by_column = (arm.q(s), arm.v(s), arm.a(s, udot), np.concatenate([np.zeros((cases, 6)), tau], axis=1))
    q, v, a, force = (array.T for array in by_column)  # column by column, as Pinocchio wants them
    ours, theirs = {"s": s, "n": threads}, {"q": q, "v": v, "n": threads, "pool": pin.ModelPool(arm.model, threads)}
    out, result = np.empty((cases, n_u)), np.empty((cases, n_u)).T
    calls = {
        "ours forward dynamics": Call(
            "f(s, tau, out=out, threads=n)", cases=cases, f=batch.forward_dynamics, tau=tau, out=out, **ours
        ),
        "theirs forward dynamics": Call(
            "f(n, pool, q, v, force, a)", cases=cases, f=pin.abaInParallel, force=force, a=result, **theirs
        ),
        "ours inverse dynamics": Call("f(s, a, threads=n)", cases=cases, f=batch.inverse_dynamics, a=udot, **ours),
        "theirs inverse dynamics": Call("f(n, pool, q, v, a)", cases=cases, f=pin.rneaInParallel, a=a, **theirs),
    }
    check("the timed batch of forward dynamics", _relative_by_case(out, arm.udot(s, result.T)), solved(model.batch.M(s[:100])))
    needed = batch.inverse_dynamics(s, udot)
    forces_needed = arm.wrench_and_tau(s, pin.rneaInParallel(threads, theirs["pool"], q, v, a).T)
    check("the timed batch of inverse dynamics", relative(np.hstack([needed.wrench, needed.tau]), forces_needed), EXACT)
    return calls


def _relative_by_case(ours: np.ndarray, theirs: np.ndarray) -> float:
    return float((np.abs(ours - theirs).max(axis=1) / np.abs(theirs).max(axis=1)).max())
