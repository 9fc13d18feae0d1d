"""What goes through a cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Coefficient, Name
from ..dynamics import Model
from ..errors import checked
from ..spatial import Array, dcm_from_quaternion
from ..system import System
from ._instant import Instant
from ._quantities import Rate, SeriesName
from ._sensor import Labels, Sensor

GROUND = "ground"


@checked
@dataclass(frozen=True, eq=False)
class ForceTorque(Sensor):
    """The wrench [f; n] through a joint on what it carries, about the origin of the frame that it moves, in axes of the body
    there; or of a constraint between frames, on the body of its frame, about the origin and in axes of that frame.

    It is what the whole of that body feels: what it takes to accelerate all that is beyond the cut, and what acts there from
    outside, with the accelerations of the command that is held when it looks, by Newton's
    and Euler's equations. Its noise is a model of our own.

    name : unique among the sensors
    at : name of a joint, a welded one too, or of a constraint between frames
    noise_N, noise_Nm : standard deviations of each component
    rate_Hz : how often it looks; as often as the law does if not said

    >>> ForceTorque("wrist", at="joint4", noise_N=0.1).labels(system)
    (('f_x', 'N'), ('f_y', 'N'), ('f_z', 'N'), ('n_x', 'N m'), ('n_y', 'N m'), ('n_z', 'N m'))
    """

    kind: ClassVar[str] = "force_torque"

    name: SeriesName
    at: Name
    noise_N: Coefficient = 0.0
    noise_Nm: Coefficient = 0.0
    rate_Hz: Rate = None

    def check(self, model: Model) -> None:
        model.system.interface(self.at)

    def labels(self, system: System) -> Labels:
        return ("f_x", "N"), ("f_y", "N"), ("f_z", "N"), ("n_x", "N m"), ("n_y", "N m"), ("n_z", "N m")

    def draws(self, system: System) -> int:
        return 6

    def read(self, instant: Instant, period_s: float, noise: Array, memory: Any) -> tuple[Array, Any]:
        del period_s
        number = instant.system.interface(self.at)
        R, load = self._axes(instant, number), instant.interface_loads[number]
        deviations = np.repeat([self.noise_N, self.noise_Nm], 3)
        return np.concatenate([R.T @ load[:3], R.T @ load[3:]]) + deviations * noise, memory

    def _axes(self, instant: Instant, number: int) -> Array:
        each = instant.system.interfaces[number]
        frame = each.on if each.body is None else instant.system.bodies[each.body].name
        return np.eye(3) if frame == GROUND else dcm_from_quaternion(instant.model.attitude(instant.state, frame))
