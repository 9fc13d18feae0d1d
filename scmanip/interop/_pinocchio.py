"""A scmanip `System` as a Pinocchio model, asked in scmanip's conventions.

Pinocchio's base speeds are the twist of the base frame's ORIGIN in base axes; S(state) takes scmanip's u to them.
Joints are added in the order of `System.bodies`, depth-first: Pinocchio's `crba` is silently wrong otherwise
(`model.check` tells). A fixed base has a model of its own beside the free one, whose base is then held by a wrench.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.linalg import block_diag

from ..errors import MissingExtra, checked
from ..spatial import Array, dcm_from_quaternion
from ..system import Ball, Helix, Joint, Motion, Slide, State, System, Turn
from ._refusals import known, refuse_motors, refuse_turners

PointWrench = tuple[str, Array, Array]  # body, point [m] in body axes, [f; n] inertial about that point


@checked
class PinocchioTwin:
    """Dynamics of one system by Pinocchio (recursions in link axes [Featherstone2008]).

    Raises `MissingExtra` where Pinocchio is not installed, `InvalidInput` for what turns the base and rotors of motors.

    >>> twin = PinocchioTwin(system)
    >>> np.allclose(twin.M(state), model.M(state))
    True
    >>> np.allclose(twin.centre_of_mass(history.final), history.final.r_0 + model.r_0C(history.final))
    True
    """

    def __init__(self, system: System) -> None:
        refuse_turners(system)
        refuse_motors(system, refused=system.spins)
        self._pin = _pinocchio()
        self.system = system
        self.free = _build(self._pin, system, floating=True)
        self.model = _build(self._pin, system, floating=False) if system.fixed else self.free
        for model, _ in (self.free, self.model):
            if not model.check(model.createData()):
                raise ValueError("joints were not added depth-first")

    def M(self, state: State) -> Array:
        """(n_u, n_u) inertia matrix [kg, kg m, kg m^2]."""
        model, _ = self.model
        data = model.createData()
        self._pin.crba(model, data, self._q(state))
        M = np.triu(data.M) + np.triu(data.M, 1).T
        S = self._S(state)
        return S.T @ M @ S

    def momentum(self, state: State) -> tuple[Array, Array]:
        """P [N s] and the angular momentum about the system CoM [N m s], (3,) each, in N."""
        model, _ = self.free
        data = model.createData()
        self._pin.computeCentroidalMomentum(model, data, self._free_q(state), self._free_v(state))
        return data.hg.linear.copy(), data.hg.angular.copy()

    def centre_of_mass(self, state: State) -> Array:
        """(3,) system CoM in N, from its origin [m]."""
        model, _ = self.free
        return np.array(self._pin.centerOfMass(model, model.createData(), self._free_q(state)))

    def kinetic_energy(self, state: State) -> float:
        """Kinetic energy [J]."""
        model, _ = self.model
        return float(self._pin.computeKineticEnergy(model, model.createData(), self._q(state), self._S(state) @ state.u))

    def forward_dynamics(self, state: State, tau: Array, wrench: Array | None, wrenches: Sequence[PointWrench]) -> Array:
        """Return udot (n_u,) by the articulated-body algorithm.

        tau : (N,) [N m or N]; wrench : (6,) [N, N m] on the base at its CoM, in N; None for none, as with a fixed base
        wrenches : body, point (3,) [m] in its axes, and [f; n] (6,) [N, N m] there, in N
        """
        model, places = self.model
        data, q, S = model.createData(), self._q(state), self._S(state)
        self._pin.forwardKinematics(model, data, q)
        external = self._pin.StdVec_Force()
        external.extend([self._pin.Force.Zero() for _ in range(model.njoints)])
        for body, point, (force, moment) in ((b, p, w.reshape(2, 3)) for b, p, w in wrenches):
            joint, placement = places[body]
            x = data.oMi[joint].act(placement.act(point))
            external[joint] = external[joint] + data.oMi[joint].actInv(self._pin.Force(force, moment + np.cross(x, force)))
        generalized = tau - self._passive(state)
        if not self.system.fixed:
            generalized = np.concatenate([np.zeros(6) if wrench is None else wrench, generalized])
        a = self._pin.aba(model, data, q, S @ state.u, np.linalg.solve(S.T, generalized), external)
        return np.linalg.solve(S, a - self._drift(state))

    def inverse_dynamics(self, state: State, udot: Array) -> tuple[Array, Array]:
        """Base wrench (6,) in N at the base CoM (fixed base: at its frame origin) and tau (N,), by recursive Newton-Euler.

        Both in [N, N m], for udot (n_u,) in SI.
        """
        model, _ = self.free
        passive = self._passive(state)
        q, v = self._free_q(state), self._free_v(state)
        if self.system.fixed:
            S, a = self._joint_S(state), self._joint_S(state) @ udot + self._joint_drift(state)
            force = self._pin.rnea(model, model.createData(), q, v, np.concatenate([np.zeros(6), a]))
            return force[:6].copy(), S.T @ force[6:] + passive  # the base frame is the inertial frame
        S = self._S(state)
        force = S.T @ self._pin.rnea(model, model.createData(), q, v, S @ udot + self._drift(state))
        return force[:6], force[6:] + passive

    def jacobian(self, state: State, body: str, point: Array) -> Array:
        """(6, n_u) Jacobian [v; omega] of a point [m] in body axes: [J0 | Jm]."""
        model, places = self.free  # the fixed one has no joint under the base
        data, (joint, placement) = model.createData(), places[body]
        self._pin.computeJointJacobians(model, data, self._free_q(state))
        at_point = placement * self._pin.SE3(np.eye(3), point)
        J = self._pin.getFrameJacobian(model, data, joint, at_point, self._pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        return J[:, 6:] @ self._joint_S(state) if self.system.fixed else J @ self._S(state)

    def pose(self, state: State, body: str, point: Array) -> tuple[Array, Array]:
        """Position (3,) [m] of a point in body axes, and rotation (3, 3) body to inertial."""
        model, places = self.model
        data, (joint, placement) = model.createData(), places[body]
        self._pin.forwardKinematics(model, data, self._q(state))
        world = data.oMi[joint] * placement
        return world.act(point), world.rotation.copy()

    def _passive(self, state: State) -> Array:
        """(N,) what springs and dampers take from the joint forces."""
        passive = self.system.friction.force(state.qdot)
        for i, j in self.system.layout.single():
            passive[j] += self.system.freedoms[j].stiffness * state.q[i]
        for spring in self.system.springs:
            if spring in self.system.idle_springs:
                continue
            first, second = ((frame.body, frame.origin_m) for frame in map(self.system.frame, spring.between))
            span = self.pose(state, *second)[0] - self.pose(state, *first)[0]
            moved = (self.jacobian(state, *second) - self.jacobian(state, *first))[:3]
            length = np.linalg.norm(span)
            gradient = span @ moved / length
            pull = spring.stiffness_N_m * (length - spring.length_m) + spring.damping_Ns_m * (gradient @ state.u)
            passive += pull * gradient[len(gradient) - len(passive) :]
        return passive

    def _q(self, state: State) -> Array:
        return np.array(state.q) if self.system.fixed else self._free_q(state)

    def _free_q(self, state: State) -> Array:
        if self.system.fixed:
            return np.concatenate([np.zeros(6), [1.0], state.q])
        origin = state.r_0 - _attitude(state) @ self.system.base.com_m
        return np.concatenate([origin, state.attitude_xyzw, state.q])

    def _free_v(self, state: State) -> Array:
        own = self._S(state) @ state.u
        return np.concatenate([np.zeros(6), own]) if self.system.fixed else own

    def _S(self, state: State) -> Array:
        """(n_u, n_u) v_pin = S u: v_origin = v_0 - omega x R c, both turned into base axes."""
        joints = self._joint_S(state)
        if self.system.fixed:
            return joints
        R = _attitude(state)
        lever = self._pin.skew(R @ self.system.base.com_m)
        return block_diag(np.block([[R.T, R.T @ lever], [np.zeros((3, 3)), R.T]]), joints)

    def _joint_S(self, state: State) -> Array:
        """(N, N) of the joints: a free body's speeds are turned from N into its axes."""
        S = np.eye(len(state.qdot))
        for tree in self.system.trees[1:]:
            S[tree.twist, tree.twist] = block_diag(*[_axes(state.q[tree.pose]).T] * 2)
        return S

    def _joint_drift(self, state: State) -> Array:
        """(N,) the rate of that times qdot."""
        drift = np.zeros(len(state.qdot))
        for tree in self.system.trees[1:]:
            v, omega = np.split(state.qdot[tree.twist], 2)
            drift[tree.twist][:3] = -_axes(state.q[tree.pose]).T @ np.cross(omega, v)
        return drift

    def _drift(self, state: State) -> Array:
        """(n_u,) Sdot u, so that a_pin = S udot + drift."""
        joints = self._joint_drift(state)
        if self.system.fixed:
            return joints
        return np.concatenate([-_attitude(state).T @ np.cross(state.omega_0, state.v_0), np.zeros(3), joints])


