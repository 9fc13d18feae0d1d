"""The handle of a cart: a device with two translations and one rotation in a plane [Gillespie2003]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import expm1, isfinite, nan

from ...errors import InvalidInput, Problem, checked, refuse
from ...spatial import coefficient_problems, positive_problems
from ..coupling._gains import Gains
from ._device import Device, Moved, Pose
from ._turning import Numbers, quaternion_of

LEAST_DAMPING = 1e-9  # so that the motion of a step has one formula
LED_RAD_S = 150.0  # natural frequency with which it is led


@checked
@dataclass(eq=False)
class Handle(Device):
    """A simulated device of three axes: x and y of N and a turn about z, with mass, inertia and damping, in a hand.

    hand : (t, x (3,), v (3,)) -> (3,) what the hand gives along x, y [N] and about z [N m], held over a step; x [m, rad] from
        where it began
    mass_kg, inertia_kg_m2, damping_Ns_m, damping_Nms_rad : of what is moved
    delay_s : each way, between it and the simulation

    Raises `InvalidInput` for mass and inertia that are not finite and > 0, dampers and a delay that are not finite and >= 0;
    `moved` for what the hand gives that is not three finite numbers.

    >>> device = Handle(lambda t, x, v: (1.0, 0.0, 0.0), mass_kg=0.3)
    >>> for k in range(100):
    ...     moved = device.moved(0.001 * k, 0.001, (0.0,) * 6, (0.0, 0.0))
    ...
    >>> bool(0.0 < device.at(0.1).position_m[0] < 0.5 * 1.0 / 0.3 * 0.1**2)  # damped
    True
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
        """What slows it in 10 ms, [N s/m] and [N m s/rad]."""
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
        given = self.hand(t, tuple(self.x), tuple(self.v))
        try:
            fx, fy, n = map(float, given)
        except (TypeError, ValueError):
            fx = fy = n = nan
        if not isfinite(fx + fy + n):
            raise InvalidInput(Problem("hand", f"two forces [N] and a moment [N m] at t = {t:.6g} s", repr(given)))
        line, turn = (self.mass_kg, self.damping_Ns_m, added[0]), (self.inertia_kg_m2, self.damping_Nms_rad, added[1])
        x, x_lost, x_more = self._go(0, fx + wrench[0], step_s, *line)
        y, y_lost, y_more = self._go(1, fy + wrench[1], step_s, *line)
        angle, angle_lost, angle_more = self._go(2, n + wrench[5], step_s, *turn)
        damped, controlled = x_lost + y_lost + angle_lost, x_more + y_more + angle_more
        return Moved((x, y, 0.0, 0.0, 0.0, angle), damped, controlled, (fx, fy, 0.0, 0.0, 0.0, n))

    def _go(self, k: int, force: float, step_s: float, m: float, own: float, more: float) -> tuple[float, float, float]:
        """Go on along one axis, and return the way, and what damping of its own and that which was added took."""
        b, v = max(own + more, LEAST_DAMPING), self.v[k]
        left, steady = -expm1(-b / m * step_s), force / b
        way, then = steady * step_s + (v - steady) * m / b * left, v + (steady - v) * left
        self.x[k] += way
        self.v[k] = then
        lost = (force * way - m * (then * then - v * v) / 2) / b
        return way, lost * own, lost * more
