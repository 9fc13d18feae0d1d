"""Where gimbals of three axes lock: the axes before and after the middle one are parallel, and det Gamma = 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import SingularInertia
from ...spatial import Array
from ...system import System

LOCKED = 1e-6  # |det Gamma| below which M, whose pivot goes with its square, is lost in rounding
BLAMED = 1e-3  # |det Gamma| below which a pivot that is rounding is the lock's, not that of a body without inertia
CLEAR = 0.1  # [rad] between the middle angle and a lock, beyond which nothing of a lock is felt
NEAR = 0.1  # |det Gamma| below which a large rate of the gimbal is that of a gimbal about to lock


@dataclass(frozen=True)
class ThreeAxisGimbal:
    """A gimbal that can lock.

    joint, sequence : its name and axes
    angles, rates : its entries of q and of qdot
    """

    joint: str
    sequence: str
    angles: tuple[int, ...]
    rates: tuple[int, ...]

    @property
    def proper(self) -> bool:
        """Whether the first axis comes back as the third ("zxz"): it locks at 0 and 180 deg, others at +-90 deg."""
        return self.sequence[0] == self.sequence[2]

    def openness(self, q: Array) -> float:
        """|det Gamma|, 1 where the axes are orthogonal and 0 where the gimbal locks; q (n_q,)."""
        middle = float(q[self.angles[1]])
        if not math.isfinite(middle):
            return math.nan
        return abs(math.sin(middle) if self.proper else math.cos(middle))

    def near(self, q: Array) -> bool:
        """Whether q (n_q,) is so close to lock that the gimbal's own rates are many times those of the body it carries."""
        return self.openness(q) < NEAR

    def all_but_locked(self, q: Array) -> bool:
        """Whether q (n_q,) is so close to lock that nothing but the lock needs to be blamed."""
        return self.openness(q) < BLAMED

    def passed(self, q: Array) -> int:
        """Return how many times the middle angle of q (n_q,), counted from 0, has gone through lock."""
        return math.floor(float(q[self.angles[1]]) / math.pi + (0.0 if self.proper else 0.5))

    def centre(self, q: Array) -> float:
        """Return the middle angle that is farthest from lock between the two locks around q (n_q,)."""
        return math.pi * (self.passed(q) + (0.5 if self.proper else 0.0))

    def beyond(self, q: Array, centre: Any) -> Any:
        """Return how far [rad] the middle angle is nearer to a lock than `CLEAR`, or past it, > 0 if it is; any scalar."""
        return abs(q[self.angles[1]] - centre) - (math.pi / 2 - CLEAR)

    def advice(self, q: Array) -> str:
        """Return what is wrong at q (n_q,) and how to mend it."""
        middle = float(q[self.angles[1]])
        found = "is in gimbal lock" if self.openness(q) < LOCKED else "is close to gimbal lock"
        other = "zyx" if self.proper else "zxz"
        where = "0 and +-180" if self.proper else "+-90"
        return (
            f"gimbal '{self.joint}' {found}: its angle '{self.joint}.2' is {math.degrees(middle):.9g} deg and sequence "
            f"'{self.sequence}' locks at {where} deg, where its first and third axes are parallel and the body cannot "
            f"turn about the direction across them; keep away from it, take another sequence, such as '{other}', or a "
            "spherical joint"
        )


def three_axis_gimbals(system: System) -> tuple[ThreeAxisGimbal, ...]:
    """Return the gimbals of a system that can lock."""
    found, n_q, N = [], 0, 0
    for joint in system.joints:
        sequence = joint.own.get("sequence", "")
        if len(sequence) == 3:
            found.append(ThreeAxisGimbal(joint.name, sequence, tuple(range(n_q, n_q + 3)), tuple(range(N, N + 3))))
        n_q, N = n_q + joint.n_q, N + joint.dof
    return tuple(found)


def check_unlocked(gimbals: Sequence[ThreeAxisGimbal], q: Array, where: str) -> None:
    """Raise `SingularInertia` with advice when a gimbal is locked at q (n_q,)."""
    for gimbal in gimbals:
        if gimbal.openness(q) < LOCKED:
            raise SingularInertia(f"the inertia matrix is singular {where}: {gimbal.advice(q)}")


def gimbal_of_rate(gimbals: Sequence[ThreeAxisGimbal], rate: int) -> ThreeAxisGimbal | None:
    """Return the gimbal that entry `rate` of qdot belongs to, if any."""
    return next((gimbal for gimbal in gimbals if rate in gimbal.rates), None)