def _pinocchio() -> Any:
    """Return the module."""
    try:
        import pinocchio
    except ImportError:
        raise MissingExtra("a twin in Pinocchio", "pinocchio") from None
    return pinocchio


def _build(pin: Any, system: System, *, floating: bool) -> tuple[Any, dict[str, tuple[int, Any]]]:
    """Return the model, and for every body the joint that carries it and the body frame's placement in its frame."""
    model = pin.Model()
    model.gravity = pin.Motion(np.concatenate([system.gravity_m_s2, np.zeros(3)]))
    root = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "") if floating else 0
    places = {system.base.name: (root, pin.SE3.Identity())}
    for body in system.bodies:
        if body.grounded:
            places[body.name] = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), body.name), pin.SE3.Identity()
        elif body.joint is not None and body.parent is not None:
            carrier, parent = places[body.parent]
            before, after = _placements(pin, body.joint)
            if body.joint.dof:
                placement = parent * before
                for k, motion in enumerate(body.joint.motions):
                    made = known(_MODELS, body.joint, motion, "Pinocchio")(pin, *np.array(motion.twists[0]).reshape(2, 3))
                    carrier = model.addJoint(carrier, made, placement, f"joint {body.name} {k}")
                    placement = pin.SE3.Identity()
                places[body.name] = (carrier, after)
            else:
                places[body.name] = (carrier, parent * before * after)
        joint, placement = places[body.name]
        model.appendBodyToJoint(joint, pin.Inertia(body.mass_kg, body.com_m, body.inertia_kg_m2), placement)
    return model, places


def _placements(pin: Any, joint: Joint) -> tuple[Any, Any]:
    before = pin.SE3(np.array(joint.dcm), np.array(joint.origin_m))
    return before, pin.SE3(np.array(joint.child_dcm), np.array(joint.child_origin_m))


# from linear and angular velocity per unit of the first speed
_MODELS: Mapping[type[Motion], Callable[[Any, Array, Array], Any]] = {
    Turn: lambda pin, v, w: pin.JointModelRevoluteUnaligned(w),
    Slide: lambda pin, v, w: pin.JointModelPrismaticUnaligned(v),
    Helix: lambda pin, v, w: pin.JointModelHelicalUnaligned(w, v @ w),
    Ball: lambda pin, v, w: pin.JointModelSpherical(),
}


def _axes(pose: Array) -> Array:
    """(3, 3) from the axes of a body to N, of its pose (7,)."""
    return np.asarray(dcm_from_quaternion(pose[3:]))


def _attitude(state: State) -> Array:
    return np.asarray(dcm_from_quaternion(state.attitude_xyzw))
