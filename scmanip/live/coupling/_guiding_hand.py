"""A hand that leads a frame: the motion that is sensed is embedded, and its force follows [Gillespie2003]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...constraints import Constraint, Guided
from ...dynamics import Model
from ...errors import InvalidInput, Problem, expect, name_problems, refuse
from ...loads import Bodies, BodyWrenches
from ...spatial import Array, quaternion_rate
from ...system import GROUND
from ._hand_load import HAND_UNITS, IMPULSE_UNITS, HandLoad

_UNITS = {
    **HAND_UNITS,
    **{f"hand_a{axis}": "m/s^2" for axis in "xyz"},
    **{f"hand_wdot{axis}": "rad/s^2" for axis in "xyz"},
    **{f"hand_adot{axis}": "m/s^3" for axis in "xyz"},
    **{f"hand_wddot{axis}": "rad/s^3" for axis in "xyz"},
    "given": "J",
    **IMPULSE_UNITS,
}


@dataclass(frozen=True)
class GuidingHand(HandLoad):
    """A hand with which a frame moves while it acts: its force is what that needs, found by auxiliary generalized speeds.

    The motion of the hand is states, so that it is E(q, t) of the embedded equations: between two steps its acceleration and
    angular acceleration change at constant rates. The energy that the hand has `given` and the impulses of its force, and of
    its moment about the frame's origin, are integrated with the motion. It does not act from the start.

    frame : what the hand holds, a frame or a body of the system
    turns : whether the frame turns as the hand does
    name : by which its states are called, and its constraint

    Raises `InvalidInput` for what are no names, and a `turns` that is neither true nor false; `check` for a name that one of
    the constraints of the system has, and `UnknownName` for a frame that is not there.

    >>> hand = GuidingHand("tip")
    >>> led = scmanip.Plant(model, scmanip.Floating(), [hand])
    >>> led.inhibited, led.layout.n_x - plant.layout.n_x, hand.leads.labels(None)[:3]
    (('hand',), 32, ('x', 'y', 'z'))
    """

    CHANGES: ClassVar[slice] = slice(13, 25)  # accelerations and their rates
    BOOKS: ClassVar[slice] = slice(25, 32)

    frame: str
    turns: bool = True
    name: str = "hand"

    def __post_init__(self) -> None:
        expect("frame", self.frame, str, "the name of a frame or body")
        expect("turns", self.turns, bool, "True or False")
        refuse(name_problems("hand", self.name))

    @property
    def acts(self) -> bool:
        """Not from the start."""
        return False

    @property
    def states(self) -> Mapping[str, str]:
        """Place, velocity, attitude, turning and accelerations of the hand, their rates, and energy and impulses."""
        return _UNITS

    @property
    def leads(self) -> Constraint:
        """That the frame moves as the hand does."""
        return Guided(self.name, self.frame, self.turns)

    def check(self, model: Model) -> None:
        """Raise `UnknownName` for a frame that is none, `InvalidInput` where a constraint of the system has its name."""
        super().check(model)
        if any(one.name == self.name for one in model.system.constraints):
            raise InvalidInput(Problem("name of the hand", "one that no constraint has", repr(self.name)))

    def wrenches(self, bodies: Bodies, t: Any) -> BodyWrenches:
        """Return none: what it gives is that of its constraint."""
        del t
        return bodies.on(GROUND, np.zeros(3))

    def rates(self, bodies: Bodies, t: Any) -> Array:
        """Return how the hand moves."""
        del t
        own = bodies.own
        turning = quaternion_rate(own[6:10], own[10:13])
        return np.concatenate([own[3:6], own[13:16], turning, own[16:19], own[19:25], np.zeros(13)])

    def felt(self, own: Array, given: Array) -> Array:
        """Return power, force and moment of the hand as rates of its energy and impulses."""
        wrench = np.concatenate([given, np.zeros(6 - len(given), dtype=int)])
        power = wrench[:3] @ own[3:6] + wrench[3:] @ own[10:13]
        return np.concatenate([np.zeros(25, dtype=int), [power], wrench])
