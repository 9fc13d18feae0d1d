"""Partial angular velocities and partial velocities of all bodies, carried from body to body [Kane1983] eqs 13-75.

Vectors of body i are components in its moved joint frame, which turns with it, so that inertias are constants and angular
velocities that are generalized speeds stay single letters. What is proportional to a speed is kept apart (omega_r, v_r)
from what is not (omega_t, v_t), and the whole is carried beside both: the paper's explicit and implicit forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...spatial import DCM, Array, cross, dcm_from_quaternion, scalar_type, skew, transpose
from ..sums._kinematics import LinkJoint
from ..sums._parameters import Parameters
from ._speeds import Place, ReadOff, SpeedMap


@dataclass(frozen=True, eq=False)
class Placements:
    """How each link stands to its parent: R (n_l, 3, 3) child to parent, place (n_l, 3) of the joint in parent axes."""

    R: list[Array]
    place: list[Array]

    @classmethod
    def of(cls, parameters: Parameters, place: Place) -> Placements:
        """Return it at a place; link 0 stands to N, and its place is unused."""
        R, places = [dcm_from_quaternion(place.attitude_xyzw)], [np.zeros(3)]
        for i in range(1, len(parameters.m)):
            joint, turn, origin = LinkJoint.of(parameters, i), parameters.dcm[i], parameters.origin[i]
            moved, slide = joint.rotation(DCM(), place.q), joint.slide(place.q)
            places.append(origin if slide is None else origin + turn @ slide)
            R.append(turn if moved is None else turn @ moved)
        return cls(R, places)


@dataclass(frozen=True, eq=False)
class Partials:
    """Coefficients of the speeds in the angular velocity of each body and in the velocity of a point of it.

    omega_r, v_r : per body (3, p); omega_t, v_t : per body (3,) what is left without speeds, [Kane1983] eqs 23, 44
    """

    omega_r: list[Array]
    omega_t: list[Array]
    v_r: list[Array]
    v_t: list[Array]


def origin_partials(
    parameters: Parameters, placements: Placements, speeds: SpeedMap, read_off: ReadOff | None = None
) -> Partials:
    """Return the partials of every body and of the origin of its moved joint frame; of a fixed base they are zero."""
    both = np.column_stack([speeds.W, speeds.X])
    omega, v = [_base_rows(parameters, placements, both, slice(3, 6))], [_base_rows(parameters, placements, both, slice(0, 3))]
    v[0] = v[0] + cross_columns(omega[0], -parameters.com[0])  # u holds the velocity of the base's centre of mass
    for i in range(1, len(parameters.m)):
        parent, joint = parameters.parent[i], LinkJoint.of(parameters, i)
        w = transpose(placements.R[i]) @ omega[parent]
        vi = transpose(placements.R[i]) @ (v[parent] + cross_columns(omega[parent], placements.place[i]))
        for j in joint.speeds:
            row = both[_row(parameters, j)]
            w = w + np.multiply.outer(parameters.angular[j], row)
            vi = vi + np.multiply.outer(parameters.linear[j], row)
        is_read = read_off is not None and parameters.link_of[read_off.body] == i
        omega.append(_read(parameters, read_off, both.shape[1]) if read_off is not None and is_read else w)
        v.append(vi)
    split = [[a[:, :-1] for a in rows] for rows in (omega, v)], [[a[:, -1] for a in rows] for rows in (omega, v)]
    return Partials(split[0][0], split[1][0], split[0][1], split[1][1])


def of_mass_centres(parameters: Parameters, partials: Partials) -> Partials:
    """Return the same partials for the mass centres."""
    rows = list(zip(partials.omega_r, partials.omega_t, partials.v_r, partials.v_t, parameters.com, strict=True))
    v_r = [v + cross_columns(w, c) for w, _, v, _, c in rows]
    v_t = [v + cross(w, c) for _, w, _, v, c in rows]
    return Partials(partials.omega_r, partials.omega_t, v_r, v_t)


@dataclass(frozen=True, eq=False)
class BodyAccelerations:
    """Per body (3,) angular velocity, angular acceleration and acceleration of the mass centre."""

    omega: list[Array]
    alpha: list[Array]
    a: list[Array]


def accelerations(
    parameters: Parameters,
    placements: Placements,
    u: Array,
    udot: Array,
    lift: Array,
    read: tuple[ReadOff, Array, Array] | None = None,
) -> BodyAccelerations:
    """Return the accelerations of all bodies.

    u, udot : (n_u,); lift : (3,) acceleration of N, minus gravity where weights count as inertia forces, in N
    read : the body that is read off the speeds, with s and sdot (p,)
    """
    up = transpose(placements.R[0]) @ lift
    omega, alpha = (_base_rows(parameters, placements, vector, slice(3, 6)) for vector in (u, udot))
    a = _base_rows(parameters, placements, udot, slice(0, 3)) + up
    c = parameters.com[0]
    all_omega, all_alpha, origin = [omega], [alpha], [a - _spun(omega, alpha, c)]
    for i in range(1, len(parameters.m)):
        parent, joint, to_body = parameters.parent[i], LinkJoint.of(parameters, i), transpose(placements.R[i])
        w, dw = to_body @ all_omega[parent], to_body @ all_alpha[parent]
        ai = to_body @ (origin[parent] + _spun(all_omega[parent], all_alpha[parent], placements.place[i]))
        if joint.speeds:
            (v_rate, w_rate), (v_push, w_push) = (joint.along(rows[_row(parameters, 0) :]) for rows in (u, udot))
            ai = ai + 2 * cross(w, v_rate) + cross(w_rate, v_rate) + v_push
            dw = dw + cross(w, w_rate) + w_push
            w = w + w_rate
        if read is not None and parameters.link_of[read[0].body] == i:
            own, s, sdot = read
            turn, places = parameters.child_dcm[own.body], list(own.places)
            w, dw = turn @ s[places], turn @ sdot[places]
        all_omega.append(w)
        all_alpha.append(dw)
        origin.append(ai)
    rows = zip(origin, all_omega, all_alpha, parameters.com, strict=True)
    return BodyAccelerations(all_omega, all_alpha, [a + _spun(w, dw, c) for a, w, dw, c in rows])


def cross_columns(columns: Array, c: Array) -> Array:
    """Return omega x c of every column omega of (3, p)."""
    return -(skew(c) @ columns)


def _spun(omega: Array, alpha: Array, c: Array) -> Array:
    """Acceleration (3,) of a body-fixed place c from its origin."""
    return cross(alpha, c) + cross(omega, cross(omega, c))


def _row(parameters: Parameters, speed: int) -> int:
    """Place in u of an entry of qdot."""
    return speed if parameters.fixed else 6 + speed


def _base_rows(parameters: Parameters, placements: Placements, rows: Array, part: slice) -> Array:
    """Return three rows of the base, of (n_u,) or (n_u, p), in base axes; zero for a fixed base."""
    if parameters.fixed:
        return np.zeros((3, *rows.shape[1:]))
    return transpose(placements.R[0]) @ rows[part]


def _read(parameters: Parameters, read_off: ReadOff, columns: int) -> Array:
    """Return the partial angular velocities of the body that is read off: unit vectors of its own axes."""
    omega = np.zeros((3, columns))
    omega[:, list(read_off.places)] = parameters.child_dcm[read_off.body]
    return omega


def path_rotation(parameters: Parameters, placements: Placements, body: int, ancestor: int) -> Array:
    """Rotation (3, 3) from the axes of link `body` to those of a link on its path to the base."""
    R: Any = np.eye(3)
    while body != ancestor:
        R = placements.R[body] @ R
        body = parameters.parent[body]
    return np.array(R, dtype=scalar_type(R))
