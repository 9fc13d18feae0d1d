"""Computed torque for the joints and the base together, in any manoeuvre mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..dynamics import Model
from ..errors import ModeMismatch
from ..guidance import JointReference
from ..modes import BaseDriven, CentroidalDynamics, Floating, ManoeuvreMode
from ..spatial import Array, attitude_xyzw, quaternion_conjugate, quaternion_product
from ..system import State, coordinate_difference
from ._controller import Controller
from ._estimate import sample

IDENTITY = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class BasePose:
    """Where the base shall be: attitude_xyzw (4,) base to inertial, and position_m (3,), of the base CoM or the system CoM."""

    attitude_xyzw: ArrayLike = IDENTITY
    position_m: ArrayLike = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False, init=False, repr=False)
class CoordinatedComputedTorque(Controller):
    """Drive the joints along a reference and hold what the mode commands of the base, by the inverse dynamics of the mode.

    The accelerations of the commanded speeds are errors times gains; the forces that give them come from the equations of
    motion in which the other speeds react freely (`CentroidalDynamics.reduced`). Where the mode turns the base its attitude is
    held; `Flying` holds the position of the base CoM, `TranslationFlying` that of the system CoM.

    estimate : `Model` of the system as the controller believes it to be
    mode : the mode that it flies in
    K_P, K_D : gains of the joints [1/s^2, 1/s]; base_K_P, base_K_D : of the base
    pose : where the base shall be; the system CoM for `TranslationFlying`
    """

    estimate: Model
    mode: ManoeuvreMode
    K_P: float
    K_D: float
    base_K_P: float
    base_K_D: float
    attitude: Array
    position: Array

    def __init__(
        self,
        estimate: Model,
        mode: ManoeuvreMode,
        *,
        K_P: float = 1.0,
        K_D: float = 2.0,
        base_K_P: float = 1.0,
        base_K_D: float = 2.0,
        pose: BasePose | None = None,
    ) -> None:
        pose = BasePose() if pose is None else pose
        attitude = attitude_xyzw(pose.attitude_xyzw, order="xyzw")
        vars(self).update(estimate=mode.equipped(estimate), mode=mode, K_P=K_P, K_D=K_D, base_K_P=base_K_P, base_K_D=base_K_D)
        vars(self).update(attitude=attitude, position=np.asarray(pose.position_m, dtype=float))

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` when it was made for another mode."""
        if type(mode) is not type(self.mode) or not isinstance(mode, BaseDriven | Floating):
            raise ModeMismatch(
                f"CoordinatedComputedTorque was made for {self.mode!r} and is flown in {mode!r}; make it for that mode"
            )

    def command(self, t: float, state: State, reference: JointReference | None, memory: Any) -> tuple[Array, Any]:
        """Return the command (6 + N,) = [f; n; tau], or (N,) in `Floating`, and the memory unchanged."""
        wanted, layout = sample("CoordinatedComputedTorque", t, reference), self.estimate.layout
        d = CentroidalDynamics.of(self.estimate, state)
        sdot = np.zeros(layout.n_u)
        error = coordinate_difference(layout, wanted.q, state.q)
        sdot[6:] = wanted.qddot + self.K_D * (wanted.qdot - state.qdot) + self.K_P * error
        sdot[3:6] = self.base_K_P * self._attitude_error(state) - self.base_K_D * state.omega_0
        sdot[:3] = self._com_acceleration(state, d, sdot)
        commanded = self.mode.actuated(layout)
        inertia, bias = d.reduced(commanded)
        F = np.zeros(layout.n_u)
        F[commanded] = inertia @ sdot[commanded] + bias
        wrench, tau = d.wrench_and_tau(F)
        if not self.mode.commands_base:
            return tau, memory
        n = F[3:6] if 0 not in commanded else wrench[3:]
        if 0 in commanded and 3 not in commanded:
            n = np.zeros(3)  # the mode makes the force act through the system CoM
        elif 0 in commanded and getattr(self.mode, "attitude", None) is not None:
            n = F[3:6]
        return np.concatenate([F[:3], n, tau]), memory

    def _attitude_error(self, state: State) -> Array:
        """2 sin(angle / 2) (3,) about the axis that turns the base to where it shall be, in N."""
        turn = quaternion_product(self.attitude, quaternion_conjugate(state.attitude_xyzw))
        return 2 * turn[:3] * (1.0 if turn[3] >= 0 else -1.0)

    def _com_acceleration(self, state: State, d: CentroidalDynamics, sdot: Array) -> Array:
        """Acceleration (3,) of the system CoM that the position asks for."""
        position, K_P, K_D = self.position, self.base_K_P, self.base_K_D
        if 3 in self.mode.actuated(self.estimate.layout) and getattr(self.mode, "attitude", None) is None:
            base = K_P * (position - state.r_0) - K_D * state.v_0  # of the base CoM; sdot[:3] still zero
            return np.asarray(base - d.accelerations(sdot)[:3])
        v_C = self.estimate.momentum(state).P / d.m_tot
        return np.asarray(K_P * (position - state.r_0 - d.r_0C) - K_D * v_C)

    def __repr__(self) -> str:
        return f"CoordinatedComputedTorque({self.estimate!r}, {self.mode!r})"
