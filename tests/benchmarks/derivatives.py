"""Derivatives of forward dynamics, called from Python and in lanes, beside Pinocchio's."""

from __future__ import annotations

from statistics import median

import numpy as np
import pinocchio as pin

from scmanip.compiled import CompiledProgram, compile_program
from scmanip.dynamics import Model

from .agreement import check, relative, solved
from .arms import forces, states
from .report import Section, at_least, at_most, table
from .rivals import PinocchioArm
from .stopwatch import Call, Pace, Times, timed

RUNS, CASES = 5, 512
NAME = "forward_dynamics_derivatives"


def derivatives(model: Model, pace: Pace) -> Section:
    """Return times of calls that take turns, in several runs, for each of which the code is loaded anew."""
    program, theirs = model.symbolic.derivation.packed_program([NAME]), _pinocchio(model)
    codes = [compile_program(program) for _ in range(RUNS)]  # all of which stay, each at a place of its own
    runs = [timed(_ours(model, code) | {"theirs": theirs}, pace.turns) for code in codes]
    ratios = sorted(run["theirs"].best / run["ours"].best for run in runs)
    head = ("ns, best turn and median", "ours", "", "Pinocchio", "", "ratios", "", "ours in lanes", "")
    lines = table(head, [(f"run {k}", *_cells(run)) for k, run in enumerate(runs, 1)])
    lines += ["", f"Ratio of best turns: median {median(ratios):.2f}, from {ratios[0]:.2f} to {ratios[-1]:.2f}."]
    lines += [f"{program.operations}. How fast code of this length runs depends on where in memory it happens to lie."]
    verdicts = [
        at_least("derivatives of forward dynamics against Pinocchio, median of runs", median(ratios), 3.5),
        at_most("the same in lanes, per state", median(run["lanes"].best for run in runs) * 1e6, 0.7, "{:.2f} us"),
    ]
    return Section("Derivatives of forward dynamics", lines, verdicts)


def _cells(run: dict[str, Times]) -> tuple[str, ...]:
    ours, theirs, lanes = (run[name] for name in ("ours", "theirs", "lanes"))
    ratios = f"{theirs.best / ours.best:.2f}x", f"{theirs.median / ours.median:.2f}x"
    o, t, l = ((f"{times.best * 1e9:.0f}", f"{times.median * 1e9:.0f}") for times in (ours, theirs, lanes))
    return *o, *t, *ratios, *l


def _ours(model: Model, code: CompiledProgram) -> dict[str, Call]:
    """Return the calls for one state and for many, with arrays that exist."""
    s, tau = states(model.system, CASES), forces(model.system, CASES)
    many = {f"o{k}": np.empty((CASES, *output.shape)) for k, output in enumerate(code.program.outputs)}
    one, outs = {name: array[0].copy() for name, array in many.items()}, ", ".join(many)
    return {
        "ours": Call(f"f(x, tau, {outs})", f=code.function, x=s[0].x, tau=tau[0], **one),
        "lanes": Call(f"f(x, tau, {outs})", cases=CASES, f=code.batch, x=s.x, tau=tau, **many),
    }


def _pinocchio(model: Model) -> Call:
    """Return Pinocchio's call, after a look at what it gives."""
    state, tau, arm = states(model.system, 1)[0], forces(model.system, 1)[0], PinocchioArm(model.system)
    q, v, force = arm.q(state), arm.v(state), np.concatenate([np.zeros(6), tau])
    pin.computeABADerivatives(arm.model, arm.data, q, v, force)
    by_q = np.array([arm.udot(state, column) - arm.udot(state, 0 * column) for column in arm.data.ddq_dq[:, 6:].T]).T
    ours = model.forward_dynamics_derivatives(state, tau)
    check("the timed computeABADerivatives", relative(ours.q, by_q), solved(model.M(state)))
    return Call("f(m, d, q, v, force)", f=pin.computeABADerivatives, m=arm.model, d=arm.data, q=q, v=v, force=force)
