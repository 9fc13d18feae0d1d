"""Admittance display: the hand's force is sensed, and the motion that comes of it is shown [Gillespie2003]."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import ModeMismatch
from ...plant import Plant
from ...simulation import Stepping
from ..coupling._coupler import Coupler
from ..coupling._delay import Delay
from ..coupling._gains import Firmness, effective_inertia
from ..coupling._passivity import Observer
from ..devices._device import STILL, Device, Pose
from ..devices._turning import Numbers, inverse, product, turn_in_N
from ._display import Display, Link, coupled

SLOWED_S = 0.01  # in which the damping that takes energy away may stop the frame


@dataclass(frozen=True)
class Admittance(Display):
    """What the hand gives is sensed at the device and acts on the frame; a loop at the device leads it as the frame moves.

    Where more comes out than the hand gave, the frame is damped until that is taken back.
    """

    def plant(self, plant: Plant, frame: str) -> Plant:
        """Return the plant with a `Coupler` whose springs stay slack."""
        return coupled(plant, frame)

    def link(self, loop: Stepping, frame: str, device: Device, firmness: Firmness) -> Link:
        """Return it at work; raises `ModeMismatch` for a device that cannot be led."""
        if device.servo.K == 0:
            raise ModeMismatch(f"{type(device).__name__} is not led, and shows no motion; give Impedance()")
        return Led(loop, frame, device, firmness)


class Led(Link):
    """A device that is led."""

    def __init__(self, loop: Stepping, frame: str, device: Device, firmness: Firmness) -> None:
        super().__init__(loop, frame, device, firmness)
        mass, inertia = effective_inertia(loop.plant.model, loop.hardware, frame)
        self.observer = Observer((mass / SLOWED_S, inertia / SLOWED_S))
        self._place, self._servo = loop.places(Coupler.name), device.servo
        self._there: Delay[Numbers] = Delay(self.delay_steps, STILL)
        self._latest = self._begun = self._now()
        self._back: Delay[Pose] = Delay(self.delay_steps, self._latest)
        self._sensed: Numbers = STILL
        self._first, self._books = device.at(loop.t), self._read()

    def _now(self, before: Pose | None = None) -> Pose:
        """Return where the frame is, with its velocity since before."""
        place, attitude = (part.tolist() for part in self.pose())
        if before is None:
            return Pose(place, attitude)
        T = self.loop.step_s
        way = [a - b for a, b in zip(place, before.position_m, strict=True)]
        return Pose(place, attitude, [each / T for each in (*way, *turn_in_N(before.attitude_xyzw, attitude))])

    def before(self, t: float) -> None:
        """Let the sensed wrench act, less what damps the frame."""
        self.holds = self.device.at(t) is not None
        nothing: Numbers = STILL
        sensed, v = self._there(self._sensed if self.holds else nothing), self._latest.velocity if self.holds else nothing
        linear, turning = self.observer.damping(v, self.loop.step_s)
        self._act([f - b * each for f, b, each in zip(sensed, [linear] * 3 + [turning] * 3, v, strict=True)])

    def _act(self, wrench: Numbers) -> None:
        first = self._place.start
        self.loop.give(slice(first + Coupler.SENSED.start, first + Coupler.SENSED.stop), wrench)

    def after(self, t: float) -> None:
        """Lead the device to where the frame is, as soon as that is known."""
        T, passed = self.loop.step_s, self._passed()
        self.wrench = [each / T for each in passed[3:]]
        self._latest = self._now(self._latest)
        moved = self.device.moved(t, T, self._drawn(t, self._back(self._latest)), (0.0, 0.0))
        self._sensed = moved.sensed
        self.observer.note(sum(a * b for a, b in zip(moved.sensed, moved.way, strict=True)), passed[0])

    def _drawn(self, t: float, seen: Pose) -> list[float]:
        """Return the wrench (6,) of the device's loop."""
        pose, first, begun, gains = self.device.at(t), self._first, self._begun, self._servo
        if pose is None or first is None:
            return [0.0] * 6
        turn = product(seen.attitude_xyzw, inverse(begun.attitude_xyzw))
        places = zip(first.position_m, seen.position_m, begun.position_m, pose.position_m, strict=True)
        off = [a + b - c - d for a, b, c, d in places]
        off += turn_in_N(pose.attitude_xyzw, product(turn, first.attitude_xyzw))
        rates = [a - b for a, b in zip(seen.velocity, pose.velocity, strict=True)]
        K, B = [gains.K] * 3 + [gains.K_turn] * 3, [gains.B] * 3 + [gains.B_turn] * 3
        return [k * d + b * v for k, d, b, v in zip(K, off, B, rates, strict=True)]

    def let_go(self) -> None:
        """Let nothing act."""
        self._sensed = STILL
        self._act(STILL)

    def on(self, loop: Stepping) -> Led:
        """Go on at another loop."""
        self.loop, self._place = loop, loop.places(Coupler.name)
        self._books = self._read()
        return self
