"""One call from Python, arrays warm and in place."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pinocchio as pin

from scmanip.dynamics import Model
from scmanip.system import State

from .agreement import check, relative, solved
from .arms import accelerations, forces, states
from .report import Section, at_least, at_most, duration, table
from .rivals import CONVENTIONS, MujocoArm, PinocchioArm, composed, composed_in_N
from .stopwatch import Call, Pace, Times, timed

COLUMNS = ("kernel", "Pinocchio", "MuJoCo")
WITHIN = {"H": 0.3, "J_star": 0.3, "forward_dynamics": 0.3, "inverse_dynamics": 0.8, "momentum": 0.8}  # us over the kernel


def single_calls(model: Model, pace: Pace) -> tuple[Section, Section]:
    """Return the times of kernels beside the peers', and of `Model` methods beside the kernels."""
    system = model.system
    state, tau, udot = states(system, 1)[0], forces(system, 1)[0], accelerations(system, 1)[0]
    calls = _ours(model, state, tau, udot) | _pinocchio(model, state, tau, udot) | _mujoco(model, state, tau, udot)
    times = timed(calls, pace.turns)
    methods = timed(_methods(model, state, tau, udot), pace.turns)
    return _kernels_section(times), _methods_section(methods)


def _ours(model: Model, state: State, tau: np.ndarray, udot: np.ndarray) -> dict[str, Call]:
    x, N, n_u = state.x, model.layout.N, model.layout.n_u
    H, J, M, out, wrench, torque = (np.empty(s) for s in ((N, N), (6, N), (n_u, n_u), n_u, 6, N))
    return {
        "kernel M": Call("f(x, M)", f=model.kernel("M"), x=x, M=M),
        "kernel FD": Call("f(x, tau, out)", f=model.kernel("forward_dynamics"), x=x, tau=tau, out=out),
        "kernel ID": Call("f(x, udot, w, t)", f=model.kernel("inverse_dynamics"), x=x, udot=udot, w=wrench, t=torque),
        "kernel H J*": Call("f(x, H, J)", f=model.kernel("H", "J_star:tip"), x=x, H=H, J=J),
    }


def _pinocchio(model: Model, state: State, tau: np.ndarray, udot: np.ndarray) -> dict[str, Call]:
    """Return Pinocchio's calls in both of its conventions; its result is looked at before it is timed."""
    arm = PinocchioArm(model.system)
    q, v, a, force = arm.q(state), arm.v(state), arm.a(state, udot), np.concatenate([np.zeros(6), tau])
    known = {"m": arm.model, "d": arm.data, "q": q}
    given = pin.aba(arm.model, arm.data, q, v, force)
    check("the timed aba", relative(arm.udot(state, given), model.forward_dynamics(state, tau)), solved(model.M(state)))
    calls = {"Pinocchio ID": Call("f(m, d, q, v, a)", f=pin.rnea, v=v, a=a, **known)}
    for name, c in CONVENTIONS.items():
        calls[f"Pinocchio M {name}"] = Call("f(m, d, q, c)", f=pin.crba, c=c, **known)
        calls[f"Pinocchio FD {name}"] = Call("f(m, d, q, v, force, c)", f=pin.aba, v=v, force=force, c=c, **known)
    calls["Pinocchio H J*"] = Call("f(m, d, q, i)", f=composed_in_N, i=arm.tip, **known)
    calls["Pinocchio H J* leanest"] = Call("f(m, d, q, i)", f=composed, i=arm.tip, **known)
    return calls


def _mujoco(model: Model, state: State, tau: np.ndarray, udot: np.ndarray) -> dict[str, Call]:
    arm = MujocoArm.of(model.system, state, tau)
    mujoco.mj_forward(arm.model, arm.data)
    check("the timed mj_forward", relative(arm.udot(state), model.forward_dynamics(state, tau)), solved(model.M(state)))
    known: dict[str, Any] = {"m": arm.model, "d": arm.data}
    stages = {"k": mujoco.mj_kinematics, "p": mujoco.mj_comPos, "c": mujoco.mj_makeM}
    full = np.empty((model.layout.n_u, model.layout.n_u))
    return {
        "MuJoCo M": Call("k(m, d); p(m, d); c(m, d); f(m, d, M)", f=mujoco.mj_fullM, M=full, **stages, **known),
        "MuJoCo FD": Call("f(m, d)", f=mujoco.mj_forward, **known),
        "MuJoCo ID": Call("f(m, d)", f=mujoco.mj_inverse, **known),
    }


