"""Where a target is, and how it lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Coefficient, Name
from ..dynamics import Model
from ..errors import ModeMismatch, UnknownName, checked
from ..spatial import (
    Array,
    dcm_from_quaternion,
    quaternion_conjugate,
    quaternion_from_turn,
    quaternion_product,
)
from ..system import System
from ._instant import Instant
from ._quantities import HalfAngle, Part, Rate, SeriesName
from ._sensor import Labels, Sensor


@checked
@dataclass(frozen=True, eq=False)
class Camera(Sensor):
    """The pose of a frame of a free body in the frame of a camera, whose line of sight is z, with noise that grows with range.

    It sees nothing, NaN, of what is outside its field of view, or where it drops out. What laws see is the truth of the target
    unless an estimator says something else. Its noise is a model of our own.

    name : unique among the sensors
    frame, target : names of the camera's frame and of that of the target
    noise_m, noise_m_per_m : standard deviation of each coordinate of the place, and what each metre of range adds
    noise_rad, noise_rad_per_m : of the turn about each axis of the target, likewise
    half_angle_rad : of the cone about z in which it sees; it sees everything if not said
    dropout : part of the looks that give nothing
    latency_s : how much later what it saw is known, at the next look of the law [s]
    rate_Hz : how often it looks; as often as the law does if not said

    >>> camera = Camera("wrist", frame="eye", target="grapple", noise_m=0.002, noise_m_per_m=0.001, half_angle_rad=0.5)
    >>> camera.deviations(2.0)
    (0.004, 0.0)
    """

    kind: ClassVar[str] = "camera"

    name: SeriesName
    frame: Name
    target: Name
    noise_m: Coefficient = 0.0
    noise_m_per_m: Coefficient = 0.0
    noise_rad: Coefficient = 0.0
    noise_rad_per_m: Coefficient = 0.0
    half_angle_rad: HalfAngle = np.pi
    dropout: Part = 0.0
    latency_s: Coefficient = 0.0
    rate_Hz: Rate = None

    def check(self, model: Model) -> None:
        system = model.system
        own = system.frame(self.frame).body
        if self.target not in system.frame_names:
            raise UnknownName("target", self.target, f"system {system.name!r}", system.frame_names)
        body = system.frame(self.target).body
        for tree in system.trees:
            bodies = [each.name for each in system.bodies[tree.bodies]]
            if own in bodies and body in bodies:
                raise ModeMismatch(f"{self.label} looks at a frame of a free body, and {self.target!r} is on what carries it")

    def labels(self, system: System) -> Labels:
        return ("x", "m"), ("y", "m"), ("z", "m"), ("qx", "1"), ("qy", "1"), ("qz", "1"), ("qw", "1")

    def draws(self, system: System) -> int:
        return 7

    def deviations(self, range_m: float) -> tuple[float, float]:
        """Return the standard deviations of coordinates [m] and turns [rad] at a range [m]."""
        return self.noise_m + self.noise_m_per_m * range_m, self.noise_rad + self.noise_rad_per_m * range_m

    def read(self, instant: Instant, period_s: float, noise: Array, memory: Any) -> tuple[Array, Any]:
        del period_s
        model, state = instant.model, instant.state
        own, its = model.attitude(state, self.frame), model.attitude(state, self.target)
        way = model.position(state, self.target) - model.position(state, self.frame)
        place = dcm_from_quaternion(own).T @ way
        range_m = float(np.linalg.norm(place))
        if place[2] < range_m * np.cos(self.half_angle_rad) or _drops(noise[6], self.dropout):
            return np.full(7, np.nan), memory
        place_error, turn_error = self.deviations(range_m)
        turned = quaternion_product(quaternion_conjugate(own), its)
        attitude = quaternion_product(turned, quaternion_from_turn(turn_error * noise[3:6]))
        return np.concatenate([place + place_error * noise[:3], attitude]), memory


def _drops(noise: float, part: float) -> bool:
    """Whether a standard normal number is below the quantile of a part."""
    from scipy.special import ndtri

    return bool(noise < ndtri(part))
