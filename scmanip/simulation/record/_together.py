"""What laws ask of the motion of a run, by one program each for all of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...compiled import CompiledProgram, compile_program
from ...dynamics import Full, Model
from ...plant import plant_numbers
from ...spatial import Array, cross
from ...symbolic import Program, record
from ...system import State
from ..coordinates._frame import RunCoordinates
from ..coordinates._unpacking import recorded_quantities
from ._samples import Samples

_READ = "momentum.P", "momentum.L_C", "momentum.L_0", "momentum_by_body.P", "momentum_by_body.L_C", "r_0C", "kinetic_energy"


class Read(NamedTuple):
    """What follows from n states.

    series : (n, ...) by the names of their channels
    joint_momentum : (n, N) rows of M u [N m s or N s]
    """

    series: Mapping[str, Array]
    joint_momentum: Array


class Balance(NamedTuple):
    """What full inverse dynamics asks for n accelerations.

    left : (n, N) of joint forces, how much more for other accelerations [N m or N]
    tau, qdot : (n, N) joint forces, and rates
    force, moment : (n, 3) on a free base, about the system CoM
    """

    left: Array
    tau: Array
    qdot: Array
    force: Array = np.empty((0, 3))
    moment: Array = np.empty((0, 3))


def read_together(model: Model, states: State) -> Read:
    """Return what is read of a batch of states; no series of a model without programs."""
    if not isinstance(model.implementation, Full):
        joints, M = model.layout.joints, model.batch.M(states)
        return Read({}, np.einsum("nij,nj->ni", M[:, joints], states.u))
    found = _evaluated(model, "read together", lambda: partial(_read, model), plant_numbers(model), x=states.hardware)
    momentum = found.pop("joint_momentum")
    return Read(found, momentum)


def _read(model: Model, x: Array, **table: Array) -> dict[str, Array]:
    layout, of = model.layout, recorded_quantities(model, table)
    P, L_C, L_0, P_by_body, L_C_by_body, r_0C, kinetic_energy, M = of((*_READ, "M"), x)
    r_0 = np.zeros(3, dtype=int) if layout.fixed else x[layout.x_r_0]
    return {
        "P": P,
        "L_C": L_C,
        "L_0": L_0,
        "P_arm": P_by_body[1:].sum(axis=0),
        "L_arm": L_C_by_body[1:].sum(axis=0),
        "r_C": r_0 + r_0C,
        "kinetic_energy": kinetic_energy,
        "joint_momentum": M[layout.joints] @ x[layout.x_u],
    }


def balance(frame: RunCoordinates, inside: Samples, slopes: Array) -> Balance:
    """Return what samples ask for with the accelerations of the equations of motion, and how much more where their vectors
    change by `slopes` (n, n_y).
    """
    model, ydot = frame.model, inside.output("ydot")
    if frame.plant.holding is None and isinstance(model.implementation, Full):
        key, size = ("balance", frame.coordinates.described, frame.layout.n_x), frame.places.size  # without the books
        rows = {"y": inside.y[:, :size], "ydot": ydot[:, :size], "slopes": slopes[:, :size]}
        made = _evaluated(model, key, lambda: partial(_balance, frame, _placed(frame)), _shared(frame), t=inside.t, **rows)
        return Balance(**made)
    rates = (frame.x_dot(inside.t, inside.y, each)[:, model.layout.x_u] for each in (ydot, slopes))
    asked, more = (model.batch.inverse_dynamics(inside.states, udot) for udot in rates)
    of_base = {} if model.layout.fixed else _about_com(model, asked.wrench, model.batch.r_0C(inside.states))
    return Balance(more.tau - asked.tau, asked.tau, inside.states.qdot.copy(), **of_base)


def _balance(
    frame: RunCoordinates, placed: Program, t: Any, y: Array, ydot: Array, slopes: Array, **shared: Array
) -> dict[str, Array]:
    model, layout = frame.model, frame.model.layout
    still = [np.zeros(np.shape(array)) for array in shared.values()]
    ways = [[1.0, rate, *still] for rate in (ydot, slopes)]
    (x,), ((x_dot,), (moved,)) = placed.moved_each([t, y, *shared.values()], ways)
    table = {name: shared[name] for name in plant_numbers(model)}
    names = ("inverse_dynamics.tau", *([] if layout.fixed else ["inverse_dynamics.wrench", "r_0C"]))
    tau, *of_base = recorded_quantities(model, {**table, "udot": x_dot[layout.x_u]})(names, x)
    (more,) = recorded_quantities(model, {**table, "udot": moved[layout.x_u]})(names[:1], x)
    qdot = x[layout.x_u][layout.joints]
    return {"left": more - tau, "tau": tau, "qdot": qdot, **(_about_com(model, *of_base) if of_base else {})}


def _about_com(model: Model, wrench: Array, r_0C: Array) -> dict[str, Array]:
    """Return a wrench on a free base as force and moment about the system CoM."""
    force = wrench[..., model.layout.base_linear]
    return {"force": force, "moment": wrench[..., model.layout.base_angular] - cross(r_0C, force)}


def _shared(frame: RunCoordinates) -> dict[str, Array]:
    return {"constants": frame.constants, **plant_numbers(frame.model)}


def _placed(frame: RunCoordinates) -> Program:
    """Return the hardware's packed state of vectors y."""

    def placed(t: Any, y: Array, constants: Array, **table: Array) -> dict[str, Array]:
        x = frame.packed(t, y, constants, recorded_quantities(frame.model, table))
        return {"x": x[frame.layout.parts.hardware]}

    return record({"t": (), "y": (frame.places.size,), **{name: array.shape for name, array in _shared(frame).items()}}, placed)


def _evaluated(
    model: Model, key: Hashable, function: Callable[[], Callable[..., Any]], shared: Mapping[str, Array], **rows: Array
) -> dict[str, Any]:
    """Return the outputs of a function of shared numbers and of rows, for all rows, compiled once for a family."""
    kept, count = model.family.kept, len(next(iter(rows.values())))
    if key not in kept:
        shapes = {name: array.shape for name, array in shared.items()} | {name: each.shape[1:] for name, each in rows.items()}
        program = model.family.program((key, tuple(shapes.items())), lambda: record(shapes, function()))
        kept[key] = compile_program(program, in_batches=True)
    compiled: CompiledProgram = kept[key]
    return compiled.rows(count, *shared.values(), *rows.values())
