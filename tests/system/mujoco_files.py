"""MuJoCo's own reading of an MJCF file, asked in scmanip's conventions: any joints, free bodies too."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np

from scmanip import State
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import System


def any_state(system: System, rng: np.random.Generator) -> State:
    """Any state, joints with quaternions too."""
    layout = system.layout
    q, qdot = rng.uniform(-2, 2, layout.n_q), rng.normal(size=layout.N)
    for first, _ in layout.quaternions:
        q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    still = {name: np.zeros(count) for name, count in layout.states}
    if system.fixed:
        return State(q=q, qdot=qdot, actuators=still).of_layout(layout)
    attitude = rng.normal(size=4)
    base = (rng.normal(size=3), attitude / np.linalg.norm(attitude), q, *rng.normal(size=(2, 3)), qdot)
    return State(*base, actuators=still).of_layout(layout)


class AsMujoco:
    """A file, or its text, with the joints of a system by their names."""

    def __init__(self, file: Path | str, system: System) -> None:
        given = str(file)
        self.system = system
        self.model = (
            mujoco.MjModel.from_xml_string(given) if given.lstrip().startswith("<") else mujoco.MjModel.from_xml_path(given)
        )
        self.root = next((j for j in range(self.model.njnt) if self.model.jnt_type[j] == 0), -1)
        self.joints = [self._joint(body) for body in system.bodies[1:] if body.joint is not None and body.joint.dof]

    def _joint(self, body: object) -> int:
        """The number of the joint of a body: by its name, or that of the body where it has none."""
        found = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_JOINT, body.joint.name)
        if found < 0:
            number = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, body.joint.name.split(" joint")[0])
            later = body.joint.name.rpartition(" joint")[2]
            found = self.model.body_jntadr[number] + (int(later) - 1 if later else 0)
        return int(found)

    def data(self, state: State) -> mujoco.MjData:
        """Data with all that follows from a state."""
        data = mujoco.MjData(self.model)
        if not self.system.fixed:
            R = dcm_from_quaternion(state.attitude_xyzw)
            data.qpos[:7] = [*(state.r_0 - R @ self.system.base.com_m), *state.attitude_xyzw[[3, 0, 1, 2]]]
        i = 0
        for joint, number in zip((j for j in self.system.joints if j.dof), self.joints, strict=True):
            at, n = self.model.jnt_qposadr[number], joint.n_q
            own = state.q[i : i + n]
            if n == 7:
                data.qpos[at : at + 7] = [*own[:3], *own[[6, 3, 4, 5]]]
            else:
                data.qpos[at : at + n] = own[[3, 0, 1, 2]] if n == 4 else own
            i += n
        data.qvel[:] = self.S(state) @ state.u
        mujoco.mj_forward(self.model, data)
        return data

    def S(self, state: State) -> np.ndarray:
        """(nv, n_u) from u to qvel: of the frame's origin in N, omega in body axes."""
        first = 0 if self.system.fixed else 6
        S = np.zeros((self.model.nv, self.system.layout.n_u))
        if first:
            R = dcm_from_quaternion(state.attitude_xyzw)
            S[:6, :6] = _free(R, R @ self.system.base.com_m)
        i, j = 0, first
        for joint, number in zip((each for each in self.system.joints if each.dof), self.joints, strict=True):
            at, n = self.model.jnt_dofadr[number], joint.dof
            if n == 6:
                R = dcm_from_quaternion(state.q[i + 3 : i + 7])
                S[at : at + 6, j : j + 6] = _free(R, np.zeros(3))
            else:
                S[at : at + n, j : j + n] = np.eye(n)
            i, j = i + joint.n_q, j + n
        return S

    def M(self, state: State) -> np.ndarray:
        """(n_u, n_u), without what `armature` adds."""
        data, M = self.data(state), np.zeros((self.model.nv, self.model.nv))
        for column, speed in enumerate(np.eye(self.model.nv)):
            mujoco.mj_mulM(self.model, data, M[column], speed)
        S = self.S(state)
        return S.T @ (M - np.diag(self.model.dof_armature)) @ S


def _free(R: np.ndarray, com: np.ndarray) -> np.ndarray:
    """(6, 6) speeds of a body that floats, from those of its centre of mass at `com` in N."""
    x, y, z = com
    lever = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.block([[np.eye(3), lever], [np.zeros((3, 3)), R.T]])
