"""Thrusters and wheels on the free two-joint arm."""

from __future__ import annotations

import numpy as np

from scmanip.system import System, Thruster, Wheel
from tests.simulation.arms import two_joints

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.4, 0.4) for z in (-0.3, 0.3)])


def box(force_N: float = 10.0, *, scale: float = 1.0) -> list[Thruster]:
    """Three thrusters in every corner of a box about the base frame's origin, each along an axis and outwards."""
    return [
        Thruster(f"{'xyz'[k]}{number}", scale * corner, np.sign(corner[k]) * np.eye(3)[k], force_N, 200.0 + 10 * k)
        for number, corner in enumerate(CORNERS)
        for k in range(3)
    ]


def pairs(force_N: float = 10.0) -> list[Thruster]:
    """Two thrusters per couple about each axis, in both senses, and none else."""
    made = []
    for k in range(3):
        arm, along = np.eye(3)[(k + 1) % 3], np.eye(3)[(k + 2) % 3]
        for sense in (1.0, -1.0):
            for side in (1.0, -1.0):
                made.append(Thruster(f"{'xyz'[k]}{sense:+g}{side:+g}", side * arm, side * sense * along, force_N, 220.0))
    return made


def tug(thrusters: list[Thruster] | tuple[Thruster, ...] = (), wheels: list[Wheel] | tuple[Wheel, ...] = ()) -> System:
    """`two_joints` with actuators on its base."""
    arm = two_joints()
    return System(arm.name, arm.base, arm.bodies[1:], arm.frames, actuators=[*wheels, *thrusters])
