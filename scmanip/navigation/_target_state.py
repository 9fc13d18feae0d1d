"""A free body that tumbles, as a filter knows it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..spatial import Array, dcm_from_quaternion, quaternion_from_turn, quaternion_product, skew, turn_between

LONGEST_TURN = 0.05  # [rad] of one step of Runge and Kutta
LOST = 1000.0  # [rad] between two looks, of a filter that knows nothing any more
PLACE, SPEED, TURN, RATE, RATIOS, ARM = (slice(*ends) for ends in ((0, 3), (3, 6), (6, 9), (9, 12), (12, 14), (14, 17)))
SIZE = 17


class TargetState(NamedTuple):
    """A rigid body in free flight, seen at a frame whose axes are its principal ones.

    t : when [s]
    r, v : (3,) of its centre of mass in N [m, m/s]
    attitude_xyzw : (4,) of the frame, to N; omega : (3,) its angular velocity, in its axes [rad/s]
    ratios : (2,) logarithms of I_x / I_z and I_y / I_z
    arm : (3,) from the centre of mass to the frame's origin, in its axes [m]

    >>> spin = np.array([0.0, 0.0, 0.1])
    >>> still = [np.zeros(3), np.zeros(3), np.array([0.0, 0, 0, 1])]
    >>> tumbling = TargetState(0.0, still[0], still[1], still[2], spin, np.zeros(2), np.array([1.0, 0.0, 0.0]))
    >>> later, Phi = tumbling.carried(10.0)
    >>> later.omega.round(6).tolist(), later.attitude_xyzw.round(4).tolist(), Phi.shape
    ([0.0, 0.0, 0.1], [0.0, 0.0, 0.4794, 0.8776], (17, 17))
    """

    t: float
    r: Array
    v: Array
    attitude_xyzw: Array
    omega: Array
    ratios: Array
    arm: Array

    @property
    def R(self) -> Array:
        """The axes of the frame (3, 3) in N, unit vectors as columns."""
        return dcm_from_quaternion(self.attitude_xyzw)

    def off_by(self, dx: Array) -> TargetState:
        """Return it with an error (17,) in SI added: in N of place and velocity, in its axes of all others."""
        return TargetState(
            self.t,
            self.r + dx[PLACE],
            self.v + dx[SPEED],
            quaternion_product(self.attitude_xyzw, quaternion_from_turn(dx[TURN])),
            self.omega + dx[RATE],
            self.ratios + dx[RATIOS],
            self.arm + dx[ARM],
        )

    def less(self, other: TargetState) -> Array:
        """Return the error (17,) in SI with which another one becomes it (`off_by`)."""
        turn = turn_between(other.attitude_xyzw, self.attitude_xyzw)
        moves, rest = (self.r - other.r, self.v - other.v), (self.ratios - other.ratios, self.arm - other.arm)
        return np.concatenate([*moves, turn, self.omega - other.omega, *rest])

    def carried(self, t: float) -> tuple[TargetState, Array]:
        """Return it at a later time [s], and how errors go over (17, 17)."""
        T, F = t - self.t, np.eye(SIZE)
        F[PLACE, SPEED] = T * np.eye(3)
        turned = float(np.linalg.norm(self.omega)) * T
        steps = max(1, math.ceil(turned / LONGEST_TURN)) if turned < LOST else 1
        attitude, omega, spin = self.attitude_xyzw, self.omega, F[6:14, 6:14]
        for _ in range(steps):
            attitude, omega, spin = _turned(attitude, omega, self.ratios, spin, T / steps)
        F[6:14, 6:14] = spin
        return self._replace(t=t, r=self.r + T * self.v, attitude_xyzw=attitude, omega=omega), F


def _slopes(omega: Array, ratios: Array) -> tuple[Array, Array]:
    """Return the angular acceleration (3,) of a body that nothing turns, by Euler's equations in principal axes, and the
    derivatives (8, 8) of the rates of errors [turn; rate; ratios] by these.
    """
    J, S, A = np.array([*np.exp(ratios), 1.0]), skew(omega), np.zeros((8, 8))
    each = -S * (J * omega) / J[:, np.newaxis]  # of whose sum over columns a ratio changes one, and divides a row
    acceleration: Array = each.sum(axis=1)
    A[:3, :3], A[:3, 3:6] = -S, np.eye(3)
    A[3:6, 3:6] = -(S * J - skew(J * omega)) / J[:, np.newaxis]
    A[3:6, 6:] = (each - np.diag(acceleration))[:, :2]
    return acceleration, A


def _turned(attitude: Array, omega: Array, ratios: Array, spin: Array, h: float) -> tuple[Array, Array, Array]:
    """Return attitude, rate and how errors go over after h [s], by the classical method of Runge and Kutta."""

    def slope(turn: Array, rate: Array, over: Array) -> tuple[Array, Array, Array]:
        # of a turn vector, whose rate is J^-1 omega = omega + turn x omega / 2 + turn x (turn x omega) / 12 + O(turn^4)
        X, (acceleration, A) = skew(turn), _slopes(rate, ratios)
        return rate + X @ (rate / 2 + X @ rate / 12), acceleration, A @ over

    start = np.zeros(3), omega, spin
    k1 = slope(*start)
    k2 = slope(*(y + h / 2 * k for y, k in zip(start, k1, strict=True)))
    k3 = slope(*(y + h / 2 * k for y, k in zip(start, k2, strict=True)))
    k4 = slope(*(y + h * k for y, k in zip(start, k3, strict=True)))
    ends = [y + h / 6 * (a + 2 * b + 2 * c + d) for y, a, b, c, d in zip(start, k1, k2, k3, k4, strict=True)]
    turned = quaternion_product(attitude, quaternion_from_turn(ends[0]))
    return turned / np.linalg.norm(turned), ends[1], ends[2]
