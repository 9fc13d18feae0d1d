"""Admittance display: the hand's force is sensed, and the motion that comes of it is shown [Gillespie2003]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...errors import ModeMismatch, refuse
from ...plant import Plant
from ...simulation import Stepping
from ...spatial import positive_problems
from ..coupling._coupler import Coupler
from ..coupling._delay import Delay
from ..coupling._gains import Firmness, effective_inertia
from ..coupling._passivity import Tank
from ..devices._device import STILL, Device, Pose
from ..devices._turning import Numbers, inverse, product, turn_in_N
from ._display import Display, Link, coupled, refuse_firmness

CAUTION = 2.0  # by which a frame may be lighter than where its link began


@dataclass(frozen=True)
class Admittance(Display):
    """What the hand gives is sensed at the device and acts on the frame; a loop at the device leads it as the frame moves.

    Each end has a tank of the energy that came in, and they level out. Before a step that would take more than is in a tank the
    hand's force is made less at the frame, and the loop's at the device [Franken2011].

    >>> [load.called for load in Admittance().plant(plant, "tip").loads]
    ['hand']
    """

    couples: ClassVar[bool] = False

    def plant(self, plant: Plant, frame: str) -> Plant:
        """Return the plant with a `Coupler` whose springs stay slack."""
        return coupled(plant, frame)

    def link(self, loop: Stepping, frame: str, device: Device, firmness: Firmness) -> Link:
        """Return it at work; raises `ModeMismatch` for a device that cannot be led, `InvalidInput` for one without mass, and a
        firmness that is said.
        """
        refuse_firmness(firmness, "the loop of the device has gains of its own")
        if device.servo.K == 0:
            raise ModeMismatch(f"{type(device).__name__} is not led, and shows no motion; give Impedance()")
        refuse([*positive_problems("mass_kg", device.mass_kg), *positive_problems("inertia_kg_m2", device.inertia_kg_m2)])
        return Led(loop, frame, device, firmness)


class Led(Link):
    """A device that is led."""

    def __init__(self, loop: Stepping, frame: str, device: Device, firmness: Firmness) -> None:
        super().__init__(loop, frame, device, firmness)
        self._servo = device.servo
        self._at_device, self._at_frame = Tank(), Tank()
        self._there: Delay[tuple[Numbers, float]] = Delay(self.delay_steps, (STILL, 0.0))
        self._latest = self._before = self._begun = self._now()
        self._back: Delay[tuple[Pose, float]] = Delay(self.delay_steps, (self._latest, 0.0))
        self._sensed: Numbers = STILL
        self._taken = device.at(loop.t)

    def _now(self, before: Pose | None = None) -> Pose:
        """Return where the frame is, with its velocity since before."""
        place, attitude = (part.tolist() for part in self.pose())
        if before is None:
            return Pose(place, attitude)
        T = self.loop.step_s
        way = [a - b for a, b in zip(place, before.position_m, strict=True)]
        return Pose(place, attitude, [each / T for each in (*way, *turn_in_N(before.attitude_xyzw, attitude))])

    def before(self, t: float) -> None:
        """Let the sensed wrench act, or a share of it for which there is energy."""
        self._take(self.device.at(t))
        T, masses = self.loop.step_s, self._masses
        sensed, energy = self._there((self._sensed if self.holds else STILL, self._at_device.sent(T)))
        self._at_frame.held += energy
        way = [T * (2.0 * v - before) for v, before in zip(self._latest.velocity, self._before.velocity, strict=True)]
        square = sum(f * f / m for f, m in zip(sensed, masses, strict=True)) * T * T / 2.0
        share = self._at_frame.share(sum(f * each for f, each in zip(sensed, way, strict=True)), CAUTION * square)
        self._act([share * f for f in sensed])

    def _take(self, pose: Pose | None) -> None:
        """Have the frame led from where it is, where a hand comes to a device that was in none."""
        self.holds = pose is not None
        if pose is None:
            self._taken = None
        elif self._taken is None:
            self._taken, self._begun = pose, self._latest

    def _act(self, wrench: Numbers) -> None:
        self.loop.give(slice(self._first + Coupler.SENSED.start, self._first + Coupler.SENSED.stop), wrench)

    def after(self, t: float) -> None:
        """Lead the device to where the frame is, as soon as that is known."""
        T, passed = self.loop.step_s, self._passed()
        self.wrench = [each / T for each in passed[3:]]
        self._before, self._latest = self._latest, self._now(self._latest)
        self._at_frame.held -= passed[0]
        seen, energy = self._back((self._latest, self._at_frame.sent(T)))
        self._at_device.held += energy
        drawn = self._affordable(t, self._drawn(t, seen))
        moved = self.device.moved(t, T, drawn, (0.0, 0.0))
        self._sensed = moved.sensed
        self._at_device.held += moved.damped - sum(a * b for a, b in zip(drawn, moved.way, strict=True))
        self.observer.note(sum(a * b for a, b in zip(moved.sensed, moved.way, strict=True)), passed[0])

    def _affordable(self, t: float, drawn: Numbers) -> list[float]:
        """Return the share of a wrench of the device's loop for which there is energy, its damping's least included."""
        device, pose, T = self.device, self.device.at(t), self.loop.step_s
        v = STILL if pose is None else pose.velocity
        masses, dampings = _each(device.mass_kg, device.inertia_kg_m2), _each(device.damping_Ns_m, device.damping_Nms_rad)
        work = square = damped = 0.0
        for f, hand, speed, m, b in zip(drawn, self._sensed, v, masses, dampings, strict=True):
            work += f * (speed * T + (hand - b * speed) / m * T * T / 2.0)
            square += f * f / m * T * T / 2.0
            damped += b * max(0.0, abs(speed) - (abs(f) + abs(hand) + b * abs(speed)) / m * T) ** 2 * T
        share = self._at_device.share(work - damped, square)
        return [share * f for f in drawn]

    def _drawn(self, t: float, seen: Pose) -> list[float]:
        """Return the wrench (6,) of the device's loop."""
        pose, first, begun, gains = self.device.at(t), self._taken, self._begun, self._servo
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
        self._join(loop)
        return self

    def _join(self, loop: Stepping) -> None:
        super()._join(loop)
        self._masses = _each(*effective_inertia(loop.plant.model, loop.hardware, self.frame))


def _each(linear: float, turning: float) -> Numbers:
    return linear, linear, linear, turning, turning, turning
