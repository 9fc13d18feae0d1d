"""Where joints of three turns lock: the three axes lie in one plane, and det Gamma = 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ...errors import SingularInertia
from ...spatial import Array
from ...system import Joint, System

LOCKED = 1e-6  # |det Gamma| below which M, whose pivot goes with its square, is lost in rounding
BLAMED = 1e-3  # |det Gamma| below which a pivot that is rounding is the lock's, not that of a body without inertia
CLEAR = 0.1  # [rad] between the middle angle and a lock, beyond which nothing of a lock is felt
NEAR = 0.1  # |det Gamma| below which a large rate of the gimbal is that of a gimbal about to lock


@dataclass(frozen=True)
class ThreeAxisGimbal:
    """A joint of three turns, one after the other, which can lock; Gamma is that of [Stoneking2008].

    joint : the joint, of whatever kind
    angle : place of its middle angle in q
    rates : its entries of qdot
    cosine, sine : bare numbers, det Gamma is this much of the cosine and of the sine of its middle angle

    >>> wrist = scmanip.Joint("wrist", "gimbal", sequence="zxz")
    >>> gimbal = ThreeAxisGimbal.of(wrist, 0, 0)
    >>> gimbal.lock, round(gimbal.openness(np.array([0.2, 0.5, 0.1])), 4)
    (0.0, 0.4794)
    """

    joint: Joint
    angle: int
    rates: range
    cosine: float
    sine: float

    @classmethod
    def of(cls, joint: Joint, n_q: int, N: int) -> Self:
        """Return that of a joint of three turns before which there are `n_q` coordinates and `N` freedoms."""
        first, middle, last = (motion.angular[0] for motion in joint.motions)
        across = np.cross(middle, last)
        return cls(joint, n_q + 1, range(N, N + 3), float(first @ across), float(np.cross(first, middle) @ across))

    @property
    def lock(self) -> float:
        """The middle angle [rad] at which it locks, from 0 to below pi; the others are pi apart."""
        return math.atan2(-self.cosine, self.sine) % math.pi

    def openness(self, q: Array) -> float:
        """|det Gamma|, a bare number: 1 where the axes are orthogonal, 0 where the gimbal locks; q (n_q,) [rad or m]."""
        middle = float(q[self.angle])
        return abs(self.cosine * math.cos(middle) + self.sine * math.sin(middle)) if math.isfinite(middle) else math.nan

    def near(self, q: Array) -> bool:
        """Whether q (n_q,) is so close to lock that the gimbal's own rates are many times those of the body it carries."""
        return self.openness(q) < NEAR

    def all_but_locked(self, q: Array) -> bool:
        """Whether q (n_q,) is so close to lock that nothing but the lock needs to be blamed."""
        return self.openness(q) < BLAMED

    def passed(self, q: Array) -> int:
        """Return how many times the middle angle of q (n_q,) [rad or m], counted from 0, has gone through lock."""
        return math.floor((float(q[self.angle]) - self.lock) / math.pi)

    def centre(self, q: Array) -> float:
        """Return the middle angle [rad] that is farthest from lock between the two locks around q (n_q,)."""
        return math.pi * (self.passed(q) + 0.5) + self.lock

    def beyond(self, q: Array, centre: Any) -> Any:
        """Return how far [rad] the middle angle of q (n_q,) is nearer to a lock than `CLEAR`, or past it, > 0 if so."""
        return abs(q[self.angle] - centre) - (math.pi / 2 - CLEAR)

    def advice(self, q: Array) -> str:
        """Return what is wrong at q (n_q,) [rad or m] and how to mend it."""
        found = "is in gimbal lock" if self.openness(q) < LOCKED else "is close to gimbal lock"
        own = " ".join(f"{key} {value!r}" for key, value in self.joint.own.items()) or "it"
        lock, middle = math.degrees(self.lock), math.degrees(q[self.angle])
        return (
            f"{self.joint.kind.name} '{self.joint.name}' {found}: its angle '{self.joint.coordinates[1].name}' is "
            f"{middle:.9g} deg and {own} locks at {lock:.9g} deg and every 180 deg from there, where its axes lie in one plane "
            "and the body cannot turn about the direction across them; keep away from it, take "
            f"{self.joint.kind.instead(self.joint)}, or a spherical joint"
        )


def three_axis_gimbals(system: System) -> tuple[ThreeAxisGimbal, ...]:
    """Return the joints of a system that can lock: those that are three turns and nothing else, whatever their kind.

    >>> three_axis_gimbals(system)
    ()
    >>> wrist = scmanip.Joint("wrist", "gimbal", sequence="xyz")
    >>> hand = scmanip.Body("hand", 2.0, [0.1, 0.1, 0.1], parent="base", joint=wrist)
    >>> (gimbal,) = three_axis_gimbals(scmanip.System("servicer", scmanip.Body("base", 100.0, [20, 20, 20]), [hand]))
    >>> gimbal.joint.name, float(np.degrees(gimbal.lock).round(6))
    ('wrist', 90.0)
    """
    found, n_q, N = [], 0, 0
    for joint in system.joints:
        if len(joint.motions) == 3 and all(each.n_q == each.dof == 1 and not each.linear.any() for each in joint.motions):
            found.append(ThreeAxisGimbal.of(joint, n_q, N))
        n_q, N = n_q + joint.n_q, N + joint.dof
    return tuple(found)


def check_unlocked(gimbals: Sequence[ThreeAxisGimbal], q: Array, where: str) -> None:
    """Raise `SingularInertia` with advice when a gimbal is locked at q (n_q,)."""
    for gimbal in gimbals:
        if gimbal.openness(q) < LOCKED:
            raise SingularInertia(f"the inertia matrix is singular {where}: {gimbal.advice(q)}")


def gimbal_of_rate(gimbals: Sequence[ThreeAxisGimbal], rate: int) -> ThreeAxisGimbal | None:
    """Return the gimbal that entry `rate` of qdot belongs to, if any.

    >>> gimbal = ThreeAxisGimbal.of(scmanip.Joint("wrist", "gimbal", sequence="xyz"), 2, 2)
    >>> gimbal_of_rate([gimbal], 3).joint.name, gimbal_of_rate([gimbal], 0)
    ('wrist', None)
    """
    return next((gimbal for gimbal in gimbals if rate in gimbal.rates), None)
