"""All quantities of one state, each evaluated when first asked for, over any scalar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...spatial import Array, Quaternion, RotationForm, cross, quaternion_from_dcm, solve, transpose
from ._inertia import (
    NO_STATES,
    Geometry,
    arm_inertia,
    base_inertia,
    base_inertia_inverse,
    base_to_com,
    coupling_inertia,
    generalized_inertia,
    kinetic_energies,
    kinetic_energy,
    link_inertias,
    schur_complement,
    stored_energy,
    system_inertia,
    system_moments,
)
from ._jacobians import arm_jacobian, base_jacobian, generalized_jacobian, momentum_drift
from ._kinematics import (
    Joints,
    Poses,
    angular_jacobians,
    angular_velocities,
    joint_axes,
    linear_jacobians,
    linear_velocities,
    poses,
    slide_axes,
)
from ._link_motions import TreeLinkMotions
from ._motion import (
    base_velocity_term,
    convective_vector,
    coriolis_matrix,
    coriolis_vector,
    no_quasi_speeds,
    quasi_forces,
    reduced_forces,
    velocity_forces,
)
from ._motors import with_carriers, with_rotor_rates, with_rotors
from ._parameters import Parameters
from ._rates import (
    GeometryRate,
    arm_inertia_rate,
    base_inertia_rate,
    coupling_inertia_rate,
    generalized_inertia_rate,
    joint_gradient,
    time_rate,
)
from ._results import BodyMomentum, FloatingInverseDynamics, InverseDynamics, Momentum, Point, Springs
from ._springs import passive_forces, spring_states


class Equations:
    """The papers' quantities at one state. Names, shapes, units and axes as in `Model`; derivatives keep the joint axis FIRST.

    In SI and components in N throughout.

    parameters : constants, numbers or symbols
    form : `DCM()` or `Quaternion()`, how rotations are carried along the chain
    q, qdot : (n_q,), (N,); attitude : (4,) x, y, z, w; r_0, v_0, omega_0 : (3,) in N (all zero or identity with a fixed base)

    >>> equations = model.equations(state)
    >>> bool(np.allclose(equations.H, model.H(state))), equations.r_0C.round(4).tolist()
    (True, [0.6336, 0.0706, 0.0])
    """

    def __init__(
        self,
        parameters: Parameters,
        form: RotationForm,
        *,
        q: Array,
        qdot: Array,
        attitude: Array,
        r_0: Array,
        v_0: Array,
        omega_0: Array,
        actuator_states: Array = NO_STATES,
    ) -> None:
        self.parameters, self.form = parameters, form
        self.q, self.qdot, self.attitude = q, qdot, attitude
        self.r_0, self.v_0, self.omega_0, self.actuator_states = r_0, v_0, omega_0, actuator_states

    def knowing(self, values: Mapping[str, Any]) -> Equations:
        """Take some quantities as given, such as "H0" computed elsewhere, and return itself; the rest follows from them."""
        vars(self).update(values)
        return self

    # Kinematics

    @cached_property
    def poses(self) -> Poses:
        return poses(self.parameters, self.form, self.attitude, self.r_0, self.q)

    @cached_property
    def k_hat(self) -> Array:
        """(N, 3) angular velocities per unit of each speed: the axes of what turns."""
        return joint_axes(self.parameters, self.poses.R)

    @cached_property
    def joints(self) -> Joints:
        p = self.poses.p[self.parameters.carried] - self.poses.r_ref
        return Joints(p, slide_axes(self.parameters, self.poses.R), self.k_hat)

    @cached_property
    def geometry(self) -> Geometry:
        """Of the bodies, and of the rotors of motors behind them."""
        return with_rotors(self.parameters, self.bodies, self.k_hat)

    @cached_property
    def bodies(self) -> Geometry:
        parameters, path = self.parameters, self.parameters.path
        r_0i = self.poses.r - self.poses.r_ref
        J_T, J_R = linear_jacobians(self.joints, r_0i, path), angular_jacobians(self.k_hat, path)
        return Geometry(parameters.m, r_0i, link_inertias(self.poses.R, parameters.inertia), J_T, J_R)

    @cached_property
    def u(self) -> Array:
        """(n_u,) speeds [v_0; omega_0; qdot] in [m/s, rad/s], of a fixed base qdot."""
        return self.qdot if self.parameters.fixed else np.concatenate([self.v_0, self.omega_0, self.qdot])

    @cached_property
    def omega(self) -> Array:
        """(n, 3) angular velocities of links and, behind them, of what stands for rotors, in N [rad/s]."""
        return angular_velocities(self.omega_0, self.geometry.J_R, self.qdot)

    @cached_property
    def v(self) -> Array:
        """(n, 3) velocities of their centres of mass in N [m/s]."""
        g = self.geometry
        return linear_velocities(self.v_0, self.omega_0, g.r_0i, g.J_T, self.qdot)

    # Inertia

    @cached_property
    def m_tot(self) -> Any:
        return self.parameters.m.sum()

    @cached_property
    def r_0C(self) -> Array:
        return base_to_com(self.geometry)

    @cached_property
    def whole_H0(self) -> Array:
        """H0 (6, 6) about the point 0, also with a fixed base."""
        return base_inertia(self.geometry)

    @cached_property
    def whole_H0m(self) -> Array:
        """H0m (6, N) about the point 0, also with a fixed base."""
        return coupling_inertia(self.geometry)

    @cached_property
    def H0(self) -> Array:
        return self.whole_H0[:0, :0] if self.parameters.fixed else self.whole_H0

    @cached_property
    def H0m(self) -> Array:
        return self.whole_H0m[:0] if self.parameters.fixed else self.whole_H0m

    @cached_property
    def Hm(self) -> Array:
        return arm_inertia(self.geometry)

    @cached_property
    def M(self) -> Array:
        return self.Hm if self.parameters.fixed else system_inertia(self.H0, self.H0m, self.Hm)

    @cached_property
    def inertia_scale(self) -> Array:
        """(n_u,) what the diagonal of M would be if nothing cancelled: a pivot far below it is rounding, not inertia."""
        g, parameters = self.bodies, self.parameters
        p = self.joints.p
        arm = ((g.r_0i[:, None, :] - p) ** 2).sum(axis=-1)
        far = (g.r_0i**2).sum(axis=-1)[:, None] + (p**2).sum(axis=-1)
        turning = g.m[:, None] * (arm + 1e-14 * far) + np.trace(g.I, axis1=-2, axis2=-1)[:, None]
        moved = (parameters.angular**2).sum(axis=-1) * turning + (parameters.linear**2).sum(axis=-1) * g.m[:, None]
        joints = np.where(parameters.path, moved, 0).sum(axis=0)
        return np.concatenate([np.diagonal(self.H0), joints])

    @cached_property
    def S_U(self) -> Array:
        return schur_complement(self.m_tot, self.r_0C, system_moments(self.geometry))

    @cached_property
    def H0_inverse(self) -> Array:
        return self.H0 if self.parameters.fixed else base_inertia_inverse(self.m_tot, self.r_0C, self.S_U)

    @cached_property
    def H0_inverse_H0m(self) -> Array:
        """(6, N): the base recoils with minus this times qdot [Wilde2018] eq. 109; (0, N) with a fixed base."""
        return self.H0_inverse @ self.H0m

    @cached_property
    def H(self) -> Array:
        return self.Hm if self.parameters.fixed else generalized_inertia(self.Hm, self.H0m, self.H0_inverse)

    @cached_property
    def kinetic_energy(self) -> Any:
        spinning = stored_energy(self.parameters.turners, self.omega_0, self.h_w, self.actuator_states)
        return kinetic_energy(self.geometry, self.v, self.omega) + spinning

    @cached_property
    def energy_by_body(self) -> Array:
        """(n_b,) [J], wheels locked in the base, rotors with the bodies that carry them."""
        energies = with_carriers(self.parameters, kinetic_energies(self.geometry, self.v, self.omega))
        return energies[self.parameters.link_of]

    # Momentum

    @cached_property
    def M_0(self) -> Array:
        """[P; L_0] (6,) [N s, N m s] in N [Wilde2018] eq. 42, of its own speeds, wheels locked; also with a fixed base."""
        recoil = self.whole_H0m @ self.qdot
        return recoil if self.parameters.fixed else self.whole_H0 @ self.u[:6] + recoil

    @cached_property
    def h_w(self) -> Array:
        """(3,) momentum of the actuators relative to the base, in N."""
        return self.poses.R[0] @ self.parameters.turners.momentum(self.actuator_states)

    @cached_property
    def momentum(self) -> Momentum:
        P, L_0 = self.M_0[:3], self.M_0[3:] + self.h_w
        return Momentum(P, L_0, L_0 - cross(self.r_0C, P))

    @cached_property
    def momentum_by_body(self) -> BodyMomentum:
        g = self.geometry
        P = g.m[:, None] * self.v
        spin = with_carriers(self.parameters, (g.I @ self.omega[:, :, None])[:, :, 0])
        bodies = self.parameters.link_of
        return BodyMomentum(P[bodies], (spin + cross(g.r_0i - self.r_0C, P))[bodies])

    @cached_property
    def momentum_by_tree(self) -> BodyMomentum:
        """Of the one tree that there is."""
        return BodyMomentum(self.momentum.P[None], self.momentum.L_C[None])

    # Derivatives

    @cached_property
    def along_motion(self) -> GeometryRate:
        return self._along(self.omega_0)

    @cached_property
    def base_held(self) -> GeometryRate:
        """Rates along qdot alone: H, C and J* do not depend on how the base turns."""
        return self._along(0 * self.omega_0)

    def _along(self, omega_0: Array) -> GeometryRate:
        d = time_rate(self.parameters, self.bodies, self.joints, omega_0, self.qdot)
        return self._rotor_rates(d, omega_0 + self.bodies.J_R @ self.qdot)

    @cached_property
    def per_joint(self) -> GeometryRate:
        d = joint_gradient(self.parameters, self.bodies, self.joints)
        return self._rotor_rates(d, np.moveaxis(self.bodies.J_R, -1, 0))

    def _rotor_rates(self, d: GeometryRate, spin: Array) -> GeometryRate:
        """Return the rates of bodies that turn with `spin` (..., n_l, 3), those of the rotors behind."""
        if not self.parameters.rotors:
            return d
        return with_rotor_rates(self.parameters, d, self.k_hat, cross(spin[..., self.parameters.carried, :], self.k_hat))

    def _H0_rate(self, d: GeometryRate) -> Array:
        rate = base_inertia_rate(self.geometry, d)
        return rate[..., :0, :0] if self.parameters.fixed else rate

    def _H0m_rate(self, d: GeometryRate) -> Array:
        rate = coupling_inertia_rate(self.geometry, d)
        return rate[..., :0, :] if self.parameters.fixed else rate

    def _H_rate(self, d: GeometryRate, Hm_rate: Array) -> Array:
        return generalized_inertia_rate(self.H0_inverse_H0m, self._H0_rate(d), self._H0m_rate(d), Hm_rate)

    @cached_property
    def H0_dot(self) -> Array:
        return self._H0_rate(self.along_motion)

    @cached_property
    def H0m_dot(self) -> Array:
        return self._H0m_rate(self.along_motion)

    @cached_property
    def Hm_dot(self) -> Array:
        return arm_inertia_rate(self.geometry, self.along_motion)

    @cached_property
    def Hdot(self) -> Array:
        return self._H_rate(self.base_held, arm_inertia_rate(self.geometry, self.base_held))

    @cached_property
    def dH0_dq(self) -> Array:
        return self._H0_rate(self.per_joint)

    @cached_property
    def dH0m_dq(self) -> Array:
        return self._H0m_rate(self.per_joint)

    @cached_property
    def dHm_dq(self) -> Array:
        return arm_inertia_rate(self.geometry, self.per_joint)

    @cached_property
    def dH_dq(self) -> Array:
        return self._H_rate(self.per_joint, self.dHm_dq)

    # Velocity forces

    @cached_property
    def c(self) -> Array:
        return convective_vector(self.dH_dq, self.qdot) + quasi_forces(self.parameters, self.qdot, self.H @ self.qdot)

    @cached_property
    def C(self) -> Array:
        return coriolis_vector(self.Hdot, self.c, self.qdot)

    @cached_property
    def coriolis_matrix(self) -> Array:
        no_quasi_speeds(self.parameters)
        return coriolis_matrix(self.dH_dq, self.qdot)

    @cached_property
    def bias(self) -> Array:
        """(n_u,) velocity forces [N, N m] of the unreduced equations [Wilde2018] eqs 39-41."""
        if self.parameters.fixed:
            return self.C
        turning = quasi_forces(self.parameters, self.qdot, (self.M @ self.u)[6:])
        M_rate = system_inertia(self.H0_dot, self.H0m_dot, self.Hm_dot)
        dM_dq = np.block([[self.dH0_dq, self.dH0m_dq], [transpose(self.dH0m_dq), self.dHm_dq]])
        joints = np.concatenate([np.zeros(6), turning])
        base = base_velocity_term(self.v_0, self.M_0[:3])
        gyroscopic = cross(self.omega_0, self.h_w)
        base = base + np.concatenate([0 * gyroscopic, gyroscopic])
        return velocity_forces(M_rate, dM_dq, self.u, base) + joints

    @cached_property
    def momentum_bias(self) -> Array:
        """What the state's own momentum adds to C: the reduced bias of all speeds minus that without momentum."""
        if self.parameters.fixed:
            return 0 * self.qdot
        return reduced_forces(self.H0m, self.H0_inverse, self.bias[:6], self.bias[6:]) - self.C

    @cached_property
    def gravity_force(self) -> Array:
        """(N,) joint forces that hold the bodies against gravity: -sum m_i J_Ti' g."""
        g = self.geometry
        return -((g.m[:, None] * (self.parameters.gravity @ g.J_T)).sum(axis=0))

    @cached_property
    def passive_force(self) -> Array:
        """(N,) forces [N m or N] of the springs and dampers, of the joints and between points."""
        return passive_forces(self)

    @cached_property
    def springs(self) -> Springs:
        return spring_states(self)

    # Dynamics

    @cached_property
    def rest(self) -> Array:
        """(n_u,) all forces [N, N m] that actuators must balance at zero acceleration."""
        joints = self.gravity_force - self.passive_force
        return self.bias + (joints if self.parameters.fixed else np.concatenate([0 * self.u[:6], joints]))

    def applied(self, tau: Array, wrench: Array | None, wrenches: Sequence[tuple[Point, Array]]) -> Array:
        """Return the generalized forces (n_u,) [N, N m] of tau, a base wrench and wrenches [f; n] at points, in N."""
        base = np.zeros(len(self.H0)) if wrench is None else wrench
        for point, w in wrenches:
            base, tau = base + transpose(self.J0(point)) @ w, tau + transpose(self.Jm(point)) @ w
        return np.concatenate([base, tau])

    def forward_dynamics(self, tau: Array, wrench: Array | None = None, wrenches: Sequence[tuple[Point, Array]] = ()) -> Array:
        return solve(self.M, self.applied(tau, wrench, wrenches) - self.rest)

    def inverse_dynamics(self, udot: Array) -> InverseDynamics:
        if self.parameters.fixed:
            return InverseDynamics(self._ground_wrench(udot), self.M @ udot + self.rest)
        forces = self.M @ udot + self.rest
        return InverseDynamics(forces[:6], forces[6:])

    def _ground_wrench(self, qddot: Array) -> Array:
        """What the ground applies to a fixed base at its frame origin: rate of momentum minus weight."""
        rate = self.whole_H0m @ qddot + coupling_inertia_rate(self.geometry, self.along_motion) @ self.qdot
        f = self.m_tot * self.parameters.gravity
        return rate - np.concatenate([f, cross(self.r_0C, f)])

    def floating_inverse_dynamics(self, qddot: Array) -> FloatingInverseDynamics:
        if self.parameters.fixed:
            return FloatingInverseDynamics(self.H0m @ qddot, self.M @ qddot + self.rest)
        base = -(self.H0_inverse @ (self.H0m @ qddot + self.rest[:6]))
        return FloatingInverseDynamics(base, transpose(self.H0m) @ base + self.Hm @ qddot + self.rest[6:])

    # Points

    def on_tree(self, point: Point) -> tuple[Equations, Point, Array]:
        """Return these equations, the point, and the acceleration (3,) in N [m/s^2] of the point 0 where udot = 0."""
        return self, point, np.zeros(3)

    def position(self, point: Point) -> Array:
        link = self.parameters.link_of[point.body]
        return self.poses.p[link] + self.poses.R[link] @ point.offset

    def attitude_of(self, point: Point) -> Array:
        """(4,) unit quaternion x, y, z, w of a frame [Wilde2018] eq. 24."""
        form = Quaternion()
        chain = poses(self.parameters, form, self.attitude, self.r_0, self.q)
        return form.compose(chain.rotation[self.parameters.link_of[point.body]], quaternion_from_dcm(point.dcm))

    def J0(self, point: Point) -> Array:
        J0 = base_jacobian(self.position(point) - self.poses.r_ref)
        return J0[:, :0] if self.parameters.fixed else J0

    def Jm(self, point: Point) -> Array:
        x, path = (self.position(point) - self.poses.r_ref)[None], self.parameters.path[[self.parameters.link_of[point.body]]]
        return arm_jacobian(linear_jacobians(self.joints, x, path)[0], angular_jacobians(self.k_hat, path)[0])

    def J_star(self, point: Point) -> Array:
        return generalized_jacobian(self.J0(point), self.Jm(point), self.H0_inverse_H0m)

    def J_star_drift(self, point: Point) -> Array:
        if self.parameters.fixed:
            return np.zeros(6)
        return momentum_drift(self.J0(point), self.H0_inverse, self.M_0)

    def J_dot_u(self, point: Point) -> Array:
        motions = TreeLinkMotions(self.parameters, self.poses, self.v_0, self.omega_0, self.qdot, np.zeros(3))
        _, _, a, alpha = motions.at(int(self.parameters.link_of[point.body]), self.position(point))
        return np.concatenate([a, alpha])
