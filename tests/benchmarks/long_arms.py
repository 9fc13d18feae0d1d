"""Matrices of an arm of twenty joints on a free base: operations, seconds to the first call, times of calls."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from scmanip.dynamics import Model, compile_model

from .agreement import check, relative, solved
from .arms import arm_of, states
from .compile_times import fresh_processes
from .report import Section, Verdict, at_least, at_most, table
from .rivals import CONVENTIONS, PinocchioArm
from .stopwatch import Call, Pace, timed

JOINTS = 20
SHAPES = {
    "M": (6 + JOINTS, 6 + JOINTS),
    "H": (JOINTS, JOINTS),
    "Hdot": (JOINTS, JOINTS),
    "coriolis_matrix": (JOINTS, JOINTS),
    "dH_dq": (JOINTS, JOINTS, JOINTS),
}
RIVALS = {"M": "crba", "coriolis_matrix": "computeCoriolisMatrix"}


def long_arms(pace: Pace) -> Section:
    """Return the quantities of a long arm beside what Pinocchio has of the kind, in turns."""
    model = compile_model(arm_of(JOINTS))
    ours = {name: Call("f(x, out)", f=model.kernel(name), x=_x(model), out=np.empty(s)) for name, s in SHAPES.items()}
    times = {name: t.median * 1e6 for name, t in timed(ours | _theirs(model), pace.turns).items()}
    times["crba"] = min(times[f"crba {name}"] for name in CONVENTIONS)
    rows, verdicts = [], []
    for name in SHAPES:
        operations = getattr(model.symbolic, name).operations.total
        seconds = fresh_processes(JOINTS, name)["nothing"]["make"]
        theirs = times.get(RIVALS.get(name, ""))
        ratio = theirs / times[name] if theirs else None
        peer = (RIVALS[name], f"{theirs:.2f}", f"{ratio:.1f}x") if ratio else ("", "", "")
        rows.append((name, operations, f"{seconds:.2f} s", f"{times[name]:.2f}", *peer))
        verdicts.append(at_most(f"{name}, {JOINTS} joints, from nothing", seconds, 2.0, "{:.2f} s"))
    verdicts += _limits(model, times)
    head = ("quantity", "operations", "from nothing", "us", "Pinocchio", "us", "ratio")
    note = "Pinocchio's Coriolis matrix is that of all speeds; ours is that of H, with the base eliminated."
    return Section(f"{JOINTS} joints on a free base", [*table(head, rows), "", note], verdicts)


def _limits(model: Model, times: dict[str, float]) -> list[Verdict]:
    operations = model.symbolic.dH_dq.operations.total
    return [
        at_least("Coriolis matrix against Pinocchio", times["computeCoriolisMatrix"] / times["coriolis_matrix"], 3),
        at_least("M against Pinocchio", times["crba"] / times["M"], 3),
        at_most("operations of dH_dq", operations, 60_000, "{:.0f}"),
    ]


def _x(model: Model) -> np.ndarray:
    return states(model.system, 1)[0].x


def _theirs(model: Model) -> dict[str, Call]:
    """Return Pinocchio's calls; its Coriolis matrix between H's columns of motion is looked at before."""
    arm, state = PinocchioArm(model.system), states(model.system, 1)[0]
    q, v = arm.q(state), arm.v(state)
    M = pin.crba(arm.model, arm.data, q)
    B = np.vstack([-np.linalg.solve(M[:6, :6], M[:6, 6:]), np.eye(JOINTS)])
    theirs = B.T @ pin.computeCoriolisMatrix(arm.model, arm.data, q, B @ state.qdot) @ B
    check("the Coriolis matrix", relative(model.coriolis_matrix(state), theirs), solved(model.M(state)))
    known = {"m": arm.model, "d": arm.data, "q": q}
    calls = {f"crba {name}": Call("f(m, d, q, c)", f=pin.crba, c=c, **known) for name, c in CONVENTIONS.items()}
    return calls | {"computeCoriolisMatrix": Call("f(m, d, q, v)", f=pin.computeCoriolisMatrix, v=v, **known)}
