"""Where the base shall be, and how it gets there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem, expect
from ...guidance import PoseReference
from ...modes import CentroidalDynamics, Situation
from ...spatial import Array, dcm_from_quaternion, quaternion_conjugate, quaternion_product, real, transpose
from ...spatial import attitude_xyzw as unit_quaternion
from .._attitude_error import attitude_error
from .._moving_frame import in_space

AT_REST = np.zeros(6)


@dataclass(frozen=True, eq=False, init=False)
class BasePose:
    """Where the base shall be; None: where it is found when the run begins.

    attitude_xyzw : (4,) base to inertial, normalised
    position_m : (3,) of the base CoM or the system CoM, from the inertial origin, in N
    relative_to : a frame of a free body in whose axes, and from whose origin, both are: the base goes along with it

    Raises `InvalidInput` for what is no quaternion, no place and no name.

    >>> turned = BasePose(attitude_xyzw=[0.0, 0.0, 0.6, 0.8], position_m=None)
    >>> turned.attitude_xyzw.tolist(), turned.position_m
    ([0.0, 0.0, 0.6, 0.8], None)
    """

    attitude_xyzw: Array | None
    position_m: Array | None
    relative_to: str | None

    def __init__(
        self,
        attitude_xyzw: ArrayLike | None = (0.0, 0.0, 0.0, 1.0),
        position_m: ArrayLike | None = (0.0, 0.0, 0.0),
        relative_to: str | None = None,
    ) -> None:
        expect("relative_to", relative_to, str | None, "the name of a frame, or None")
        attitude = None if attitude_xyzw is None else unit_quaternion(attitude_xyzw, order="xyzw")
        position = None if position_m is None else _position(position_m)
        if attitude is not None and attitude.shape != (4,):
            raise InvalidInput(Problem("attitude_xyzw", "one quaternion", f"shape {attitude.shape}"))
        for array in (attitude, position):
            if array is not None:
                array.flags.writeable = False
        vars(self).update(attitude_xyzw=attitude, position_m=position, relative_to=relative_to)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left open."""
        return self.attitude_xyzw is not None and self.position_m is not None

    @property
    def numbers(self) -> dict[str, Array]:
        """As numbers of a law, place (3,) [m] and attitude (4,) in N or the frame that they are relative to.

        Raises `InvalidInput` for a pose that is not known before a run begins.
        """
        if self.attitude_xyzw is None or self.position_m is None:
            hint = "law.begun(state) has it, as `simulate` takes it"
            raise InvalidInput(Problem("pose", "an attitude and a position", "one that is left open", hint=hint))
        return {"base_attitude_xyzw": self.attitude_xyzw, "base_position_m": self.position_m}

    def found(self, now: Situation, *, of_base: bool) -> BasePose:
        """Return the pose with what it leaves open as it is now; of_base : as for `base_acceleration`."""
        centre, attitude = now.r_0 if of_base else now.r_0 + now.carried[1], now.attitude_xyzw
        if self.relative_to is not None:
            place, towards = now.of_frame(self.relative_to, "position", "attitude")
            centre = transpose(dcm_from_quaternion(towards)) @ (centre - place)
            attitude = quaternion_product(quaternion_conjugate(towards), attitude)
        return BasePose(
            attitude if self.attitude_xyzw is None else self.attitude_xyzw,
            centre if self.position_m is None else self.position_m,
            self.relative_to,
        )


def _position(given: ArrayLike) -> Array:
    """Return three finite numbers; raises `InvalidInput`."""
    try:
        position = real(given).copy()
    except (TypeError, ValueError):
        raise InvalidInput(Problem("position_m", "3 finite numbers", repr(given))) from None
    if position.shape != (3,) or not np.all(np.isfinite(position)):
        raise InvalidInput(Problem("position_m", "3 finite numbers", str(position.tolist())))
    return position


def base_acceleration(
    now: Situation, dynamics: CentroidalDynamics, pose: BasePose, numbers: Mapping[str, Array], *, of_base: bool
) -> Array:
    """Return the accelerations (6,), linear and angular, that errors of the base ask for, over any scalar.

        a = a_D + K_D (v_D - v) + K_P (r_D - r),   alpha = alpha_D + K_D (omega_D - omega) + K_P 2 sin(angle / 2) axis

    numbers : those of the pose, "base_K_P" and "base_K_D" (6,)
    of_base : whether r is the place of the base CoM; otherwise that of the CoM of all that it carries
    """
    K_P, K_D = numbers["base_K_P"], numbers["base_K_D"]
    place, attitude = numbers["base_position_m"], numbers["base_attitude_xyzw"]
    wanted = in_space(now, PoseReference("base", place, attitude, AT_REST, AT_REST, pose.relative_to))
    assert wanted.attitude_xyzw is not None  # what is given has one
    r, v = now.r_0, now.v_0
    if not of_base:
        r, v = r + dynamics.r_0C, dynamics.M[:3] @ now.u / dynamics.m_tot  # of the system CoM
    moving = K_P[:3] * (wanted.position_m - r) - K_D[:3] * (v - wanted.twist[:3])
    turning = K_P[3:] * attitude_error(wanted.attitude_xyzw, now.attitude_xyzw) - K_D[3:] * (now.omega_0 - wanted.twist[3:])
    return np.concatenate([moving, turning]) + wanted.twist_dot
