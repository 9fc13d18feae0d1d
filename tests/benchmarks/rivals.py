"""The same arm in Pinocchio and MuJoCo: their models, built by the oracles of the tests, and their arguments.

Only for bases whose CoM is the origin of the base frame; both codes then have the position and attitude of scmanip, and
differ in the axes of the base's speeds and forces. Arguments of one case or, with a leading axis, of many.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
import pinocchio as pin
from scipy.spatial.transform import Rotation

from scmanip.system import State, System

from ..oracles.mujoco_oracle import MujocoOracle
from ..oracles.pinocchio_oracle import PinocchioOracle

AS_IN_N = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
CONVENTIONS = {"local": pin.Convention.LOCAL, "world": pin.Convention.WORLD}
UNUSED = ("mjDSBL_CONSTRAINT", "mjDSBL_CONTACT", "mjDSBL_ACTUATION", "mjDSBL_SENSOR")


class PinocchioArm:
    """Pinocchio's model, with v_0 and omega_0 in base axes.

    model, data : Pinocchio's; tip : its number of the frame "tip"
    """

    def __init__(self, system: System) -> None:
        self.model, places = PinocchioOracle(system).model
        frame = system.frame("tip")
        joint, place = places[frame.body]
        placed = place * pin.SE3(np.array(frame.dcm), np.array(frame.origin_m))
        self.tip = self.model.addFrame(pin.Frame("tip", joint, 0, placed, pin.FrameType.OP_FRAME))
        self.data = self.model.createData()

    def q(self, states: State) -> np.ndarray:
        """Return positions (n, 7 + N), attitude x, y, z, w."""
        return np.concatenate([states.r_0, states.attitude_xyzw, states.q], axis=-1)

    def v(self, states: State) -> np.ndarray:
        """Return speeds (n, 6 + N)."""
        return np.concatenate([_in_base(states, states.v_0), _in_base(states, states.omega_0), states.qdot], axis=-1)

    def a(self, states: State, udot: np.ndarray) -> np.ndarray:
        """Return accelerations (n, 6 + N): the rates of v."""
        linear = udot[..., :3] - np.cross(states.omega_0, states.v_0)
        return np.concatenate([_in_base(states, linear), _in_base(states, udot[..., 3:6]), udot[..., 6:]], axis=-1)

    def udot(self, states: State, a: np.ndarray) -> np.ndarray:
        """Return scmanip's accelerations (n, 6 + N) from Pinocchio's."""
        linear = _in_N(states, a[..., :3]) + np.cross(states.omega_0, states.v_0)
        return np.concatenate([linear, _in_N(states, a[..., 3:6]), a[..., 6:]], axis=-1)

    def wrench_and_tau(self, states: State, force: np.ndarray) -> np.ndarray:
        """Return scmanip's [wrench; tau] (n, 6 + N) from Pinocchio's forces."""
        return np.concatenate([_in_N(states, force[..., :3]), _in_N(states, force[..., 3:6]), force[..., 6:]], axis=-1)


@dataclass(frozen=True, eq=False)
class MujocoArm:
    """MuJoCo's model without the stages that have nothing to do, and data in the state to be timed.

    MuJoCo has v_0 in N and omega_0 in base axes.
    """

    model: mujoco.MjModel
    data: mujoco.MjData

    @classmethod
    def of(cls, system: System, state: State, tau: np.ndarray) -> MujocoArm:
        """Return the arm in a state, pushed by tau (N,)."""
        model = MujocoOracle(system).model
        for flag in UNUSED:
            model.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, flag))
        data = mujoco.MjData(model)
        data.qpos[:] = np.concatenate([state.r_0, state.attitude_xyzw[[3, 0, 1, 2]], state.q])
        data.qvel[:] = np.concatenate([state.v_0, _in_base(state, state.omega_0), state.qdot])
        data.qfrc_applied[6:] = tau
        return cls(model, data)

    def udot(self, state: State) -> np.ndarray:
        """Return scmanip's accelerations from `data.qacc`."""
        a = self.data.qacc
        return np.concatenate([a[:3], _in_N(state, a[3:6]), a[6:]])


def composed(
    model: pin.Model, data: pin.Data, q: np.ndarray, frame: int, convention: pin.Convention = pin.Convention.LOCAL
) -> tuple[np.ndarray, np.ndarray]:
    """Return H and J* of a frame from Pinocchio's M and Jacobian, in as few NumPy calls as it takes.

    They do not depend on the base's speeds, so Pinocchio's are kept.
    """
    M = pin.crba(model, data, q, convention)
    J = pin.computeFrameJacobian(model, data, q, frame, AS_IN_N)
    H0m = M[:6, 6:]
    recoil = np.linalg.solve(M[:6, :6], H0m)
    return M[6:, 6:] - H0m.T @ recoil, J[:, 6:] - J[:, :6] @ recoil


def composed_in_N(model: pin.Model, data: pin.Data, q: np.ndarray, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """Return H and J* of a frame as the papers have them: from H0, H0m, Hm, J0, Jm for base speeds in N."""
    M = pin.crba(model, data, q)
    J = pin.computeFrameJacobian(model, data, q, frame, AS_IN_N)
    R = data.oMi[1].rotation
    turn = np.zeros((6, 6))
    turn[:3, :3] = turn[3:, 3:] = R
    H0, H0m, Hm = turn @ M[:6, :6] @ turn.T, turn @ M[:6, 6:], M[6:, 6:]
    J0, Jm = J[:, :6] @ turn.T, J[:, 6:]
    recoil = np.linalg.solve(H0, H0m)
    return Hm - H0m.T @ recoil, Jm - J0 @ recoil


def _in_base(states: State, vectors: np.ndarray) -> np.ndarray:
    return np.asarray(Rotation.from_quat(states.attitude_xyzw).apply(np.array(vectors), inverse=True))


def _in_N(states: State, vectors: np.ndarray) -> np.ndarray:
    return np.asarray(Rotation.from_quat(states.attitude_xyzw).apply(np.array(vectors)))
