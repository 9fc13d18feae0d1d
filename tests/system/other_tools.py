"""A URDF as Pinocchio and MuJoCo read it, asked in scmanip's conventions; arms with joints of one coordinate each."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scmanip import State
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import System


def random_state(system: System, rng: np.random.Generator) -> State:
    """Any state; coordinates within two turns."""
    N = system.layout.N
    q, qdot = rng.uniform(-2, 2, N), rng.normal(size=N)
    if system.fixed:
        return State(q=q, qdot=qdot, actuators=_still(system)).of_layout(system.layout)
    attitude = rng.normal(size=4)
    base = (rng.normal(size=3), attitude / np.linalg.norm(attitude), q, *rng.normal(size=(2, 3)), qdot)
    return State(*base, actuators=_still(system)).of_layout(system.layout)


def _still(system: System) -> dict[str, np.ndarray]:
    return {name: np.zeros(count) for name, count in system.layout.states}


def _speeds(system: System, state: State, columns: list[int], *, in_body_axes: bool) -> np.ndarray:
    """(nv, n_u) from u to speeds of a tool: of the base's origin in body axes or N, omega in body axes, and of joints."""
    first = 0 if system.fixed else 6
    S = np.zeros((first + len(columns), system.layout.n_u))
    if first:
        R = dcm_from_quaternion(state.attitude_xyzw)
        x, y, z = R @ system.base.com_m
        lever = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        S[:3, :6] = (R.T if in_body_axes else np.eye(3)) @ np.hstack([np.eye(3), lever])
        S[3:6, 3:6] = R.T
    for k, column in enumerate(columns):
        S[column, first + k] = 1.0
    return S


class InPinocchio:
    """The URDF by `buildModelFromUrdf`."""

    def __init__(self, file: Path | str, system: System) -> None:
        import pinocchio as pin

        self.pin, self.system = pin, system
        root = () if system.fixed else (pin.JointModelFreeFlyer(),)
        self.model = pin.buildModelFromUrdf(str(file), *root)
        self.joints = [self.model.joints[self.model.getJointId(joint.name)] for joint in system.joints]

    def q(self, state: State) -> np.ndarray:
        """Its coordinates."""
        q = self.pin.neutral(self.model)
        if not self.system.fixed:
            R = dcm_from_quaternion(state.attitude_xyzw)
            q[:7] = [*(state.r_0 - R @ self.system.base.com_m), *state.attitude_xyzw]
        for joint, value in zip(self.joints, state.q, strict=True):
            q[joint.idx_q : joint.idx_q + joint.nq] = [value] if joint.nq == 1 else [np.cos(value), np.sin(value)]
        return q

    def M(self, state: State) -> np.ndarray:
        """(n_u, n_u)."""
        data = self.model.createData()
        self.pin.crba(self.model, data, self.q(state))
        S = _speeds(self.system, state, [joint.idx_v for joint in self.joints], in_body_axes=True)
        return S.T @ (np.triu(data.M) + np.triu(data.M, 1).T) @ S

    def place(self, state: State, link: str) -> tuple[np.ndarray, np.ndarray]:
        """Position and rotation of a link."""
        data = self.model.createData()
        self.pin.framesForwardKinematics(self.model, data, self.q(state))
        placed = data.oMf[self.model.getFrameId(link, self.pin.FrameType.BODY)]
        return placed.translation, placed.rotation

    def gravity(self, state: State, g: np.ndarray) -> np.ndarray:
        """(n_u,) generalized gravity forces."""
        self.model.gravity.linear = g
        force = -self.pin.computeGeneralizedGravity(self.model, self.model.createData(), self.q(state))
        S = _speeds(self.system, state, [joint.idx_v for joint in self.joints], in_body_axes=True)
        return S.T @ force


class InMujoco:
    """The URDF by MuJoCo's own reader, its root on a joint that floats unless the file has a world."""

    def __init__(self, file: Path, system: System, root: str) -> None:
        import mujoco

        self.mujoco, self.system = mujoco, system
        text = file.read_text(encoding="utf-8")
        head, _, rest = text.partition(">\n  <" if "<!--" not in text else "-->\n")
        tag, _, rest = rest.partition(">")
        option = '<mujoco><compiler fusestatic="false" discardvisual="true"/></mujoco>'
        float_on = f'<parent link="world"/><child link="{root}"/>'
        world = f'<link name="world"/><joint name="root" type="floating">{float_on}</joint>'
        text = f"{head}-->\n{tag}>{option}{'' if system.fixed else world}{rest}"
        self.model = mujoco.MjModel.from_xml_string(text)
        self.joints = [self.model.joint(joint.name) for joint in system.joints]

    @classmethod
    def of_text(cls, text: str, system: System) -> InMujoco:
        """A file in MuJoCo's own format."""
        import mujoco

        made = cls.__new__(cls)
        made.mujoco, made.system, made.model = mujoco, system, mujoco.MjModel.from_xml_string(text)
        made.joints = [made.model.joint(joint.name) for joint in system.joints]
        return made

    def data(self, state: State) -> object:
        """Data with positions worked out."""
        data = self.mujoco.MjData(self.model)
        if not self.system.fixed:
            R = dcm_from_quaternion(state.attitude_xyzw)
            data.qpos[:7] = [*(state.r_0 - R @ self.system.base.com_m), *state.attitude_xyzw[[3, 0, 1, 2]]]
        for joint, value in zip(self.joints, state.q, strict=True):
            data.qpos[joint.qposadr[0]] = value
        self.mujoco.mj_forward(self.model, data)
        return data

    def M(self, state: State) -> np.ndarray:
        """(n_u, n_u)."""
        data, M = self.data(state), np.zeros((self.model.nv, self.model.nv))
        for column, speed in enumerate(np.eye(self.model.nv)):
            self.mujoco.mj_mulM(self.model, data, M[column], speed)
        S = _speeds(self.system, state, [joint.dofadr[0] for joint in self.joints], in_body_axes=False)
        return S.T @ M[: len(S), : len(S)] @ S  # wheels come last

    def place(self, state: State, link: str) -> tuple[np.ndarray, np.ndarray]:
        """Position and rotation of a link."""
        body = self.data(state).body(link)
        return body.xpos, body.xmat.reshape(3, 3)
