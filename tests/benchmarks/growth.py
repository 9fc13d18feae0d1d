"""Operations and times against the number of joints, with the straight line of inverse dynamics."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from scmanip.dynamics import Model, compile_model

from .agreement import EXACT, check, relative, solved
from .arms import accelerations, arm_of, forces, states
from .report import Section, Verdict, at_most, table
from .rivals import CONVENTIONS, PinocchioArm
from .stopwatch import Call, Pace, timed

JOINTS = (3, 6, 10, 14, 20)
LONG = (3, 6, 9, 12, 15, 18, 21, 24, 27, 30)  # of inverse dynamics alone


def growth(pace: Pace) -> Section:
    """Return operations, chosen form and times of forward and inverse dynamics of longer and longer arms."""
    rows = [_row(compile_model(arm_of(joints)), pace) for joints in JOINTS]
    head = ("joints", "FD ops", "form", "ns", "Pinocchio", "ratio", "ID ops", "ns", "Pinocchio", "ratio")
    note = "Operations in all, base attitude as identity; times in ns of single calls from Python."
    return Section("Growth with the number of joints", [*table(head, rows), "", note])


def inverse_growth(pace: Pace) -> Section:
    """Return operations and times of inverse dynamics from 3 to 30 joints, and how far they are from straight lines."""
    rows = []
    for joints in LONG:
        model = compile_model(arm_of(joints))
        times = {name: t.median * 1e9 for name, t in timed(_inverse_calls(model), pace.turns).items()}
        rows.append((joints, model.symbolic.inverse_dynamics.operations.total, *_ratio(times["ID"], times["rnea"])))
    operations, times_ns = (np.array([float(row[k]) for row in rows]) for k in (1, 2))
    head = ("joints", "operations", "ns", "Pinocchio", "ratio")
    lines = [*table(head, rows), "", *_lines("operations", operations), *_lines("ns", times_ns)]
    verdicts = [_straight("operations", operations, 0.02), _straight("times", times_ns, 0.1)]
    return Section("Inverse dynamics from 3 to 30 joints", lines, verdicts)


def _lines(what: str, values: np.ndarray) -> list[str]:
    """Return the best straight line, and the exponent p of the best power law N^p over the upper half of the joints."""
    slope, constant = np.polyfit(LONG, values, 1)
    long = np.array(LONG) >= 15
    exponent = np.polyfit(np.log(np.array(LONG)[long]), np.log(values[long]), 1)[0]
    return [f"{what} = {slope:.1f} N {constant:+.1f}; from 15 joints on as N^{exponent:.2f}"]


def _straight(what: str, values: np.ndarray, limit: float) -> Verdict:
    """Return the verdict on the largest distance from the best straight line, relative to the largest value."""
    line = np.polyval(np.polyfit(LONG, values, 1), LONG)
    return at_most(f"{what}, 3 to 30 joints, off a straight line", abs(values - line).max() / values.max(), limit, "{:.2%}")


def _row(model: Model, pace: Pace) -> tuple[object, ...]:
    times = {name: t.median * 1e9 for name, t in timed(_calls(model), max(7, pace.turns // 3)).items()}
    forward, inverse = (getattr(model.symbolic, name).operations.total for name in ("forward_dynamics", "inverse_dynamics"))
    aba = min(times[f"aba {name}"] for name in CONVENTIONS)
    form = "articulated" if "articulated" in model.card() else "elimination"
    cells = [forward, form, *_ratio(times["FD"], aba), inverse, *_ratio(times["ID"], times["rnea"])]
    return model.layout.N, *cells


def _ratio(ours: float, theirs: float) -> tuple[str, ...]:
    return f"{ours:.0f}", f"{theirs:.0f}", f"{theirs / ours:.1f}x"


def _calls(model: Model) -> dict[str, Call]:
    return _forward_calls(model) | _inverse_calls(model)


def _forward_calls(model: Model) -> dict[str, Call]:
    system, N = model.system, model.layout.N
    state, tau, arm = states(system, 1)[0], forces(system, 1)[0], PinocchioArm(system)
    q, v, force = arm.q(state), arm.v(state), np.concatenate([np.zeros(6), tau])
    theirs = arm.udot(state, pin.aba(arm.model, arm.data, q, v, force))
    check(f"forward dynamics of {N} joints", relative(model.forward_dynamics(state, tau), theirs), solved(model.M(state)))
    known, forward = {"m": arm.model, "d": arm.data, "q": q, "v": v}, model.kernel("forward_dynamics")
    aba = {
        f"aba {name}": Call("f(m, d, q, v, force, c)", f=pin.aba, force=force, c=c, **known) for name, c in CONVENTIONS.items()
    }
    return aba | {"FD": Call("f(x, tau, out)", f=forward, x=state.x, tau=tau, out=np.empty(6 + N))}


def _inverse_calls(model: Model) -> dict[str, Call]:
    system, N = model.system, model.layout.N
    state, udot, arm = states(system, 1)[0], accelerations(system, 1)[0], PinocchioArm(system)
    q, v, a = arm.q(state), arm.v(state), arm.a(state, udot)
    needed = model.inverse_dynamics(state, udot)
    theirs = arm.wrench_and_tau(state, pin.rnea(arm.model, arm.data, q, v, a))
    check(f"inverse dynamics of {N} joints", relative(np.concatenate([needed.wrench, needed.tau]), theirs), EXACT)
    inverse = model.kernel("inverse_dynamics")
    return {
        "ID": Call("f(x, udot, w, t)", f=inverse, x=state.x, udot=udot, w=np.empty(6), t=np.empty(N)),
        "rnea": Call("f(m, d, q, v, a)", f=pin.rnea, m=arm.model, d=arm.data, q=q, v=v, a=a),
    }
