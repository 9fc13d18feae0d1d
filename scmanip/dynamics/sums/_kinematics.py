"""Positions, orientations and velocities of all bodies [Wilde2018] eqs 1-16 and, in quaternions, 18-25."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...spatial import Array, RotationForm, cross
from ...system import Motion
from ._parameters import Parameters


@dataclass(frozen=True, eq=False)
class Poses:
    """Where every link is, in N.

    rotation : per link, R_NJ of the moved joint frame in the form that walked the chain
    R : (n_l, 3, 3) the same as matrices
    p : (n_l, 3) origins of the moved joint frames [m]
    r : (n_l, 3) centres of mass [m]
    r_ref : (3,) the point 0: the base CoM, or the origin of a fixed base [m]
    """

    rotation: list[Array]
    R: Array
    p: Array
    r: Array
    r_ref: Array


@dataclass(frozen=True)
class LinkJoint:
    """How one link moves.

    speeds, coordinates : its entries of qdot and of q
    motion : in the link's axes
    """

    speeds: tuple[int, ...]
    coordinates: tuple[int, ...]
    motion: Motion

    @classmethod
    def of(cls, parameters: Parameters, i: int) -> LinkJoint:
        """Return how link i moves in its moved joint frame."""
        return cls(parameters.speeds[i], parameters.coordinates[i], parameters.motions[i])

    def rotation(self, form: RotationForm, q: Array) -> Array | None:
        """Return the rotation from the link's axes to those where q is neutral, None where it never turns; q : (n_q,)."""
        return self.motion.rotation(form, q[list(self.coordinates)])

    def slide(self, q: Array) -> Array | None:
        """Return the way (3,) [m] of the link's origin, before its turn; None where it never slides."""
        return self.motion.slide(q[list(self.coordinates)])

    def along(self, rates: Array) -> tuple[Array, Array]:
        """Return velocity (3,) and angular velocity (3,) of the link's own rates among all (N,), in link axes."""
        own = rates[list(self.speeds)]
        return own @ self.motion.linear, own @ self.motion.angular


def poses(parameters: Parameters, form: RotationForm, attitude: Array, r_0: Array, q: Array) -> Poses:
    """Walk the tree from the base outwards [Wilde2018] eqs 3-11; with `Quaternion()` eqs 24-25.

    attitude : (4,) base to inertial, x, y, z, w; r_0 : (3,) base CoM (fixed base: its frame origin); q : (n_q,).
    """
    rotation = [form.from_quaternion(attitude)]
    p = [r_0 if parameters.fixed else r_0 - form.rotate(rotation[0], parameters.com[0])]
    for i in range(1, len(parameters.m)):
        parent, joint = parameters.parent[i], LinkJoint.of(parameters, i)
        R_i = form.compose(rotation[parent], form.from_matrix(parameters.dcm[i]))  # eq. 8
        p_i = p[parent] + form.rotate(rotation[parent], parameters.origin[i])
        turn, slide = joint.rotation(form, q), joint.slide(q)
        if slide is not None:
            p_i = p_i + form.rotate(R_i, slide)
        rotation.append(R_i if turn is None else form.compose(R_i, turn))  # eq. 9
        p.append(p_i)
    R = np.array([form.matrix(R_i) for R_i in rotation])
    r = np.array(p) + _rotated(R, parameters.com)  # eq. 10
    return Poses(rotation, R, np.array(p), r, r_0)


@dataclass(frozen=True, eq=False)
class Joints:
    """Where the joints are and how they move, in N.

    p : (N, 3) origins of the links that they carry, from the point 0 [m]
    d_hat, k_hat : (N, 3) velocity of that origin and angular velocity, per unit of each speed
    """

    p: Array
    d_hat: Array
    k_hat: Array


def joint_axes(parameters: Parameters, R: Array) -> Array:
    """Angular velocities k_hat (N, 3) per unit of each speed, in N: the joint axes [Wilde2018] eq. 5."""
    return _rotated(R[parameters.carried], parameters.angular)


def slide_axes(parameters: Parameters, R: Array) -> Array:
    """Velocities d_hat (N, 3) of the links' origins per unit of each speed, in N."""
    return _rotated(R[parameters.carried], parameters.linear)


def _rotated(R: Array, v: Array) -> Array:
    """Return R_i v_i of stacks (n, 3, 3) and (n, 3)."""
    return (R @ v[..., None])[..., 0]


def linear_jacobians(joints: Joints, points: Array, path: Array) -> Array:
    """Linear-velocity Jacobians J_T of points [Wilde2018] eqs 33, 104; what slides adds its d_hat.

    points : (n, 3) from the point 0; path : (n, N) joints that move each point. Returns (n, 3, N).
    """
    columns = cross(joints.k_hat, points[:, None, :] - joints.p) + joints.d_hat
    return np.swapaxes(np.where(path[:, :, None], columns, 0), -1, -2)


def angular_jacobians(k_hat: Array, path: Array) -> Array:
    """Angular-velocity Jacobians J_R [Wilde2018] eq. 35. Returns (n, 3, N)."""
    return np.swapaxes(np.where(path[:, :, None], k_hat, 0), -1, -2)


def angular_velocities(omega_0: Array, J_R: Array, qdot: Array) -> Array:
    """omega_i (n, 3) [rad/s] of bodies in N [Wilde2018] eq. 16."""
    return omega_0 + J_R @ qdot


def linear_velocities(v_0: Array, omega_0: Array, r_0i: Array, J_T: Array, qdot: Array) -> Array:
    """v_i (n, 3) [m/s] of points r_0i (n, 3) from the point 0, in N [Wilde2018] eq. 15."""
    return v_0 + cross(omega_0, r_0i) + J_T @ qdot
