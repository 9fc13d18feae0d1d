"""One arm with motors and rotors, and the same with the rotors as bodies that a gear ties to their joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scmanip.system import Body, Joint, Motor, State, System

from ..oracles.random_systems import random_case


def with_motors(seed: int) -> System | None:
    """Return a random system with a rotor at two of three revolute joints or more; None where it has no revolute joint."""
    system, rng = random_case(seed), np.random.default_rng([seed, 21])
    turning = [joint.name for joint in system.joints if joint.type == "revolute"]
    if not turning:
        return None
    driven = [name for name in turning if rng.random() < 0.7] or turning[:1]
    motors = [
        Motor(name, gear_ratio=rng.choice([-1, 1]) * rng.uniform(0.5, 60), rotor_inertia_kg_m2=rng.uniform(1e-4, 1e-2))
        for name in driven
    ]
    locked = {body.name: body.inertia_kg_m2 for body in system.bodies}
    for motor in motors:
        body, axis = carried_by(system, motor.joint), axis_of(system, motor.joint)
        locked[body.parent] = locked[body.parent] + motor.rotor_inertia_kg_m2 * np.outer(axis, axis)
    base, *bodies = (replace(body, inertia_kg_m2=locked[body.name]) for body in system.bodies)
    given = {"fixed": system.fixed, "gravity_m_s2": system.gravity_m_s2, "springs": system.springs}
    return System(system.name, base, bodies, system.frames, actuators=motors, **given)


def carried_by(system: System, joint: str) -> Body:
    """Return the body that a joint moves."""
    return next(body for body in system.bodies if body.joint is not None and body.joint.name == joint)


def axis_of(system: System, joint: str) -> np.ndarray:
    """Axis (3,) of a joint in the axes of the body that carries it."""
    moved = carried_by(system, joint).joint
    return moved.dcm @ moved.axis


def rotors_as_bodies(system: System) -> System:
    """Return the system without motors; rotors of spin inertia alone hang on the carriers, whose inertia is without them."""
    free = {body.name: body.inertia_kg_m2 for body in system.bodies}
    rotors = []
    for motor in system.motors:
        carrier, axis = carried_by(system, motor.joint).parent, axis_of(system, motor.joint)
        spin = motor.rotor_inertia_kg_m2 * np.outer(axis, axis)
        free[carrier] = free[carrier] - spin
        place = Joint(f"spin of {motor.joint}", "revolute", axis, origin_m=[0.1, -0.2, 0.3])
        rotors.append(Body(f"rotor of {motor.joint}", 0.0, spin, parent=carrier, joint=place))
    base, *bodies = (replace(body, inertia_kg_m2=whole(free[body.name])) for body in system.bodies)
    given = {"fixed": system.fixed, "gravity_m_s2": system.gravity_m_s2, "springs": system.springs}
    return System("rotors", base, [*bodies, *rotors], system.frames, **given)


def whole(inertia: np.ndarray) -> np.ndarray:
    """Return an inertia without the rounding below zero of what was added and taken off again."""
    values, axes = np.linalg.eigh((inertia + inertia.T) / 2)
    return axes @ np.diag(np.maximum(values, 0.0)) @ axes.T


def gears(system: System, rotors: System) -> np.ndarray:
    """G (n_u', n_u): speeds of the system with rotors as bodies of those of the system with motors."""
    ours, theirs, first = system.layout.qdot_names, rotors.layout.qdot_names, system.layout.n_u - system.layout.N
    G = np.zeros((rotors.layout.n_u, system.layout.n_u))
    G[:first, :first] = np.eye(first)
    ratio = {motor.joint: motor.gear_ratio for motor in system.motors}
    for row, name in enumerate(theirs, start=first):
        joint = name.removeprefix("spin of ")
        G[row, first + ours.index(joint)] = 1.0 if joint == name else ratio[joint]
    return G


def as_bodies(system: System, rotors: System, state: State) -> State:
    """Return the state of `rotors_as_bodies`, rotors turned by nothing yet."""
    q = rotors.layout.neutral()
    for name, value in zip(system.layout.q_names, state.q, strict=True):
        q[rotors.layout.q_names.index(name)] = value
    u = gears(system, rotors) @ state.u
    if system.fixed:
        return State(q=q, qdot=u)
    return State(state.r_0, state.attitude_xyzw, q, u[:3], u[3:6], u[6:])
