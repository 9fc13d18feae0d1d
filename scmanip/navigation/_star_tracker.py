"""How the base lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..dynamics import Model
from ..errors import checked
from ..spatial import Array, quaternion_from_turn, quaternion_product
from ..system import State, System
from ._instant import Instant
from ._on_base import check_base, with_base
from ._quantities import Deviations, FrameName, Rate, SeriesName
from ._sensor import Labels, Sensor


@checked
@dataclass(frozen=True, eq=False)
class StarTracker(Sensor):
    """The attitude of the base in N, a unit quaternion, turned by a small noise about the axes of the tracker.

    The noise is a model of our own.

    name : unique among the sensors
    noise_rad : (3,) standard deviations about these axes; that about the line of sight, z, is usually the largest
    frame : name of the frame of the tracker, on the base; the base itself if not said
    rate_Hz : how often it looks; as often as the law does if not said

    >>> tracker = StarTracker("tracker", noise_rad=[1e-5, 1e-5, 1e-4])
    >>> said, _ = tracker.read(Instant(plant, 0.0, state, np.zeros(4)), 0.1, np.zeros(3), None)
    >>> said.tolist(), tracker.draws(system)
    ([0.0, 0.0, 0.0, 1.0], 3)
    """

    kind: ClassVar[str] = "star_tracker"

    name: SeriesName
    noise_rad: Deviations
    frame: FrameName = None
    rate_Hz: Rate = None

    def check(self, model: Model) -> None:
        check_base(model, self.label, self.frame)

    def labels(self, system: System) -> Labels:
        return ("qx", "1"), ("qy", "1"), ("qz", "1"), ("qw", "1")

    def draws(self, system: System) -> int:
        return 3

    def read(self, instant: Instant, period_s: float, noise: Array, memory: Any) -> tuple[Array, Any]:
        del period_s
        turn = self.axes(instant.system) @ (self.noise_rad * noise)
        return quaternion_product(instant.state.attitude_xyzw, quaternion_from_turn(turn)), memory

    def axes(self, system: System) -> Array:
        """Return the axes (3, 3) of the tracker in those of the base, unit vectors as columns."""
        return np.eye(3) if self.frame is None else system.frame(self.frame).dcm

    def told(self, state: State, system: System, values: Array) -> State:
        return with_base(state, system, attitude_xyzw=values)
