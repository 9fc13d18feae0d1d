"""Spacecraft with every kind of hardware, for tests of ledgers."""

import numpy as np

from scmanip.dynamics import compile_model
from scmanip.modes import FixedBase, Floating, Flying, RotationFloating
from scmanip.simulation import simulate
from scmanip.system import Body, Frame, Joint, Motor, SpringDamper, State, System, Thruster, Wheel
from tests.simulation.arms import INERTIA_1, INERTIA_2

START = [0.3, -0.2, 0.1], np.array([0.1, -0.3, 0.2, 0.9]) / np.sqrt(0.95), [0.4, -0.7], [0.05, 0.02, -0.03], [0.1, -0.2, 0.15]
WHEELS = [Wheel(name, axis, 0.05, damping_Nms_rad=1e-3) for name, axis in zip("xyz", np.eye(3), strict=True)]
PLACES = ([0.6, 0.4, 0.3], [-0.6, -0.4, -0.3])
THRUSTERS = [
    Thruster(f"{i}{letter}{sign:+}", place, sign * axis, 20.0, 220.0)
    for i, place in enumerate(PLACES)
    for letter, axis in zip("xyz", np.eye(3), strict=True)
    for sign in (1, -1)
]
MOTORS = [
    Motor("shoulder", gear_ratio=50.0, rotor_inertia_kg_m2=1e-3, damping_Nms_rad=0.2, coulomb_Nm=0.1, coulomb_width_rad_s=0.2)
]


def plant(**hardware):
    """A base with two links, everything without symmetry, a damper between base and hand."""
    base = Body("base", 40.0, [[6.0, 0.3, 0.1], [0.3, 7.0, -0.2], [0.1, -0.2, 5.0]], com_m=[0.1, -0.05, 0.02])
    shoulder = Joint("shoulder", "revolute", [0, 0, 1], origin_m=[0.5, 0.1, 0.2], damping=0.4)
    elbow = Joint("elbow", "revolute", [0, 1, 0], origin_m=[1.0, 0, 0], stiffness=1.5, damping=0.3)
    bodies = [
        Body("upper", 8.0, INERTIA_1, [0.5, 0.02, 0.0], "base", shoulder),
        Body("fore", 4.0, INERTIA_2, [0.4, 0.0, 0.03], "upper", elbow),
    ]
    frames = [Frame("post", "base", [0.2, 0.5, 0.0]), Frame("hand", "fore", [0.4, 0.1, 0.0])]
    tether = SpringDamper("tether", ("post", "hand"), stiffness_N_m=3.0, damping_Ns_m=0.7, length_m=0.5)
    return compile_model(System("ledger", base, bodies, frames, springs=[tether], **hardware))


def start(model):
    """Everything moves."""
    if model.layout.fixed:
        return State(q=[0.4, -0.7], qdot=[0.3, -0.4])
    return State(*START, [0.3, -0.4], wheel_rad_s=[20.0, -10.0, 5.0][: model.layout.n_w])


def shake(mode):
    """A law that commands all that the mode can."""

    def law(t, state):
        tau = np.array([2.0 * np.sin(3 * t), np.cos(2 * t)])
        push = [3 * np.sin(t), 2.0, np.cos(3 * t)] if isinstance(mode, Flying) else [0.0, 0.0, 0.0]
        return np.concatenate([push, [0.5, np.sin(2 * t), -np.cos(t)], tau]) if mode.commands_base else tau

    return law


def steady(t, state):
    """A push from one side: which thrusters burn changes seldom, and with it the flow of propellant has few corners."""
    return [9.0, 8.0, 9.0, 1.0, 0.8, -0.6, 0.2 * np.sin(t), 0.2 * np.cos(t)]


def flown(model, mode, law=None, **options):
    """Two seconds."""
    given = {"t_end_s": 2.0, "output_step_s": 0.23, "rtol": 1e-12} | options
    return simulate(model, mode, law or shake(mode), start(model), **given)


CASES = {
    "floating": (dict(), Floating()),
    "motors": (dict(actuators=MOTORS), Floating()),
    "held": (dict(fixed=True, gravity_m_s2=[0.0, 1.0, -9.81]), FixedBase()),
    "wheels": (dict(actuators=WHEELS), RotationFloating()),
    "wheels that coast": (dict(actuators=WHEELS), Floating()),
    "ideal thrusters": (dict(), Flying()),
    "thrusters": (dict(actuators=THRUSTERS), Flying()),
}
