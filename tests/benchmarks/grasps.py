"""A tumbling target is grasped and let go: 60 s of `bench_6r` and a free body, for scmanip, Pinocchio and MuJoCo.

The joints are held by springs and dampers, the base floats. The weld keeps the pose that it finds at `GRASPED`, and what
happens there is plastic; every run returns scmanip's state at the end (39,).
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from scmanip.constraints import Weld
from scmanip.control import JointRegulator
from scmanip.dynamics import Model, compile_model
from scmanip.guidance import Hold
from scmanip.modes import Floating
from scmanip.simulation import History, Switch, simulate
from scmanip.system import Body, Frame, Joint, State, System

from ..oracles.mujoco_oracle import MujocoOracle
from ..oracles.pinocchio_oracle import PinocchioOracle
from .arms import bench_6r

GRASPED, LET_GO, T_END = 1.0, 50.0, 60.0
K_P, K_D, N = 20.0, 40.0, 6
Q = np.array([0.2, -0.6, 0.9, 0.3, 0.4, -0.2])
TUMBLE = np.array([0.02, -0.01, 0.005, 0.01, 0.02, -0.015])  # m/s, rad/s in N
GRAPPLE = np.array([-0.8, 0.0, 0.0])


def capture() -> tuple[Model, State]:
    """Return the servicer with its target, and the start: the grapple is in the hand."""
    arm = bench_6r()
    hand = arm.bodies[-1].name
    inertia = np.array([[120.0, 2.0, -1.0], [2.0, 150.0, 3.0], [-1.0, 3.0, 90.0]])
    free = Joint("target", "free")
    target = Body("target", 400.0, com_m=np.array([0.1, 0, 0]), inertia_kg_m2=inertia, parent="ground", joint=free)
    bodies, grasp = [*arm.bodies[1:], target], Weld("grasp", (hand, "grapple"))
    frames = [*arm.frames, Frame("grapple", "target", GRAPPLE)]
    model = compile_model(System("capture", arm.base, bodies, frames, constraints=[grasp]))
    posed = State(q=[*Q, 0, 0, 0, 0, 0, 0, 1], qdot=np.zeros(12), r_0=np.zeros(3))
    attitude = model.attitude(posed, hand)
    origin = model.position(posed, hand) - Rotation.from_quat(attitude).apply(GRAPPLE)
    return model, State(q=[*Q, *origin, *attitude], qdot=[*np.zeros(N), *TUMBLE], r_0=np.zeros(3))


class OurGrasp:
    """One `simulate` with two switches."""

    def __init__(self, model: Model, start: State) -> None:
        self.model, self.start, self.mode = model, start, Floating()
        self.law, self.reference = JointRegulator(model, K_P=K_P, K_D=K_D), Hold(start.q, layout=model.layout)
        self.switches = [Switch(t_s=GRASPED, impose="grasp"), Switch(t_s=LET_GO, release="grasp")]

    def history(self, rtol: float) -> History:
        """Return the run at a tolerance."""
        given: dict[str, Any] = {"reference": self.reference, "switches": self.switches}
        return simulate(self.model, self.mode, self.law, self.start, t_end_s=T_END, rtol=rtol, output_step_s=T_END, **given)

    def end(self, rtol: float) -> np.ndarray:
        """Return the state at the end (39,)."""
        return self.history(rtol).final.x


class PinocchioGrasp:
    """`aba`, `constraintDynamics` and `impulseDynamics` in SciPy's DOP853, one `solve_ivp` for each stretch."""

    def __init__(self, system: System, start: State) -> None:
        (self.model, places), self.data = PinocchioOracle(system).model, None
        self.data = self.model.createData()
        self.hand, self.at_hand = places[system.bodies[-2].name]
        self.target, self.at_target = places["target"]
        axes, (linear, angular) = Rotation.from_quat(start.q[9:]).inv(), np.array(start.qdot[N:]).reshape(2, 3)
        self.q, self.v = np.concatenate([start.r_0, start.attitude_xyzw, start.q]), np.zeros(18)
        self.v[12:] = np.concatenate([axes.apply(linear), axes.apply(angular)])
        self.settings = pin.ProximalSettings(1e-12, 1e-12, 1e-12, 10)

    def end(self, rtol: float) -> np.ndarray:
        """Return scmanip's state at the end (39,)."""
        q, v = self._flown(self.q, self.v, GRASPED, rtol, held=None)
        held = self._weld(q)
        pin.computeJointJacobians(self.model, self.data, q)
        J = pin.getConstraintsJacobian(self.model, self.data, *held)
        v = pin.impulseDynamics(self.model, self.data, q, v, J, 0.0, 0.0)
        q, v = self._flown(q, v, LET_GO - GRASPED, rtol, held)
        return self._state(*self._flown(q, v, T_END - LET_GO, rtol, held=None))

    def _weld(self, q: np.ndarray) -> tuple[Any, Any]:
        """Return Pinocchio's lists of constraints and of their data: the weld as it is found."""
        pin.forwardKinematics(self.model, self.data, q)
        grapple = self.at_target * pin.SE3(np.eye(3), GRAPPLE)
        found = self.data.oMi[self.hand].actInv(self.data.oMi[self.target] * grapple)
        kind, axes = pin.ContactType.CONTACT_6D, pin.ReferenceFrame.LOCAL
        weld = pin.RigidConstraintModel(kind, self.model, self.hand, found, self.target, grapple, axes)
        models, data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        models.append(weld)
        data.append(weld.createData())
        pin.initConstraintDynamics(self.model, self.data, models, data)
        return models, data

    def _flown(self, q: np.ndarray, v: np.ndarray, T: float, rtol: float, held: Any) -> tuple[np.ndarray, np.ndarray]:
        model, data, settings, force, out = self.model, self.data, self.settings, np.zeros(18), np.empty(38)

        def rate(t: float, y: np.ndarray) -> np.ndarray:
            q, v = _normalised(y[:20]), y[20:]
            force[6:12] = K_P * (Q - q[7:13]) - K_D * v[6:12]
            out[20:] = (
                pin.constraintDynamics(model, data, q, v, force, *held, settings) if held else pin.aba(model, data, q, v, force)
            )
            _moved(out[:7], q[:7], v[:6])
            out[7:13] = v[6:12]
            _moved(out[13:20], q[13:], v[12:])
            return out.copy()

        y = solve_ivp(rate, (0.0, T), np.concatenate([q, v]), method="DOP853", rtol=rtol, atol=rtol).y[:, -1]
        return _normalised(y[:20]), y[20:]

    def _state(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        base, target = Rotation.from_quat(q[3:7]), Rotation.from_quat(q[16:])
        speeds = base.apply(v[:3]), base.apply(v[3:6]), v[6:12], target.apply(v[12:15]), target.apply(v[15:])
        return np.concatenate([q, *speeds])


@dataclass(frozen=True)
class Softness:
    """How MuJoCo solves and how stiff its weld is.

    timeconst : of the weld in steps, two by MuJoCo's own rule; impedance : at most 0.9999 in MuJoCo
    """

    integrator: str
    timeconst: float = 2.0
    impedance: float = 0.9999

    def __str__(self) -> str:
        return f"{self.integrator}, solref {self.timeconst:g} steps, solimp {self.impedance:g}"


class MujocoGrasp:
    """MuJoCo with an equality weld switched by `eq_active`, and position actuators: nothing of Python between steps.

    The jump at the grasp is MuJoCo's rows and inertia matrix solved once, so that a soft weld has no blow to absorb.
    """

    def __init__(self, system: System, start: State, softness: Softness) -> None:
        self.softness, self.hand, self.target = softness, f"body {system.bodies[-2].name}", "body target"
        self.model = _welded(MujocoOracle(system).model, self.hand, self.target)
        option, disabled = self.model.opt, mujoco.mjtDisableBit
        option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{softness.integrator.upper()}")
        option.disableflags |= int(disabled.mjDSBL_CONTACT) | int(disabled.mjDSBL_SENSOR) | int(disabled.mjDSBL_REFSAFE)
        option.solver, option.iterations, option.tolerance = mujoco.mjtSolver.mjSOL_NEWTON, 20, 1e-14
        option.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        self.model.eq_solimp[0] = [softness.impedance, softness.impedance, 1e-3, 0.5, 2.0]
        self.start, self.data = start, mujoco.MjData(self.model)

    def end(self, step_s: float) -> np.ndarray:
        """Return scmanip's state at the end (39,)."""
        model, data, start = self.model, self.data, self.start
        model.opt.timestep, model.eq_solref[0] = step_s, [self.softness.timeconst * step_s, 1.0]
        mujoco.mj_resetData(model, data)
        data.eq_active[0] = 0
        data.qpos[:] = np.concatenate([start.r_0, start.attitude_xyzw[[3, 0, 1, 2]], start.q[:9], start.q[[12, 9, 10, 11]]])
        data.qvel[12:15] = start.qdot[6:9]
        data.qvel[15:] = Rotation.from_quat(start.q[9:]).apply(np.array(start.qdot[9:]), inverse=True)
        data.ctrl[:] = Q
        mujoco.mj_step(model, data, round(GRASPED / step_s))
        self._grasp()
        mujoco.mj_step(model, data, round((LET_GO - GRASPED) / step_s))
        data.eq_active[0] = 0
        mujoco.mj_step(model, data, round((T_END - LET_GO) / step_s))
        return self._state()

    def _grasp(self) -> None:
        """Let the weld hold what it finds."""
        model, data = self.model, self.data
        mujoco.mj_forward(model, data)
        hand, target = data.body(self.hand), data.body(self.target)
        turned, R = Rotation.from_matrix(hand.xmat.reshape(3, 3)).inv(), target.xmat.reshape(3, 3)
        place, between = turned.apply(target.xpos + R @ GRAPPLE - hand.xpos), turned * Rotation.from_matrix(R)
        model.eq_data[0, :11] = [*GRAPPLE, *place, *between.as_quat()[[3, 0, 1, 2]], 1.0]
        data.eq_active[0] = 1
        mujoco.mj_forward(model, data)
        M, J = np.zeros((model.nv, model.nv)), data.efc_J.reshape(-1, model.nv)
        mujoco.mj_fullM(model, data, M)
        reply = np.linalg.solve(M, J.T)
        data.qvel -= reply @ np.linalg.solve(J @ reply, J @ data.qvel)

    def _state(self) -> np.ndarray:
        q, v = self.data.qpos, self.data.qvel
        first, last = q[[4, 5, 6, 3]], q[[17, 18, 19, 16]]
        turned = Rotation.from_quat(first).apply(v[3:6]), Rotation.from_quat(last).apply(v[15:])
        return np.concatenate([q[:3], first, q[7:16], last, v[:3], turned[0], v[6:15], turned[1]])


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """Return the largest difference between two states at the end, whatever the signs of their quaternions."""
    one = one.copy()
    for attitude in (slice(3, 7), slice(16, 20)):
        one[attitude] *= np.sign(one[attitude] @ other[attitude])
    return float(abs(one - other).max())


def _welded(twin: mujoco.MjModel, hand: str, target: str) -> mujoco.MjModel:
    """Return the twin with a weld and position actuators; what MuJoCo's text rounds is copied."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "twin.xml")
        mujoco.mj_saveLastXML(path, twin)
        spec = mujoco.MjSpec.from_file(path)
    spec.add_equality(
        type=mujoco.mjtEq.mjEQ_WELD, objtype=mujoco.mjtObj.mjOBJ_BODY, name1=hand, name2=target, active=False, data=[0.0] * 12
    )
    for joint in [joint for joint in spec.joints if joint.type == mujoco.mjtJoint.mjJNT_HINGE]:
        joint.name = f"of {joint.parent.name}"
        actuator = spec.add_actuator(target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        actuator.gainprm[0], actuator.biastype = K_P, mujoco.mjtBias.mjBIAS_AFFINE
        actuator.biasprm[:3] = [0.0, -K_P, -K_D]
    model = spec.compile()
    for name in ("body_mass", "body_inertia", "body_pos", "body_quat", "body_ipos", "body_iquat", "jnt_axis", "jnt_pos"):
        getattr(model, name)[:] = getattr(twin, name)
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def _normalised(q: np.ndarray) -> np.ndarray:
    q = q.copy()
    for at in (slice(3, 7), slice(16, 20)):
        q[at] /= np.sqrt(q[at] @ q[at])
    return q


def _moved(out: np.ndarray, pose: np.ndarray, twist: np.ndarray) -> None:
    """Write the rate (7,) of a free body's pose."""
    a, b, c, d = pose[3:]
    p, r, s = twist[3:]
    out[:3] = pin.Quaternion(pose[3:]).matrix() @ twist[:3]
    out[3:] = (
        (d * p + b * s - c * r) / 2,
        (d * r + c * p - a * s) / 2,
        (d * s + a * r - b * p) / 2,
        -(a * p + b * r + c * s) / 2,
    )
