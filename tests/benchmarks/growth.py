"""Operations and times against the number of joints."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from scmanip.dynamics import Model, compile_model

from .agreement import EXACT, check, relative, solved
from .arms import accelerations, arm_of, forces, states
from .report import Section, table
from .rivals import CONVENTIONS, PinocchioArm
from .stopwatch import Call, Pace, timed

JOINTS = (3, 6, 10, 14, 20)


def growth(pace: Pace) -> Section:
    """Return operations, chosen form and times of forward and inverse dynamics of longer and longer arms."""
    rows = [_row(compile_model(arm_of(joints)), pace) for joints in JOINTS]
    head = ("joints", "FD ops", "form", "ns", "Pinocchio", "ratio", "ID ops", "ns", "Pinocchio", "ratio")
    note = "Operations in all, base attitude as identity; times in ns of single calls from Python."
    return Section("Growth with the number of joints", [*table(head, rows), "", note])


def _row(model: Model, pace: Pace) -> tuple[object, ...]:
    times = {name: t.median * 1e9 for name, t in timed(_calls(model), max(7, pace.turns // 3)).items()}
    forward, inverse = (getattr(model.symbolic, name).operations.total for name in ("forward_dynamics", "inverse_dynamics"))
    aba = min(times[f"aba {name}"] for name in CONVENTIONS)
    form = model.symbolic.forward_dynamics.choice.form.word
    cells = [forward, form, *_ratio(times["FD"], aba), inverse, *_ratio(times["ID"], times["rnea"])]
    return model.layout.N, *cells


def _ratio(ours: float, theirs: float) -> tuple[str, ...]:
    return f"{ours:.0f}", f"{theirs:.0f}", f"{theirs / ours:.1f}x"


def _calls(model: Model) -> dict[str, Call]:
    system, N = model.system, model.layout.N
    state, tau, udot = states(system, 1)[0], forces(system, 1)[0], accelerations(system, 1)[0]
    arm = PinocchioArm(system)
    q, v, a, force = arm.q(state), arm.v(state), arm.a(state, udot), np.concatenate([np.zeros(6), tau])
    theirs = arm.udot(state, pin.aba(arm.model, arm.data, q, v, force))
    check(f"forward dynamics of {N} joints", relative(model.forward_dynamics(state, tau), theirs), solved(model.M(state)))
    needed = model.inverse_dynamics(state, udot)
    theirs = arm.wrench_and_tau(state, pin.rnea(arm.model, arm.data, q, v, a))
    check(f"inverse dynamics of {N} joints", relative(np.concatenate([needed.wrench, needed.tau]), theirs), EXACT)
    known, out = {"m": arm.model, "d": arm.data, "q": q, "v": v}, np.empty(6 + N)
    forward, inverse = model.kernel("forward_dynamics"), model.kernel("inverse_dynamics")
    aba = {
        f"aba {name}": Call("f(m, d, q, v, force, c)", f=pin.aba, force=force, c=c, **known) for name, c in CONVENTIONS.items()
    }
    return aba | {
        "FD": Call("f(x, tau, out)", f=forward, x=state.x, tau=tau, out=out),
        "ID": Call("f(x, udot, w, t)", f=inverse, x=state.x, udot=udot, w=np.empty(6), t=np.empty(N)),
        "rnea": Call("f(m, d, q, v, a)", f=pin.rnea, a=a, **known),
    }
