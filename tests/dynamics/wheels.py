"""One spacecraft with wheels in its state, and the same with wheels as bodies."""

from __future__ import annotations

import numpy as np

from scmanip.system import Body, Joint, State, System, Wheel

from ..oracles.random_systems import random_case


def with_wheels(seed: int, count: int = 4) -> System:
    """Return a random floating system with a cluster of wheels."""
    system, rng = random_case(seed), np.random.default_rng([seed, 11])
    axes = rng.normal(size=(count, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    wheels = [Wheel(f"w{k}", axis, rng.uniform(0.01, 0.3)) for k, axis in enumerate(axes)]
    base, *bodies = system.bodies
    heavy = Body("base", base.mass_kg, base.inertia_kg_m2 + 2 * np.eye(3), base.com_m)
    return System(system.name, heavy, bodies, system.frames, actuators=wheels)


def wheels_as_bodies(system: System) -> System:
    """Return the system with massless bodies of spin inertia alone in place of the wheels, which the base gives away."""
    base, *bodies = system.bodies
    inertia = base.inertia_kg_m2 - sum(w.inertia_kg_m2 * np.outer(w.axis, w.axis) for w in system.wheels)
    rotors = []
    for wheel in system.wheels:
        spin = wheel.inertia_kg_m2 * np.outer(wheel.axis, wheel.axis)
        joint = Joint(wheel.name, "revolute", wheel.axis, origin_m=base.com_m)
        rotors.append(Body(f"rotor {wheel.name}", 0.0, spin, parent="base", joint=joint))
    return System("rotors", Body("base", base.mass_kg, inertia, base.com_m), [*rotors, *bodies], system.frames)


def as_bodies(system: System, state: State) -> State:
    """Return the state of `wheels_as_bodies`; the wheels come first among the joints."""
    q = np.concatenate([np.zeros(len(system.wheels)), state.q])
    qdot = np.concatenate([state.wheel_rad_s, state.qdot])
    return State(state.r_0, state.attitude_xyzw, q, state.v_0, state.omega_0, qdot)


def spinning(system: System, state: State, seed: int) -> State:
    """Return the state with wheels that spin."""
    speeds = np.random.default_rng([seed, 12]).normal(size=len(system.wheels)) * 50
    return State(state.r_0, state.attitude_xyzw, state.q, state.v_0, state.omega_0, state.qdot, wheel_rad_s=speeds)
