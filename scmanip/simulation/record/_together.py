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


def balance(frame: RunCoordinates, inside: Samples, slopes: Array, start_s: float) -> Array:
    """Return the rates (n, 2 N) or, where momentum is kept by construction, (n, 2 N + 10) at samples of a run that began at
    `start_s` [s]: joint forces that inverse dynamics asks for beyond those of the equations of motion where vectors change by
    `slopes` (n, n_y), the forces of actuators [N m or N], and what `_demanded` says.
    """
    model, ydot, tau = frame.model, inside.output("ydot"), inside.output("tau")
    if frame.plant.holding is None and isinstance(model.implementation, Full):
        key, size = ("balance", frame.coordinates.described, frame.layout.n_x), frame.places.size  # without the books
        rows = {"y": inside.y[:, :size], "ydot": ydot[:, :size], "slopes": slopes[:, :size], "tau": tau}
        given = {**_shared(frame), "start_s": np.array(start_s)}
        made = _evaluated(model, key, lambda: partial(_balance, frame, _placed(frame)), given, t=inside.t, **rows)
        return made["rates"]
    states, y, u = inside.states, inside.y, model.layout.x_u
    udot = (frame.x_dot(inside.t, y, each)[:, u] for each in (ydot, slopes))
    asked, more = (model.batch.inverse_dynamics(states, each) for each in udot)
    rates = [more.tau - asked.tau, tau]
    if frame.coordinates.keeps_momentum:
        of_base = asked.wrench, model.batch.r_0C(states)
        rates.append(_demanded(model, inside.t - start_s, (asked.tau - tau) * states.qdot, *of_base))
    return np.concatenate(rates, axis=1)


def _balance(
    frame: RunCoordinates, placed: Program, t: Any, y: Array, ydot: Array, slopes: Array, tau: Array, **shared: Array
) -> dict[str, Array]:
    model, layout = frame.model, frame.model.layout
    since, still = t - shared.pop("start_s"), [np.zeros(np.shape(array)) for array in shared.values()]
    ways = [[1.0, rate, *still] for rate in (ydot, slopes)]
    (x,), ((x_dot,), (moved,)) = placed.moved_each([t, y, *shared.values()], ways)
    table, demands = {name: shared[name] for name in plant_numbers(model)}, frame.coordinates.keeps_momentum
    names = ("inverse_dynamics.tau", *(["inverse_dynamics.wrench", "r_0C"] if demands else []))
    asked, *of_base = recorded_quantities(model, {**table, "udot": x_dot[layout.x_u]})(names, x)
    (more,) = recorded_quantities(model, {**table, "udot": moved[layout.x_u]})(names[:1], x)
    powers = (asked - tau) * x[layout.x_u][layout.joints]
    demanded = _demanded(model, since, powers, *of_base) if demands else np.zeros(0)
    return {"rates": np.concatenate([more - asked, tau, demanded])}


def _demanded(model: Model, since: Any, powers: Array, wrench: Array, r_0C: Array) -> Array:
    """Return (..., 10) a wrench on a free base as force and moment about the system CoM, the force times the time `since` the
    start, and the sum of |powers| (..., N) of joint forces that are not there.
    """
    force, since = wrench[..., model.layout.base_linear], np.asarray(since)[..., np.newaxis]
    moment = wrench[..., model.layout.base_angular] - cross(r_0C, force)
    power = np.abs(powers).sum(axis=-1, keepdims=True)
    return np.concatenate([force, moment, since * force, power], axis=-1)


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
