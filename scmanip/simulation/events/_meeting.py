"""Two shapes that meet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...dynamics import Model
from ...errors import checked
from ...shapes import Placed, Shape, pair_of, place_names
from ...spatial import Array, dcm_from_quaternion
from ...system import GROUND, State
from ._event import Event, Force

NEAR = 1e-9  # [m]: nearer than that it is looked at whether shapes approach
RESTS = 1e-9  # [m/s]: what approaches no faster rests, and does not meet


@checked
@dataclass(frozen=True)
class Meeting(Event):
    """A place of one shape of the system comes to the surface of another.

    >>> Meeting("finger", "wall", ends=False).called
    'meeting'
    """

    one: str
    other: str
    ends: bool = True
    name: str = ""

    def names(self, model: Model) -> tuple[str, ...]:
        """Return the phrases, one for each place."""
        pair = pair_of(model.system.shape(self.one), model.system.shape(self.other))
        return tuple(" ".join([f"'{self.one}' and '{self.other}' met", *filter(None, [label])]) for label in pair.points)

    def values(self, model: Model, t: float, state: State, tau: Force) -> Array:
        """Return how deep they are in each other at each place [m]."""
        shapes = model.system.shape(self.one), model.system.shape(self.other)
        pair = pair_of(*shapes)
        depth = -np.asarray(pair.proximity(*(_placed(model, state, shape) for shape in shapes)).gap)
        if not pair.is_formula or not (abs(depth) < NEAR).any():
            return depth
        constrained = model.constrained()
        touches = constrained.touches(state, [(self.one, self.other)], within_m=NEAR)
        nears = constrained.contacts(state, touches).N @ state.u < -RESTS
        resting = [touch.name for touch, near in zip(touches, nears, strict=True) if not near]
        return np.where(np.isin(place_names(*shapes), resting), np.minimum(depth, -RESTS), depth)


def _placed(model: Model, state: State, shape: Shape) -> Placed[Shape]:
    if shape.frame == GROUND:
        return Placed(shape, shape.origin_m, shape.dcm)
    R = dcm_from_quaternion(model.attitude(state, body=shape.frame, point_m=np.zeros(3)))
    return Placed(shape, model.position(state, body=shape.frame, point_m=np.zeros(3)) + R @ shape.origin_m, R @ shape.dcm)
