"""A system in a state, as Pinocchio sees it: where its bodies are, what they weigh, how they are moved."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from scmanip.dynamics import Equations, Model, Parameters, Reference, compile_model
from scmanip.spatial import DCM
from scmanip.system import State, System

from ..oracles.pinocchio_oracle import PinocchioOracle
from ..oracles.random_systems import random_state


class MovingSystem:
    """Entry i of each array belongs to body i, the base first; all components are inertial."""

    def __init__(self, system: System, seed: int = 17, *, M_0: np.ndarray | None = None) -> None:
        """M_0 : [P; L_0] (6,), when given the base moves as these momenta want it."""
        self.system, self.twin = system, PinocchioOracle(system)
        self.state = state = random_state(system, seed)
        if M_0 is not None:
            M = self.twin.M(state)
            u0 = np.linalg.solve(M[:6, :6], M_0 - M[:6, 6:] @ state.qdot)
            self.state = State(state.r_0, state.attitude_xyzw, state.q, u0[:3], u0[3:], state.qdot)
        rng = np.random.default_rng(seed)
        self.tau, self.wrench = rng.normal(size=system.layout.N), rng.normal(size=6)

    @cached_property
    def model(self) -> Model:
        return compile_model(self.system, implementation=Reference())

    @cached_property
    def equations(self) -> Equations:
        s = self.state
        moving = {"q": s.q, "qdot": s.qdot, "attitude": s.attitude_xyzw, "r_0": s.r_0, "v_0": s.v_0, "omega_0": s.omega_0}
        return Equations(Parameters.of(self.system), DCM(), **moving)

    # Bodies

    @cached_property
    def m(self) -> np.ndarray:
        return np.array([body.mass_kg for body in self.system.bodies])

    @cached_property
    def r(self) -> np.ndarray:
        return np.array([self.twin.pose(self.state, body.name, body.com_m)[0] for body in self.system.bodies])

    @cached_property
    def inertia(self) -> np.ndarray:
        R = [self.twin.pose(self.state, body.name, body.com_m)[1] for body in self.system.bodies]
        return np.array([R @ body.inertia_kg_m2 @ R.T for R, body in zip(R, self.system.bodies, strict=True)])

    @cached_property
    def J(self) -> np.ndarray:
        """(n_b, 6, n_u) [J0 | Jm] of every CoM."""
        return np.array([self.twin.jacobian(self.state, body.name, body.com_m) for body in self.system.bodies])

    @cached_property
    def J_tip(self) -> np.ndarray:
        """(6, n_u) of the frame "tip"."""
        tip = self.system.frames[-1]
        return self.twin.jacobian(self.state, tip.body, tip.origin_m)

    @cached_property
    def x_tip(self) -> np.ndarray:
        tip = self.system.frames[-1]
        return self.twin.pose(self.state, tip.body, tip.origin_m)[0]

    # Joints

    @cached_property
    def k_hat(self) -> np.ndarray:
        return self.equations.k_hat

    @cached_property
    def p(self) -> np.ndarray:
        return self.equations.joints.p + self.state.r_0

    @cached_property
    def path(self) -> np.ndarray:
        """(n_b, N) whether a joint moves a body."""
        return np.asarray(self.system.tree.joint_path)

    @cached_property
    def tip_path(self) -> np.ndarray:
        """(N,) whether a joint moves the tip."""
        names = [body.name for body in self.system.bodies]
        return self.path[names.index(self.system.frames[-1].body)]

    # Inertia

    @cached_property
    def M(self) -> np.ndarray:
        return self.twin.M(self.state)

    @cached_property
    def H0(self) -> np.ndarray:
        return self.M[:6, :6]

    @cached_property
    def m_tot(self) -> float:
        return float(self.m.sum())

    @cached_property
    def H0m(self) -> np.ndarray:
        return self.M[:6, 6:]

    @cached_property
    def Hm(self) -> np.ndarray:
        return self.M[6:, 6:]

    @cached_property
    def r_0C(self) -> np.ndarray:
        return self.twin.centre_of_mass(self.state) - self.state.r_0

    @cached_property
    def S_U(self) -> np.ndarray:
        """(3, 3) moment per angular acceleration when the joints are locked and nothing holds the base."""
        return np.linalg.inv(np.linalg.inv(self.H0)[3:, 3:])

    @cached_property
    def pushed(self) -> np.ndarray:
        """(n_u, N) accelerations from rest per unit of joint force, by articulated bodies."""
        s = self.state
        rest = State(s.r_0, s.attitude_xyzw, s.q, np.zeros(3), np.zeros(3), 0 * s.qdot)
        return np.array([self.twin.forward_dynamics(rest, tau, None, []) for tau in np.eye(len(s.q))]).T

    @cached_property
    def recoil(self) -> np.ndarray:
        """(n_u, N) speeds per unit of joint rate when only the joints push: the base's, then the identity."""
        return self.pushed @ np.linalg.inv(self.pushed[6:])


def vector_of(a_cross: np.ndarray) -> np.ndarray:
    """Return a (3,) of a^x, which must be skew-symmetric."""
    assert abs(a_cross + a_cross.T).max() <= 1e-12 * max(1.0, abs(a_cross).max())
    return np.array([a_cross[2, 1], a_cross[0, 2], a_cross[1, 0]])
