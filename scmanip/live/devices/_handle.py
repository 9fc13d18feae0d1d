"""The handle of a cart: a device with two translations and one rotation in a plane [Gillespie2003]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import expm1

from ...errors import refuse
from ...spatial import coefficient_problems, positive_problems
from ..coupling._gains import Gains
from ._device import Device, Moved, Pose
from ._turning import Numbers, quaternion_of

LEAST_DAMPING = 1e-9  # so that the motion of a step has one formula
LED_RAD_S = 150.0  # natural frequency with which it is led


@dataclass(eq=False)
class Handle(Device):
    """A simulated device of three axes: x and y of N and a turn about z, with mass, inertia and damping, in a hand.

    hand : (t, x (3,), v (3,)) -> (3,) what the hand gives along x, y and about z, held over a step; x from where it began
    mass_kg, inertia_kg_m2, damping_Ns_m, damping_Nms_rad : of what is moved
    delay_s : each way, between it and the simulation
    """

    hand: Callable[[float, Numbers, Numbers], Numbers]
    mass_kg: float = 0.3
    inertia_kg_m2: float = 1e-3
    damping_Ns_m: float = 8.0
    damping_Nms_rad: float = 0.05
    delay_s: float = 0.0

    def __post_init__(self) -> None:
        refuse([problem for key in ("mass_kg", "inertia_kg_m2") for problem in positive_problems(key, getattr(self, key))])
        keys = "damping_Ns_m", "damping_Nms_rad", "delay_s"
        refuse([problem for key in keys for problem in coefficient_problems(key, getattr(self, key))])
        self.x, self.v = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]

    @property
    def most_damping(self) -> tuple[float, float]:
        """What slows it in 10 ms."""
        return self.mass_kg / 1e-2, self.inertia_kg_m2 / 1e-2

    @property
    def servo(self) -> Gains:
        """Those of 150 rad/s, damped critically."""
        m, i, w = self.mass_kg, self.inertia_kg_m2, LED_RAD_S
        return Gains(m * w * w, 2 * m * w, i * w * w, 2 * i * w)

    def at(self, t: float) -> Pose:
        """Return where it is."""
        del t
        (x, y, turn), (vx, vy, rate) = self.x, self.v
        return Pose((x, y, 0.0), quaternion_of((0.0, 0.0, turn)), (vx, vy, 0.0, 0.0, 0.0, rate))

    def moved(self, t: float, step_s: float, wrench: Numbers, added: Numbers) -> Moved:
        """Move it over a step, exactly, all forces but the damping being held."""
        given = [float(each) for each in self.hand(t, tuple(self.x), tuple(self.v))]
        shown = wrench[0], wrench[1], wrench[5]
        masses = self.mass_kg, self.mass_kg, self.inertia_kg_m2
        own, more = (self.damping_Ns_m, self.damping_Ns_m, self.damping_Nms_rad), (added[0], added[0], added[1])
        way, damped, controlled = [0.0, 0.0, 0.0], 0.0, 0.0
        for k, (m, force) in enumerate(zip(masses, (a + b for a, b in zip(given, shown, strict=True)), strict=True)):
            b, v = max(own[k] + more[k], LEAST_DAMPING), self.v[k]
            left, steady = -expm1(-b / m * step_s), force / b
            way[k] = steady * step_s + (v - steady) * m / b * left
            self.v[k] = v + (steady - v) * left
            self.x[k] += way[k]
            lost = force * way[k] - m * (self.v[k] ** 2 - v**2) / 2
            damped, controlled = damped + lost * own[k] / b, controlled + lost * more[k] / b
        whole = way[0], way[1], 0.0, 0.0, 0.0, way[2]
        return Moved(whole, damped, controlled, (given[0], given[1], 0.0, 0.0, 0.0, given[2]))
