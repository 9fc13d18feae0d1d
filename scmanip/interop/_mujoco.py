"""A scmanip `System` as a MuJoCo model, asked in scmanip's conventions.

MuJoCo's free joint has the velocity of the base frame's ORIGIN in world axes and the angular velocity in base axes;
S(state) takes scmanip's u to them. Each MuJoCo body is the moved joint frame. MuJoCo's compiler refuses massless
bodies and particles; its solver does not, so every body is compiled with placeholder masses, and the true mass and
principal moments are written into the compiled model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from xml.etree import ElementTree

import numpy as np
from scipy.linalg import block_diag
from scipy.spatial.transform import Rotation

from ..errors import MissingExtra, checked
from ..spatial import Array
from ..system import Ball, Body, Motion, NoMotion, Slide, State, System, Turn
from ._refusals import known, refuse_motors, refuse_turners

PointWrench = tuple[str, Array, Array]  # body, point [m] in body axes, [f; n] inertial about that point
Placement = tuple[Array, Array]  # rotation (3, 3), origin (3,) [m] of a body frame in its MuJoCo body
_TYPES: Mapping[type[Motion], str] = {Turn: "hinge", Slide: "slide", Ball: "ball", NoMotion: ""}


@checked
class MujocoTwin:
    """Dynamics of one system by MuJoCo (composite rigid bodies and recursive Newton-Euler in a common frame).

    Raises `MissingExtra` where MuJoCo is not installed, `InvalidInput` for what turns the base from inside.

    >>> twin = MujocoTwin(system)
    >>> np.allclose(twin.M(state), model.M(state))
    True
    >>> np.allclose(twin.kinetic_energy(history.final), model.kinetic_energy(history.final))
    True
    """

    def __init__(self, system: System) -> None:
        refuse_turners(system)
        refuse_motors(system, refused=system.spins or any(f.damping or f.coulomb for f in system.fittings))
        self._mujoco = _mujoco()
        self.system = system
        self.model, self.places = _build(self._mujoco, system)

    def M(self, state: State) -> Array:
        """(n_u, n_u) inertia matrix [kg, kg m, kg m^2], column by column."""
        data = self._data(state)
        M = np.zeros((self.model.nv, self.model.nv))
        for column, speed in enumerate(np.eye(self.model.nv)):
            self._mujoco.mj_mulM(self.model, data, M[column], speed)
        S = self._S(state)
        return S.T @ M @ S

    def momentum(self, state: State) -> tuple[Array, Array]:
        """P [N s] and the angular momentum about the system CoM [N m s], (3,) each, in N."""
        data = self._data(state)
        self._mujoco.mj_subtreeVel(self.model, data)
        return self.model.body_subtreemass[0] * data.subtree_linvel[0], data.subtree_angmom[0].copy()

    def centre_of_mass(self, state: State) -> Array:
        """(3,) system CoM in N, from its origin [m]."""
        return self._data(state).subtree_com[0].copy()

    def kinetic_energy(self, state: State) -> float:
        """Kinetic energy [J]."""
        data = self._data(state)
        self._mujoco.mj_energyVel(self.model, data)
        return float(data.energy[1])

    def forward_dynamics(self, state: State, tau: Array, wrench: Array | None, wrenches: Sequence[PointWrench]) -> Array:
        """Return udot (n_u,); M is factorised.

        tau : (N,) [N m or N]; wrench : (6,) [N, N m] on the base at its CoM, in N; None for none, as with a fixed base
        wrenches : body, point (3,) [m] in its axes, and [f; n] (6,) [N, N m] there, in N
        """
        data, S = self._data(state), self._S(state)
        generalized = tau
        if not self.system.fixed:
            generalized = np.concatenate([np.zeros(6) if wrench is None else wrench, tau])
        data.qfrc_applied[:] = np.linalg.solve(S.T, generalized)
        for body, point, (force, moment) in ((b, p, w.reshape(2, 3)) for b, p, w in wrenches):
            number, x = self._point(self.model, data, body, point)
            self._mujoco.mj_applyFT(self.model, data, force, moment, x, number, data.qfrc_applied)
        self._mujoco.mj_forward(self.model, data)
        return np.linalg.solve(S, data.qacc - self._drift(state))

    def inverse_dynamics(self, state: State, udot: Array) -> tuple[Array, Array]:
        """Base wrench (6,) in N at the base CoM (fixed base: at its frame origin) and tau (N,).

        Both in [N, N m], for udot (n_u,) in SI.
        """
        data, S = self._data(state), self._S(state)
        data.qacc[:] = S @ udot + self._drift(state)
        self._mujoco.mj_inverse(self.model, data)
        force = S.T @ data.qfrc_inverse
        if not self.system.fixed:
            return force[:6], force[6:]
        self._mujoco.mj_rnePostConstraint(self.model, data)  # what the world applies to the base, about the system CoM
        n, f = data.cfrc_int[1, :3], data.cfrc_int[1, 3:]
        return np.concatenate([f, n + np.cross(data.subtree_com[1], f)]), force

    def jacobian(self, state: State, body: str, point: Array) -> Array:
        """(6, n_u) Jacobian [v; omega] of a point [m] in body axes: [J0 | Jm]."""
        data = self._data(state)
        number, x = self._point(self.model, data, body, point)
        J = np.zeros((6, self.model.nv))
        self._mujoco.mj_jac(self.model, data, J[:3], J[3:], x, number)
        return J @ self._S(state)

    def pose(self, state: State, body: str, point: Array) -> tuple[Array, Array]:
        """Position (3,) [m] of a point in body axes, and rotation (3, 3) body to inertial."""
        data = self._data(state)
        number, x = self._point(self.model, data, body, point)
        return x, data.xmat[number].reshape(3, 3) @ self.places[body][0]

    def _point(self, model: Any, data: Any, body: str, point: Array) -> tuple[int, Array]:
        number = self._mujoco.mj_name2id(model, self._mujoco.mjtObj.mjOBJ_BODY, _name(body))
        R, origin = self.places[body]
        return number, data.xpos[number] + data.xmat[number].reshape(3, 3) @ (origin + R @ point)

    def _data(self, state: State) -> Any:
        """Return data with positions and velocities worked out."""
        data = self._mujoco.MjData(self.model)
        q = np.array(state.q)
        for i, _ in self.system.layout.quaternions:
            q[i : i + 4] = q[[i + 3, i, i + 1, i + 2]]
        data.qpos[len(data.qpos) - len(q) :] = q
        if not self.system.fixed:
            data.qpos[:3] = state.r_0 - _attitude(state) @ self.system.base.com_m
            data.qpos[3:7] = state.attitude_xyzw[[3, 0, 1, 2]]
        data.qvel[:] = self._S(state) @ state.u
        self._mujoco.mj_forward(self.model, data)
        return data

    def _S(self, state: State) -> Array:
        """(n_u, n_u) qvel = S u: v_origin = v_0 - omega x R c in world axes, omega in body axes, as of every free body."""
        joints = np.eye(len(state.qdot))
        for tree in self.system.trees[1:]:
            turning = slice(tree.twist.start + 3, tree.twist.stop)
            joints[turning, turning] = Rotation.from_quat(state.q[tree.pose][3:]).as_matrix().T
        if self.system.fixed:
            return joints
        R = _attitude(state)
        x, y, z = R @ self.system.base.com_m
        lever = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return block_diag(np.block([[np.eye(3), lever], [np.zeros((3, 3)), R.T]]), joints)

    def _drift(self, state: State) -> Array:
        """(n_u,) Sdot u, so that qacc = S udot + drift."""
        drift = np.zeros(len(state.u))
        if not self.system.fixed:
            lever = _attitude(state) @ self.system.base.com_m
            drift[:3] = -np.cross(state.omega_0, np.cross(state.omega_0, lever))
        return drift


def _mujoco() -> Any:
    """Return the module."""
    try:
        import mujoco
    except ImportError:
        raise MissingExtra("a twin in MuJoCo", "mujoco") from None
    return mujoco


def _build(mujoco: Any, system: System) -> tuple[Any, dict[str, Placement]]:
    """Return the compiled model, and for every body the place of its frame in its MuJoCo body."""
    root = ElementTree.Element("mujoco")
    ElementTree.SubElement(root, "compiler", angle="radian", inertiafromgeom="false", boundmass="0", boundinertia="0")
    ElementTree.SubElement(root, "option", gravity=_text(system.gravity_m_s2))
    world = ElementTree.SubElement(root, "worldbody")
    elements: dict[str, ElementTree.Element] = {}
    places: dict[str, Placement] = {}
    for body in system.bodies:
        parent = world if body.parent is None or body.grounded else elements[body.parent]
        elements[body.name] = element = ElementTree.SubElement(parent, "body", name=_name(body.name))
        places[body.name] = _add_joint(element, body, places, free=not system.fixed)
        _add_inertial(element, body, places[body.name])
    _add_springs(root, system, elements, places)
    with _no_warnings(mujoco):
        model = mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))
        for body in system.bodies:
            number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, _name(body.name))
            model.body_mass[number] = body.mass_kg
            model.body_inertia[number] = _principal(body)[0]
        mujoco.mj_setConst(model, mujoco.MjData(model))
    return model, places


@contextmanager
def _no_warnings(mujoco: Any) -> Iterator[None]:
    """Keep MuJoCo from writing to the terminal and to a file that a gimbal "zxz" is locked at zero angles."""
    handler = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda message: None)
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(handler)


def _add_joint(element: ElementTree.Element, body: Body, places: dict[str, Placement], *, free: bool) -> Placement:
    joint = body.joint
    if joint is None or body.parent is None or body.grounded:
        if free or body.grounded:
            ElementTree.SubElement(element, "freejoint")
        return np.eye(3), np.zeros(3)
    R, origin = places[body.parent]
    element.set("pos", _text(origin + R @ joint.origin_m))
    element.set("quat", _quaternion(R @ joint.dcm))
    freedoms = iter(joint.freedoms)
    for motion in joint.motions:  # MuJoCo takes several of them one after the other
        kind, own = known(_TYPES, joint, motion, "MuJoCo"), [next(freedoms) for _ in range(motion.dof)]
        if own:
            linear, angular = motion.twists.reshape(-1, 2, 3)[0]
            added = ElementTree.SubElement(element, "joint", type=kind, axis=_text(linear + angular))
            added.set("stiffness", repr(own[0].stiffness))
            added.set("damping", repr(own[0].damping))
    return joint.child_dcm, joint.child_origin_m


def _add_inertial(element: ElementTree.Element, body: Body, place: Placement) -> None:
    R, origin = place
    pos, quat = _text(origin + R @ body.com_m), _quaternion(R @ _principal(body)[1])
    ElementTree.SubElement(element, "inertial", pos=pos, quat=quat, mass="1", diaginertia="1 1 1")


def _add_springs(
    root: ElementTree.Element, system: System, elements: dict[str, ElementTree.Element], places: dict[str, Placement]
) -> None:
    """Add a tendon for every spring between two points."""
    tendons = ElementTree.SubElement(root, "tendon")
    for number, spring in enumerate(system.springs):
        tendon = ElementTree.SubElement(tendons, "spatial", springlength=repr(float(spring.length_m)))
        tendon.set("stiffness", repr(float(spring.stiffness_N_m)))
        tendon.set("damping", repr(float(spring.damping_Ns_m)))
        for k, frame in enumerate(map(system.frame, spring.between)):
            R, origin = places[frame.body]
            site = f"spring {number} end {k}"
            ElementTree.SubElement(elements[frame.body], "site", name=site, pos=_text(origin + R @ frame.origin_m))
            ElementTree.SubElement(tendon, "site", site=site)


def _name(body: str) -> str:
    """Return a name that is not MuJoCo's own "world"."""
    return f"body {body}"


def _principal(body: Body) -> tuple[Array, Array]:
    """Return the principal moments (3,) and a right-handed rotation (3, 3), principal to body axes."""
    moments, axes = np.linalg.eigh(body.inertia_kg_m2)
    return np.maximum(moments, 0.0), axes * np.linalg.det(axes).round()


def _attitude(state: State) -> Array:
    return np.asarray(Rotation.from_quat(state.attitude_xyzw).as_matrix())


def _quaternion(R: Array) -> str:
    return _text(Rotation.from_matrix(R).as_quat()[[3, 0, 1, 2]])


def _text(numbers: Array) -> str:
    return " ".join(repr(float(number)) for number in numbers)
