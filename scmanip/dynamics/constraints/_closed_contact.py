"""A place at which two shapes touch and stay together."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...constraints import GROUND, Constraint, Rows, SeenSystem, Structure
from ...shapes import Placed, Shape, pair_of
from ...spatial import Array, cross, skew, sqrt
from ...symbolic import Program, record

NO_FEATURES = np.zeros(0)
SLOW = 1e-7  # [m/s]: slip up to this is none, and the direction of friction that of slip above it


class ContactSlide(NamedTuple):
    """How fast a place slides along its direction and across it [m/s], and the cosine of that direction with the normal."""

    along: Any
    across: Any
    lean: Any


@dataclass(frozen=True, eq=False, repr=False)
class ClosedContact(Constraint):
    """A place of two shapes that stays as near as it is found; it sticks, or slides with the friction of its own normal force.

    Its row is the speed at which the shapes part there; where it sticks two more are that of the second on the first along
    `direction` and across it. Multipliers are forces on the second shape. Where it slides friction is mu times the normal
    force against the slip; near no slip, below `SLOW`, against `direction` [Pfeiffer1996].

    one, other : the shapes, as parts of bodies; place : the number of the place in their pair
    sticks : whether friction holds it; rough : whether there is friction where it slides
    gap_m : their distance when they closed [m]; friction : mu, a bare number
    direction : (3,) in the axes of the body of the first
    inner : (3,) forces [N] along the axes of its rows that several contacts give against each other, beside the smallest that
        do what is needed
    features : bare numbers of the features of the shapes between which it is, where places are not of the same ones for ever

    >>> from scmanip.shapes import Plane, Sphere
    >>> shapes, along = (Sphere("ball", "link4", 0.1), Plane("floor", "ground")), np.array([1.0, 0, 0])
    >>> held = ClosedContact("foot", *shapes, 0, sticks=False, rough=True, gap_m=0.0, friction=0.3, direction=along)
    >>> held.rubs, held.labels(None)
    (True, ('normal',))
    """

    kind: ClassVar[str] = "closed contact"

    name: str
    one: Shape
    other: Shape
    place: int
    sticks: bool
    rough: bool
    gap_m: float = field(metadata={"input": "kept"})
    friction: float = field(metadata={"input": "kept"})
    direction: Array = field(metadata={"input": "kept"})
    inner: Array = field(default_factory=lambda: np.zeros(3), metadata={"input": "kept"})
    features: Array = field(default_factory=lambda: NO_FEATURES, metadata={"input": "kept"})
    active: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        """It is made of what was checked."""

    @property
    def rubs(self) -> bool:
        """Whether its normal force brings friction with it that slip opposes."""
        return self.rough and not self.sticks

    def differs(self, other: ClosedContact) -> bool:
        """Whether it does otherwise than it did: sticks or not, slides in another direction."""
        return self.sticks is not other.sticks or bool(self.direction @ other.direction < 0 and not self.sticks)

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return ("normal", "first", "second") if self.sticks else ("normal",)

    def kept(self, structure: Structure) -> int:
        return 8 + len(self.features)

    def found(self, seen: SeenSystem, t: float) -> Array:
        return np.array([self.gap_m, self.friction, *self.direction, *self.inner, *self.features])

    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        meeting = _Meeting.of(self, seen, kept[2:5], kept[8:])
        gap = meeting.gap - kept[0]
        if self.sticks:
            axes, rates = meeting.axes, meeting.axis_rates
            return Rows(axes @ meeting.J, np.zeros(3), axes @ meeting.bias + rates @ meeting.v, np.array([gap, 0.0, 0.0]))
        normal, row = meeting.axes[0], meeting.axes[:1] @ meeting.J
        drift = np.array([normal @ meeting.bias + meeting.axis_rates[0] @ meeting.v])
        rub = row - kept[1] * (meeting.way @ meeting.J)[np.newaxis] if self.rubs else None
        return Rows(row, np.zeros(1), drift, np.array([gap]), rub)

    def given_along(self, kept: Array, multipliers: Array) -> Array:
        return multipliers + kept[5 : 5 + len(multipliers)]

    def slide(self, seen: SeenSystem, kept: Array) -> ContactSlide:
        """Return how it slides; kept : (kept,) as `found` gives them."""
        meeting = _Meeting.of(self, seen, kept[2:5], kept[8:])
        return ContactSlide(meeting.axes[1] @ meeting.v, meeting.axes[2] @ meeting.v, meeting.lean)

    def force(self, seen: SeenSystem, kept: Array, multipliers: Array) -> Array:
        """Return what it gives the second shape (3,) in N [N], friction included."""
        meeting = _Meeting.of(self, seen, kept[2:5], kept[8:])
        if self.sticks:
            return (multipliers + kept[5:8]) @ meeting.axes
        return (multipliers[0] + kept[5]) * (meeting.axes[0] - kept[1] * meeting.way)


@dataclass(frozen=True, eq=False)
class _Meeting:
    """A closed contact at a state, in N.

    gap : [m]; J : (3, n_u), v, bias : (3,) velocity of the second shape on the first at the place, and its rate where udot = 0
    axes, axis_rates : (3, 3) rows: the normal, the direction and what is at right angles to both; and their rates
    lean : the normal's part of the direction
    """

    gap: Any
    J: Array
    v: Array
    bias: Array
    axes: Array
    axis_rates: Array
    lean: Any

    @classmethod
    def of(cls, contact: ClosedContact, seen: SeenSystem, direction: Array, features: Array) -> _Meeting:
        """Look at it; direction : (3,) in axes of the first shape's body; features : of the place."""
        one, other = (seen.relative(GROUND, shape.frame) for shape in (contact.one, contact.other))
        poses = [part for motion in (one, other) for part in (motion.d, motion.C)]
        turns = [skew(motion.twist[3:]) @ motion.C for motion in (one, other)]
        rates = [part for motion, turn in zip((one, other), turns, strict=True) for part in (motion.twist[:3], turn)]
        still = [features] if len(features) else []
        place = _nearest(contact.one, contact.other, contact.place)
        moved = place.moved([*poses, *still], [*rates, *(np.zeros(len(numbers)) for numbers in still)])
        (gap, _), (normal, normal_dot), (at, at_dot) = moved
        J: Any = 0.0
        v, bias = np.zeros(3), np.zeros(3)
        for sign, motion in ((1, other), (-1, one)):
            arm, omega = at - motion.d, motion.twist[3:]
            J = J + sign * (motion.J_N[:3] - skew(arm) @ motion.J_N[3:])
            v = v + sign * (motion.twist[:3] + cross(omega, arm))
            way = cross(motion.bias[3:], arm) + cross(omega, at_dot - motion.twist[:3])
            bias = bias + sign * (motion.bias[:3] + way)
        given, given_dot = one.C @ direction, turns[0] @ direction
        lean = normal @ given
        flat = given - lean * normal
        lean_dot = normal_dot @ given + normal @ given_dot
        flat_dot = given_dot - lean_dot * normal - lean * normal_dot
        size = sqrt(flat @ flat)
        first = flat / size
        first_dot = (flat_dot - (first @ flat_dot) * first) / size
        second, second_dot = cross(normal, first), cross(normal_dot, first) + cross(normal, first_dot)
        axes, axis_rates = np.array([normal, first, second]), np.array([normal_dot, first_dot, second_dot])
        return cls(gap, J, v, bias, axes, axis_rates, lean)

    @property
    def way(self) -> Array:
        """(3,) unit vector in which it slides; where it goes back along its direction the direction still."""
        along, across = self.axes[1] @ self.v, self.axes[2] @ self.v
        share = along * across / (along * along + SLOW**2)
        return np.asarray((self.axes[1] + share * self.axes[2]) / sqrt(1 + share * share))


@lru_cache(maxsize=256)
def _nearest(one: Shape, other: Shape, place: int) -> Program:
    """Return gap, normal (3,) and the place between the two surfaces (3,), from origin and axes of both bodies."""

    pair = pair_of(one, other)

    def nearest(p: Array, R: Array, p_other: Array, R_other: Array, features: Array = NO_FEATURES) -> dict[str, Any]:
        here, there = (Placed(s, d + C @ s.origin_m, C @ s.dcm) for s, d, C in ((one, p, R), (other, p_other, R_other)))
        near = pair.place(here, there, place, features)
        return {"gap": near.gap[0], "normal": near.normal[0], "at": (near.on_one[0] + near.on_other[0]) / 2}

    poses = {"p": (3,), "R": (3, 3), "p_other": (3,), "R_other": (3, 3)}
    return record(poses | ({"features": (pair.n_features,)} if pair.n_features else {}), nearest)
