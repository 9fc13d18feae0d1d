"""The virtual coupler: a spring and a damper between a hand and a frame [Gillespie2003]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...errors import expect, name_problems, refuse
from ...loads import Bodies, BodyWrenches
from ...spatial import Array, dcm_from_quaternion, quaternion_rate
from ._hand_load import HAND_UNITS, IMPULSE_UNITS, HandLoad

_UNITS = {
    **HAND_UNITS,
    "K": "N/m",
    "B": "N s/m",
    "K_turn": "N m/rad",
    "B_turn": "N m s/rad",
    **{f"sensed_f{axis}": "N" for axis in "xyz"},
    **{f"sensed_n{axis}": "N m" for axis in "xyz"},
    "given": "J",
    "taken": "J",
    "lost": "J",
    **IMPULSE_UNITS,
}
_OUTPUTS = {**{f"force_{axis}": "N" for axis in "xyz"}, **{f"torque_{axis}": "N m" for axis in "xyz"}, "stored": "J"}


@dataclass(frozen=True)
class Coupler(HandLoad):
    """Linear and rotational spring and damper that draw a frame to a hand, and a force that the hand gives directly.

    With d from the frame's origin to the hand, Q the turn of the frame from the attitude of the hand, in its axes,

        f = K d + B d' + f_s,   n = -K_t vee(Q - Q') / 2 + B_t (omega_h - omega) + n_s

    on the frame at its origin, in N, to which vee(Q - Q') is turned from axes of the hand. The springs store K d^2 / 2 + K_t (3
    - tr Q) / 2. The hand is a state: between two steps it moves with a constant velocity, and so are gains and the sensed
    force, which stay. All of them are zero from the start, so that nothing is held. Energies that the hand has `given`, the
    frame has `taken` and the dampers have `lost` are integrated with the motion, and impulses of f and n too.

    frame : what the hand holds, a frame or a body of the system
    name : by which its states are called

    Raises `InvalidInput` for what are no names; `check` `UnknownName` for a frame that is not there.

    >>> pulled = scmanip.Plant(model, scmanip.Floating(), [Coupler("tip")])
    >>> list(pulled.loads[0].states)[:3], pulled.layout.n_x - plant.layout.n_x
    (['hand_x', 'hand_y', 'hand_z'], 32)
    """

    GAINS: ClassVar[slice] = slice(13, 17)
    SENSED: ClassVar[slice] = slice(17, 23)
    ENERGIES: ClassVar[slice] = slice(23, 26)
    IMPULSES: ClassVar[slice] = slice(26, 32)

    frame: str
    name: str = "hand"

    def __post_init__(self) -> None:
        expect("frame", self.frame, str, "the name of a frame or body")
        refuse(name_problems("coupler", self.name))

    @property
    def states(self) -> Mapping[str, str]:
        """Place, velocity, attitude and turning of the hand, gains, what it gives directly, energies and impulses."""
        return _UNITS

    def wrenches(self, bodies: Bodies, t: Any) -> BodyWrenches:
        """Return what draws the body."""
        del t
        pull = _Pull.of(self, bodies)
        return bodies.on(bodies.system.frame(self.frame).body, pull.f, pull.n, at=pull.at)

    def rates(self, bodies: Bodies, t: Any) -> Array:
        """Return how the hand moves, and powers and forces as rates of energies and impulses."""
        del t
        own, pull = bodies.own, _Pull.of(self, bodies)
        turning = quaternion_rate(own[6:10], own[10:13])
        parts = [own[3:6], np.zeros(3), turning, np.zeros(3), np.zeros(10), pull.powers, pull.f, pull.n]
        return np.concatenate(parts)

    def dissipated(self, bodies: Bodies, t: Any) -> Any:
        """Nothing: what the dampers lose comes from the hand, and is told by `lost`."""
        del bodies, t
        return 0.0

    @property
    def outputs(self) -> Mapping[str, str]:
        """Force and moment on the frame in N, and what the springs store."""
        return _OUTPUTS

    def output(self, bodies: Bodies, t: Any) -> Array:
        """Return them (7,)."""
        del t
        pull = _Pull.of(self, bodies)
        return np.array([*pull.f, *pull.n, pull.stored])


@dataclass(frozen=True, eq=False)
class _Pull:
    """Force and moment on a frame at its origin `at`, in N; powers (3,) given by the hand, taken by the frame and lost."""

    f: Array
    n: Array
    at: Array
    powers: Array
    stored: Any

    @classmethod
    def of(cls, coupler: Coupler, bodies: Bodies) -> _Pull:
        own = bodies.own
        at, R = bodies.frame(coupler.frame)
        v, omega = bodies.motion(bodies.system.frame(coupler.frame).body, at)
        K, B, K_turn, B_turn = own[Coupler.GAINS]
        d, ddot, turning = own[:3] - at, own[3:6] - v, own[10:13] - omega
        R_hand = dcm_from_quaternion(own[6:10])
        Q = R_hand.T @ R
        drawn = -K_turn / 2 * np.array([Q[2, 1] - Q[1, 2], Q[0, 2] - Q[2, 0], Q[1, 0] - Q[0, 1]])
        f, n = K * d + B * ddot, R_hand @ drawn + B_turn * turning
        sensed = own[Coupler.SENSED]
        whole_f, whole_n = f + sensed[:3], n + sensed[3:]
        given = f @ own[3:6] + n @ own[10:13] + sensed[:3] @ v + sensed[3:] @ omega
        taken = whole_f @ v + whole_n @ omega
        lost = B * (ddot @ ddot) + B_turn * (turning @ turning)
        stored = K * (d @ d) / 2 + K_turn * (3 - (Q[0, 0] + Q[1, 1] + Q[2, 2])) / 2
        return cls(whole_f, whole_n, at, np.array([given, taken, lost]), stored)
