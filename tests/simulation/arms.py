"""Small systems and references that the tests of several rooms share."""

from __future__ import annotations

import numpy as np

from scmanip.dynamics import Model, compile_model
from scmanip.guidance import JointReference
from scmanip.system import Body, Joint, State, System

INERTIA_1 = [[0.3, 0.02, 0.0], [0.02, 1.1, -0.05], [0.0, -0.05, 1.2]]
INERTIA_2 = [[0.1, 0.0, 0.01], [0.0, 0.5, 0.0], [0.01, 0.0, 0.6]]


def two_joints(
    *,
    fixed: bool = False,
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    stiffness: float = 0.0,
    damping: float = 0.0,
    mass_2: float = 4.0,
) -> System:
    """A base with two links, joint axes z and y, centres of mass and inertias without symmetry."""
    base = Body("base", 40.0, [[6.0, 0.3, 0.1], [0.3, 7.0, -0.2], [0.1, -0.2, 5.0]], com_m=[0.1, -0.05, 0.02])
    shoulder = Joint("shoulder", "revolute", [0, 0, 1], origin_m=[0.5, 0.1, 0.2], stiffness=stiffness, damping=damping)
    elbow = Joint("elbow", "revolute", [0, 1, 0], origin_m=[1.0, 0, 0], stiffness=stiffness / 2, damping=damping / 2)
    bodies = [
        Body("upper", 8.0, INERTIA_1, [0.5, 0.02, 0.0], "base", shoulder),
        Body("fore", mass_2, INERTIA_2, [0.4, 0.0, 0.03], "upper", elbow),
    ]
    return System("two joints", base, bodies, fixed=fixed, gravity_m_s2=gravity)


def no_joints(inertia: list[float]) -> System:
    """A rigid spacecraft without arms."""
    return System("brick", Body("base", 10.0, inertia))


def model(**options: object) -> Model:
    """The model of `two_joints(**options)`."""
    return compile_model(two_joints(**options))  # type: ignore[arg-type]


def moving_state() -> State:
    """A state of the floating `two_joints` with momentum in every direction."""
    attitude = np.array([0.1, -0.3, 0.2, 0.9])
    return State(
        [0.3, -0.2, 0.1], attitude / np.linalg.norm(attitude), [0.4, -0.7], [0.05, 0.02, -0.03], [0.1, -0.2, 0.15], [0.3, -0.4]
    )


class Ramp:
    """A reference that is not one of the library's: joint 0 accelerates at 0.2 rad/s^2 from `corner` s on."""

    def __init__(self, corner: float, *, named: bool = True) -> None:
        self.corner = corner
        self.corners_s = (corner,) if named else ()
        self.t_end_s = corner
        self.asked: list[float] = []

    def at(self, t: float) -> JointReference:
        """Return the reference at t; just after the corner it accelerates."""
        self.asked.append(t)
        since, on = max(t - self.corner, 0.0), float(t >= self.corner)
        return JointReference(np.array([0.1 * since**2, 0.0]), np.array([0.2 * since, 0.0]), np.array([0.2 * on, 0.0]))
