"""Ways, vectors and instants of a picture."""

from __future__ import annotations

from dataclasses import dataclass

from ...spatial import FloatArray


@dataclass(frozen=True, eq=False)
class Trail:
    """The way of a point; points : (K, 3) in N [m]; colour : a word of `COLOURS`.

    >>> film = scene_of_history(history)
    >>> [(trail.name, trail.points.shape) for trail in film.trails][:2]
    [('tip', (5, 3)), ('centre of mass', (5, 3))]
    """

    name: str
    points: FloatArray
    colour: str = "trail"


@dataclass(frozen=True, eq=False)
class Arrow:
    """A vector that changes with time, from a place that moves.

    group : what is shown and hidden together, such as "momenta"; colour : a word of `COLOURS`
    unit : as in "N m"; `Scene.metres_per(unit)` is how long one of it is drawn
    vector : (K, 3) in N, in that unit
    origin : (K, 3) in N [m]
    is_plume : whether it is to be drawn as a cone that opens along it, instead of as an arrow

    >>> arrow = Arrow("pull", "forces", "N", np.zeros((2, 3)), np.ones((2, 3)))
    >>> arrow.colour, arrow.shown
    ('force', True)
    """

    name: str
    group: str
    unit: str
    origin: FloatArray
    vector: FloatArray
    colour: str = "force"
    shown: bool = True
    is_plume: bool = False

    @property
    def legend(self) -> str:
        """What it and others of its colour stand for, in words."""
        return self.group if self.is_plume else f"{self.colour} [{self.unit or '1'}]"


@dataclass(frozen=True)
class Mark:
    """Something at a time [s]: kind "phase" where one begins, "event" for what happened.

    >>> Mark(2.0, "grasp").kind
    'event'
    """

    t_s: float
    text: str
    kind: str = "event"