def _kernels_section(times: dict[str, Times]) -> Section:
    ns = {name: t.median * 1e9 for name, t in times.items()}
    for quantity in ("M", "FD"):
        ns[f"Pinocchio {quantity}"] = min(ns[f"Pinocchio {quantity} {c}"] for c in CONVENTIONS)
    rows = []
    for label, quantity in (
        ("M", "M"),
        ("forward dynamics", "FD"),
        ("inverse dynamics", "ID"),
        ("H and J* of the tip", "H J*"),
    ):
        ours, *theirs = (ns.get(f"{column} {quantity}") for column in COLUMNS)
        ratios = [f"{other / ours:.1f}x" if other else "" for other in theirs]
        rows.append((label, *(f"{t:.0f}" if t else "" for t in (ours, *theirs)), *ratios))
    lean = ns["Pinocchio H J* leanest"]
    rows.append(("   the leanest we could write", "", f"{lean:.0f}", "", f"{lean / ns['kernel H J*']:.1f}x", ""))
    verdicts = [
        at_least("forward dynamics against Pinocchio", ns["Pinocchio FD"] / ns["kernel FD"], 7),
        at_least("inverse dynamics against Pinocchio", ns["Pinocchio ID"] / ns["kernel ID"], 8),
        at_least("H and J* against NumPy and Pinocchio, blocks in N", ns["Pinocchio H J*"] / ns["kernel H J*"], 100),
    ]
    head = ("ns, median", *COLUMNS, "to Pinocchio", "to MuJoCo")
    notes = [
        "",
        "H and J* are composed with NumPy of Pinocchio's M and Jacobian: of the blocks in N, or in base axes without them.",
    ]
    notes += ["Pinocchio: the faster of its two conventions. MuJoCo: mj_forward and mj_inverse with unused stages off."]
    return Section("Single calls from Python", [*table(head, rows), *notes], verdicts)


def _methods(model: Model, state: State, tau: np.ndarray, udot: np.ndarray) -> dict[str, Call]:
    x, N, n_u = state.x, model.layout.N, model.layout.n_u
    out, square, jacobian, six, three = np.empty(n_u), np.empty((N, N)), np.empty((6, N)), np.empty(6), np.empty((3, 3))
    kernel = model.kernel
    return {
        "kernel H": Call("f(x, out)", f=kernel("H"), x=x, out=square),
        "method H": Call("m.H(s)", m=model, s=state),
        "kernel J_star": Call("f(x, out)", f=kernel("J_star:tip"), x=x, out=jacobian),
        "method J_star": Call("m.J_star(s, 'tip')", m=model, s=state),
        "kernel forward_dynamics": Call("f(x, tau, out)", f=kernel("forward_dynamics"), x=x, tau=tau, out=out),
        "method forward_dynamics": Call("m.forward_dynamics(s, tau)", m=model, s=state, tau=tau),
        "kernel inverse_dynamics": Call("f(x, a, w, t)", f=kernel("inverse_dynamics"), x=x, a=udot, w=six, t=np.empty(N)),
        "method inverse_dynamics": Call("m.inverse_dynamics(s, a)", m=model, s=state, a=udot),
        "kernel momentum": Call("f(x, P, L, C)", f=kernel("momentum"), x=x, P=three[0], L=three[1], C=three[2]),
        "method momentum": Call("m.momentum(s)", m=model, s=state),
        "np.empty": Call("f(shape)", f=np.empty, shape=(N, N)),
    }


def _methods_section(times: dict[str, Times]) -> Section:
    rows, verdicts = [], []
    for name, limit in WITHIN.items():
        kernel, method = times[f"kernel {name}"].median, times[f"method {name}"].median
        over = (method - kernel) * 1e6
        rows.append((f"Model.{name}", f"{kernel * 1e9:.0f}", f"{method * 1e9:.0f}", f"{over:.2f} us"))
        verdicts.append(at_most(f"Model.{name} over its kernel", over, limit, "{:.2f} us"))
    note = f"Of each method, {duration(times['np.empty'].median)} per result are np.empty."
    return Section("Methods from Python", [*table(("ns, median", "kernel", "method", "over"), rows), "", note], verdicts)
