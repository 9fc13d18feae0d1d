"""Positions, orientations and velocities of all bodies [Wilde2018] eqs 1-16 and, in quaternions, 18-25."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array, RotationForm, cross, sqrt
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
    """What the joint of one link does.

    speeds, coordinates : its entries of qdot and of q: none, one, or three and four of a spherical joint
    turns : whether it turns the link, otherwise it moves it along its axis
    """

    speeds: tuple[int, ...]
    coordinates: tuple[int, ...]
    turns: bool

    @classmethod
    def of(cls, parameters: Parameters, i: int) -> LinkJoint:
        """Return the freedoms of link i."""
        speeds = parameters.speeds[i]
        return cls(speeds, parameters.coordinates[i], bool(speeds) and bool(parameters.revolute[speeds[0]]))

    def rotation(self, form: RotationForm, axis: Array, q: Array) -> Array:
        """Return the rotation of a joint that turns, from the moved joint frame to the joint frame; axis : (N, 3)."""
        if len(self.speeds) == 1:
            return form.from_axis_angle(axis[self.speeds[0]], q[self.coordinates[0]])
        quaternion = q[list(self.coordinates)]
        return form.from_quaternion(quaternion / sqrt(quaternion @ quaternion))

    def slide(self, axis: Array, q: Array) -> Array:
        """Return the way (3,) [m] of a joint that slides."""
        return axis[self.speeds[0]] * q[self.coordinates[0]]

    def along(self, axis: Array, rates: Array) -> Array:
        """Return the vector (3,) of the joint's own rates (N,): relative angular velocity or velocity, in link axes."""
        vector = axis[self.speeds[0]] * rates[self.speeds[0]]
        for j in self.speeds[1:]:
            vector = vector + axis[j] * rates[j]
        return vector


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
        if joint.turns:
            R_i = form.compose(R_i, joint.rotation(form, parameters.axis, q))  # eq. 9
        elif joint.speeds:
            p_i = p_i + form.rotate(R_i, joint.slide(parameters.axis, q))
        rotation.append(R_i)
        p.append(p_i)
    R = np.array([form.matrix(R_i) for R_i in rotation])
    r = np.array(p) + _rotated(R, parameters.com)  # eq. 10
    return Poses(rotation, R, np.array(p), r, r_0)


def joint_axes(parameters: Parameters, R: Array) -> Array:
    """Unit vectors k_hat (N, 3) of the joint axes in N [Wilde2018] eq. 5."""
    return _rotated(R[parameters.carried], parameters.axis)


def _rotated(R: Array, v: Array) -> Array:
    """Return R_i v_i of stacks (n, 3, 3) and (n, 3)."""
    return (R @ v[..., None])[..., 0]


def linear_jacobians(parameters: Parameters, k_hat: Array, p_joint: Array, points: Array, path: Array) -> Array:
    """Linear-velocity Jacobians J_T of points [Wilde2018] eqs 33, 104; a prismatic joint's column is its axis.

    k_hat, p_joint : (N, 3) axes and places of the joints; points : (n, 3); path : (n, N) joints that move each point.
    Returns (n, 3, N).
    """
    turning = cross(k_hat, points[:, None, :] - p_joint)
    columns = np.where(parameters.revolute[:, None], turning, k_hat)
    return np.swapaxes(np.where(path[:, :, None], columns, 0), -1, -2)


def angular_jacobians(parameters: Parameters, k_hat: Array, path: Array) -> Array:
    """Angular-velocity Jacobians J_R [Wilde2018] eq. 35; a prismatic joint's column is zero. Returns (n, 3, N)."""
    columns = np.where((path & parameters.revolute)[:, :, None], k_hat, 0)
    return np.swapaxes(columns, -1, -2)


def angular_velocities(omega_0: Array, J_R: Array, qdot: Array) -> Array:
    """omega_i (n, 3) [rad/s] of bodies in N [Wilde2018] eq. 16."""
    return omega_0 + J_R @ qdot


def linear_velocities(v_0: Array, omega_0: Array, r_0i: Array, J_T: Array, qdot: Array) -> Array:
    """v_i (n, 3) [m/s] of points r_0i (n, 3) from the point 0, in N [Wilde2018] eq. 15."""
    return v_0 + cross(omega_0, r_0i) + J_T @ qdot
