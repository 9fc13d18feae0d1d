"""A thing in a picture."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...spatial import FloatArray, frozen
from ._solid import Solid

GROUPS = (
    "bodies",
    "joint axes",
    "frames",
    "body frames",
    "wheels",
    "thrusters",
    "mass",
    "inertia",
    "contact shapes",
    "environment",
)
COLOURS: dict[str, tuple[int, int, int]] = {
    "base": (196, 202, 212),
    "link": (236, 148, 60),
    "tip": (176, 96, 32),
    "joint": (72, 78, 90),
    "target": (120, 168, 132),
    "wheel": (96, 116, 176),
    "thruster": (130, 130, 138),
    "plume": (255, 176, 64),
    "frame": (90, 90, 96),
    "x": (192, 48, 48),
    "y": (47, 143, 58),
    "z": (47, 85, 192),
    "mass": (228, 190, 66),
    "inertia": (140, 120, 190),
    "contact": (204, 88, 110),
    "ground": (206, 212, 204),
    "force": (208, 54, 54),
    "torque": (142, 68, 173),
    "linear momentum": (30, 120, 200),
    "angular momentum": (22, 150, 136),
    "sun": (244, 190, 40),
    "orbit": (110, 140, 190),
    "trail": (224, 122, 40),
    "base trail": (120, 128, 142),
    "centre of mass": (40, 40, 46),
}


@dataclass(frozen=True, eq=False)
class Item:
    """A solid on a body, or standing in N.

    name : unique in a scene
    solid : what is drawn, in its own axes
    colour : what it is, a word of `COLOURS`, which has red, green and blue of it, 0 to 255
    group : of `GROUPS`; what is shown and hidden together
    body : number of the body that carries it; None where it stands in N
    r, R : (3,) its origin [m] and (3, 3) its axes, columns, in axes of the body from its frame's origin, or in N
    shown : whether it is to be seen before anybody asks for its group
    opacity : a share, 1 of what hides what is behind it
    paint : red, green and blue from 0 to 255 where somebody said so; () where its colour has them

    >>> item = scene_of(system).items[0]
    >>> item.name, type(item.solid).__name__, item.body
    ('base', 'DrawnBox', 0)
    """

    name: str
    solid: Solid
    colour: str
    group: str
    body: int | None = None
    r: FloatArray = field(default_factory=lambda: np.zeros(3))
    R: FloatArray = field(default_factory=lambda: np.eye(3))
    shown: bool = True
    opacity: float = 1.0
    paint: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name in ("r", "R"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @property
    def rgb(self) -> tuple[int, int, int]:
        """Red, green and blue, 0 to 255."""
        red, green, blue = self.paint or COLOURS[self.colour]
        return red, green, blue
