"""Whether a value that was set changes the flight: what flies is compared before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...actuators import Drive
from ...compiled import described
from ...control import Controller
from ...errors import InvalidInput, Problem
from ...guidance import PoseReference, Sample
from ...mission import CONTROLLERS, LOG, Mission, Phase, listed
from ...spatial import Array, dcm_from_euler, quaternion_from_dcm, quaternion_product
from ...system import State, coordinate_rates
from ._target import Target

_TIMES = (0.0, 0.13, 0.41, 0.77)  # in parts of a phase
_SIZES = tuple(sign * 10.0**size for sign in (-1, 1) for size in range(-4, 6))  # of torques and rates [N m], [rad/s]
_AWAY = 0.05  # how far from the reference the laws are asked [rad or m, and per second]
_INSTEAD = {"integration.output_step_s": "a study takes its samples at an output_step_s of its own, beside its metrics"}


def refuse_without_effect(target: Target, before: Mission, after: Mission) -> None:
    """Raise `InvalidInput` where nothing of what flies differs between two missions that differ at one path."""
    if any(not np.array_equal(a, b, equal_nan=True) for a, b in zip(_traits(before), _traits(after), strict=False)):
        return
    hint = _INSTEAD.get(target.path, "nothing that flies depends on it in this mission's modes; leave it out")
    raise InvalidInput(Problem(target.path, "a value that changes the flight", "one that does not reach it", hint=hint))


def _traits(mission: Mission) -> Iterator[Array]:
    """Yield numbers of all that decides a flight: where it starts, what pushes it, how it moves, how it is computed."""
    yield mission.initial.x
    yield np.array([frame.origin_m for frame in mission.system.frames]).reshape(-1)  # metrics see where frames are
    yield np.array([len(mission.phases), mission.integration.rtol, mission.integration.atol])
    yield _words(mission.integration.integrator)
    for phase, table in zip(mission.phases, mission.written.resolved["phase"], strict=True):
        yield np.array([phase.t_end_s, *phase.reference.corners_s])
        yield _words((phase.mode, phase.coordinates))
        yield from _events(mission, table)
        yield _words(table.get("on"))
        tables = listed(table["controller"])
        yield _words([said.get(key) for said in tables for key in CONTROLLERS[said["type"]].unseen])
        for part in _TIMES:
            yield from _at(mission, phase, part * phase.t_end_s)
        yield from _actuators(mission, phase)
    yield _words([mission.written.resolved.get(key) for key in ("environment", "load")])
    yield _words(described(mission.constraints))
    yield _words((mission.switches, [phase.switches for phase in mission.phases]))
    yield _words(described(mission.contacts))
    yield _words(mission.observation)
    yield _words(described(mission.loads))  # they hold what they need of the system, such as shapes


def _words(what: object) -> Array:
    return np.frombuffer(repr(what).encode(), dtype=np.uint8)


def _events(mission: Mission, table: Mapping[str, Any]) -> Iterator[Array]:
    """Yield what can end a phase before its time or switch constraints, and the limits of joints that it may look for."""
    awaited = {switch.event for switch in mission.switches}
    ending = [said for said in table.get("events", ()) if said.get("then") != LOG or said["name"] in awaited]
    yield _words([{key: value for key, value in said.items() if key != "name"} for said in ending])
    if ending:
        yield np.array([[coordinate.lower, coordinate.upper] for coordinate in mission.system.coordinates])


def _at(mission: Mission, phase: Phase, t: float) -> Iterator[Array]:
    """Yield what is wanted, commanded and done near the reference at `t`."""
    wanted = phase.reference.at(t)
    if isinstance(wanted, PoseReference):
        attitude = np.empty(0) if wanted.attitude_xyzw is None else wanted.attitude_xyzw
        yield np.concatenate([wanted.position_m, attitude, wanted.twist, wanted.twist_dot])
        state = _near(mission, mission.initial.q, mission.initial.qdot)
    else:
        yield np.concatenate([wanted.q, wanted.qdot, wanted.qddot])
        state = _near(mission, wanted.q, wanted.qdot)
    law = phase.controller.begun(mission.initial)
    yield from _said(law, t, state, wanted)
    equations = mission.model.equations(state)
    yield equations.M
    yield np.concatenate([equations.bias, equations.passive_force, equations.gravity_force])


def _said(law: Controller, t: float, state: State, wanted: Sample) -> Iterator[Array]:
    """Yield the command of a law, and those of the laws in it that follow the same: it may be late, or cut."""
    if not law.states:
        yield np.asarray(law.command(t, state, wanted, law.start(state))[0])
    else:
        memory = law.state_0(state)
        on = memory + _AWAY * np.cos(np.arange(1.0, len(memory) + 1))
        yield np.concatenate([memory, law.command(t, state, wanted, on)[0], law.state_rate(t, state, wanted, on)])
    for inner in law.wraps:
        if type(wanted) in inner.follows:
            yield from _said(inner, t, state, wanted)


def _near(mission: Mission, q: Array, qdot: Array) -> State:
    """Return a state beside the reference in which all moves, the base away from where it starts and may be held."""
    layout, start = mission.model.layout, mission.initial
    away = np.cos(np.arange(1.0, layout.N + 1)) * _AWAY
    q = np.asarray(q) + coordinate_rates(layout, np.asarray(q), away)
    for first, _ in layout.quaternions:
        q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    qdot = np.asarray(qdot) + away[::-1]
    if layout.fixed:
        return State(q=q, qdot=qdot)
    moving = np.array([0.03, -0.02, 0.05])
    attitude = quaternion_product(start.attitude_xyzw, quaternion_from_dcm(dcm_from_euler(*moving)))
    speeds = (start.v_0 + moving, start.omega_0 - moving, qdot)
    return State(start.r_0 + moving, attitude, q, *speeds, actuators=start.actuators)


def _actuators(mission: Mission, phase: Phase) -> Iterator[Array]:
    """Yield the limits and losses of the actuators that the mode uses."""
    system, mode = mission.model.system, phase.mode
    for capability in mode.base_actuators:
        yield _words([actuator.given() for actuator in system.offering(capability)])
    drives = system.offering(Drive)
    yield np.array([[d.torque_limit, d.rate_limit, d.fitting.gear_ratio] for d in drives]).reshape(-1)
    yield np.array([d.within(torque, rate) for d in drives for torque in _SIZES for rate in _SIZES])
