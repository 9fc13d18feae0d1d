"""Spacecraft for tests of gravity."""

from __future__ import annotations

import numpy as np

from scmanip.dynamics import Model, compile_model
from scmanip.loads import Gravity, Orbit
from scmanip.modes import Floating
from scmanip.simulation import History, simulate
from scmanip.system import Body, Joint, State, System

UPRIGHT = [0.0, 0.0, 0.0, 1.0]


def idle(t, state):
    """No torque."""
    del t
    return np.zeros(state.qdot.size)


def rigid(inertia, mass_kg: float = 100.0) -> Model:
    """A rigid spacecraft."""
    return compile_model(System("brick", Body("base", mass_kg, inertia)))


def ball() -> Model:
    """A sphere, which gravity does not turn."""
    return rigid([10.0, 10.0, 10.0])


def dumbbell(mass_kg: float = 20.0, half_m: float = 15.0) -> Model:
    """Two small spheres welded to each other at a distance along x."""
    weld = Joint("boom", "fixed", origin_m=[2 * half_m, 0.0, 0.0])
    tip = Body("tip", mass_kg, [1e-4] * 3, parent="base", joint=weld)
    return compile_model(System("dumbbell", Body("base", mass_kg, [1e-4] * 3), [tip]))


def coast(model: Model, orbit: Orbit, start: State, t_end_s: float, **options: float) -> History:
    """What gravity does to a spacecraft that does nothing."""
    return simulate(model, Floating(), idle, start, environment=Gravity(orbit), t_end_s=t_end_s, **{"rtol": 1e-12, **options})


def placed(orbit: Orbit, rho, rho_dot) -> State:
    """A rigid spacecraft at a place and with a velocity in the orbital frame, not turning."""
    r, v = orbit.from_orbital_frame(0.0, np.asarray(rho, dtype=float), np.asarray(rho_dot, dtype=float))
    return State(r, UPRIGHT, [], v, [0.0, 0.0, 0.0], [])
