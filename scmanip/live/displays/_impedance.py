"""Impedance display: motion is sensed, and the force of a virtual coupler is shown [Gillespie2003]."""

from __future__ import annotations

from dataclasses import dataclass
from operator import neg

from ...errors import checked
from ...plant import Plant
from ...simulation import Stepping
from ..coupling._coupler import Coupler
from ..coupling._delay import Delay
from ..coupling._gains import Firmness, Gains
from ..devices._device import STILL, Device, Pose
from ..devices._turning import Numbers, inverse, product, turn_in_N, unit
from ._display import Display, Link, coupled


@checked
@dataclass(frozen=True)
class Impedance(Display):
    """A spring and a damper between the frame and the image of a hand, which moves as the device does from where it took hold.

    controlled : whether gains that could give energy are lowered until they cannot, and what is given all the same is damped
        away at the device; else such gains are refused

    >>> [load.called for load in Impedance().plant(plant, "tip").loads], Impedance().controlled
    (['hand'], True)
    """

    controlled: bool = True

    def plant(self, plant: Plant, frame: str) -> Plant:
        """Return the plant with a `Coupler`, in the place of one that it has."""
        return coupled(plant, frame)

    def link(self, loop: Stepping, frame: str, device: Device, firmness: Firmness) -> Link:
        """Return the coupler at work."""
        return Coupled(loop, frame, device, firmness, controlled=self.controlled)


class Coupled(Link):
    """A coupler at work: the hand's image goes in a step to where the device was at its beginning."""

    def __init__(self, loop: Stepping, frame: str, device: Device, firmness: Firmness, *, controlled: bool) -> None:
        super().__init__(loop, frame, device, firmness)
        self.controlled = controlled
        self.gains = self._allowed()
        self._there: Delay[Pose | None] = Delay(self.delay_steps, None)
        self._back: Delay[Numbers] = Delay(self.delay_steps, STILL)
        self._shown: Numbers = STILL

    def _allowed(self) -> Gains:
        """Return gains that give no energy at the device."""
        loop = self.loop
        gains = self.firmness.gains(loop.plant.model, loop.hardware, self.frame, loop.step_s)
        if not self.device.feels:
            return gains
        if self.controlled:
            return self.region.within(gains)
        self.region.refuse(gains)
        return gains

    def before(self, t: float) -> None:
        """Set where the hand's image goes, and how firm it is held."""
        pose = self._there(self.device.at(t))
        if pose is None:
            if self.holds:
                self.let_go()
            return
        own, T = self._hand.tolist(), self.loop.step_s
        if not self.holds:
            place, attitude = self.pose()
            own[:3], own[6:10] = place.tolist(), attitude.tolist()
            self._offset = [a - b for a, b in zip(own[:3], pose.position_m, strict=True)]
            self._turned = product(inverse(pose.attitude_xyzw), own[6:10])
            self.holds = True
        (x, y, z), (to_x, to_y, to_z), (off_x, off_y, off_z) = own[:3], pose.position_m, self._offset
        turned = unit(own[6:10])
        a, b, c = turn_in_N(turned, product(pose.attitude_xyzw, self._turned))
        velocity = (to_x + off_x - x) / T, (to_y + off_y - y) / T, (to_z + off_z - z) / T
        self._give((x, y, z, *velocity, *turned, a / T, b / T, c / T), self.gains)

    def _give(self, hand: Numbers, gains: Gains) -> None:
        self.loop.give(self._given, (*hand, gains.K, gains.B, gains.K_turn, gains.B_turn))

    def _join(self, loop: Stepping) -> None:
        super()._join(loop)
        self._hand = self._own[Coupler.HAND]
        self._given = slice(self._first, self._first + Coupler.GAINS.stop)

    def after(self, t: float) -> None:
        """Show what the coupler gave on the mean in the step, once it arrives."""
        T, (given, _, _, fx, fy, fz, nx, ny, nz) = self.loop.step_s, self._passed()
        self.wrench = wrench = fx / T, fy / T, fz / T, nx / T, ny / T, nz / T
        self._feel(t, self._shown, given, damped=self.controlled)
        self._shown = self._back(tuple(map(neg, wrench)))

    def let_go(self) -> None:
        """Hold nothing."""
        self.holds = False
        self._give((*[0.0] * 9, 1.0, 0.0, 0.0, 0.0), Gains())

    def on(self, loop: Stepping) -> Coupled:
        """Go on at another loop: the states of the coupler go with the state."""
        self._join(loop)
        self.gains = self._allowed()
        return self
