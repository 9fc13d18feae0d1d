"""Impedance display by inverse dynamics: the motion that is sensed is embedded, and the force that it needs is shown."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from math import exp
from typing import ClassVar

from ...errors import InconsistentConstraints, InvalidInput, InvalidState, NumericalFailure, Problem, checked, refuse
from ...plant import Plant
from ...simulation import Stepping
from ...spatial import Array, positive_problems
from ..coupling._gains import Firmness, heaviness, jacobian
from ..coupling._guiding_hand import GuidingHand
from ..devices._device import STILL, Device
from ..devices._turning import Numbers, inverse, product, turn_in_N, unit
from ._display import HAND, Display, Link, joined, refuse_firmness

STEADY = (0.0,) * 12
BANDWIDTH_RAD_S = 20.0  # as fast as a hand moves on purpose


@checked
@dataclass(frozen=True)
class EmbeddedImpedance(Display):
    """The frame moves exactly as the device does, from where it took hold; the hand feels what that needs, no spring between.

    The motion that is sensed is E(q, t) of the equations, and the force comes from auxiliary generalized speeds
    [Gillespie2003]. A device that feels has to be heavier than what it moves, and without delay.

    A hand that feels nothing may go through a filter of second order, critically damped: its jerks do not kick the frame,
    which is behind it by 2 / bandwidth while it moves evenly.

    turns : whether the frame turns with the device; where it cannot, such as with few joints on a fixed base, only its origin
        is led
    bandwidth_rad_s : of that filter; None for 20 rad/s where the velocity of the device jumps, as of a `Gizmo`, else no filter

    Raises `InvalidInput` for a bandwidth that is not finite and > 0; `link` for one of a device that feels.

    >>> led = EmbeddedImpedance().plant(plant, "tip")
    >>> [load.called for load in led.loads], led.inhibited
    (['hand'], ('hand',))
    """

    couples: ClassVar[bool] = False

    turns: bool = True
    bandwidth_rad_s: float | None = None

    def __post_init__(self) -> None:
        if self.bandwidth_rad_s is not None:
            refuse(positive_problems("bandwidth_rad_s", self.bandwidth_rad_s))

    def plant(self, plant: Plant, frame: str) -> Plant:
        """Return the plant with a `GuidingHand` that does not act yet, in the place of what joined it to a hand before."""
        return replace(joined(plant, GuidingHand(frame, self.turns)), inhibited=(*_others(plant), HAND))

    def link(self, loop: Stepping, frame: str, device: Device, firmness: Firmness) -> Link:
        """Return it at work; raises `InvalidInput` for a delay, a device that is too light, a filter of one that feels, and a
        firmness that is said.
        """
        refuse_firmness(firmness, "the hand holds the frame itself")
        if device.delay_s > 0:
            hint = "Impedance() and Admittance() give no energy over a delay"
            raise InvalidInput(Problem("delay_s of the device", "0 s", f"{device.delay_s:g} s", hint=hint))
        if self.bandwidth_rad_s is not None and device.feels:
            expected = f"none for {type(device).__name__}, which would feel what another motion than its own needs"
            found = f"{self.bandwidth_rad_s:g} rad/s"
            raise InvalidInput(Problem("bandwidth_rad_s", expected, found, hint="Impedance() has a spring between them"))
        bandwidth = None if device.smooth else BANDWIDTH_RAD_S
        return Sensed(loop, frame, device, turns=self.turns, bandwidth_rad_s=self.bandwidth_rad_s or bandwidth)


def _others(plant: Plant) -> tuple[str, ...]:
    return tuple(name for name in plant.inhibited if name != HAND)


class Sensed(Link):
    """A hand that leads: in a step the frame goes to where the device was at its beginning, and comes there as fast as that.

    Places and turns of a step are polynomials of degree three, so that velocities are those that were sensed and have no jumps.
    Where there is a filter, its state is that of the hand's image, and the frame goes to where the filter comes in the step.
    """

    engages: ClassVar[bool] = True
    books: ClassVar[slice] = GuidingHand.BOOKS

    def __init__(
        self, loop: Stepping, frame: str, device: Device, *, turns: bool, bandwidth_rad_s: float | None = None
    ) -> None:
        self.turns, self.bandwidth_rad_s = turns, bandwidth_rad_s
        super().__init__(loop, frame, device, Firmness())
        self._shown: Numbers = STILL
        if self._heaviness >= 1.0:
            expected = f"a mass and an inertia beyond those felt at {frame!r}, or each force is larger than the last"
            hint = "make it heavier, or give Impedance()"
            raise InvalidInput(Problem(type(device).__name__, expected, f"{self._heaviness:.3g} of its own felt", hint=hint))

    def _join(self, loop: Stepping) -> None:
        super()._join(loop)
        own = self.device.mass_kg, self.device.inertia_kg_m2
        felt = self.device.feels
        self._heaviness = heaviness(loop.plant, loop.hardware, self.frame, own, self.turns) if felt else 0.0
        if not self._leads:
            self.reach()
            with suppress(InconsistentConstraints, InvalidState):  # which are told when a hand comes
                loop.under(loop.plant.constraints, _others(loop.plant))  # its code is there before a hand is

    @property
    def _leads(self) -> bool:
        return HAND not in self.loop.plant.inhibited

    def reach(self) -> None:
        """Have the hand's image be where the frame is, and move as it does."""
        model, state = self.loop.plant.model, self.loop.hardware
        (place, attitude), twist = self.pose(), jacobian(model, state, self.frame) @ state.u
        self._give([*place, *twist[:3], *attitude, *twist[3:], *STEADY])

    def _give(self, hand: Numbers) -> None:
        self.loop.give(slice(self._first, self._first + GuidingHand.CHANGES.stop), hand)

    def before(self, t: float) -> None:
        """Say how the hand moves in this step; raises `NumericalFailure` where constraints have made the frame too heavy."""
        pose = self.device.at(t)
        if pose is None or not self._leads:
            self.holds = False
            return
        if self._heaviness >= 1.0:
            felt = f"{self._heaviness:.3g} times the mass or inertia of the device is felt at {self.frame!r}"
            raise NumericalFailure(f"{felt}, so that each force would be larger than the last; release what holds it")
        hand, T = self._own[GuidingHand.HAND].tolist(), self.loop.step_s
        hand[6:10] = unit(hand[6:10])
        if not self.holds:
            self._offset = [a - b for a, b in zip(hand[:3], pose.position_m, strict=True)]
            self._turned = product(inverse(pose.attitude_xyzw), hand[6:10])
            self.holds = True
        way = [a + b - c for a, b, c in zip(pose.position_m, self._offset, hand[:3], strict=True)]
        way += turn_in_N(hand[6:10], product(pose.attitude_xyzw, self._turned))
        v, then = [*hand[3:6], *hand[10:13]], pose.velocity
        if self.bandwidth_rad_s is not None:
            way, then = _filtered(way, v, self.bandwidth_rad_s, T)
        self._give((*hand, *_changes(way, v, then, T)))

    def after(self, t: float) -> None:
        """Show what the hand gave on the mean in the step."""
        T, passed = self.loop.step_s, self._passed()
        self.wrench = [each / T for each in passed[1:]]
        self._feel(t, self._shown, passed[0], damped=True)
        self._shown = [-each for each in self.wrench]

    def coasting(self, y: Array) -> Array:
        """Return y with a hand that goes on as fast as it is."""
        first = self._first + GuidingHand.CHANGES.start
        y[first : first + len(STEADY)] = STEADY
        return y

    def let_go(self) -> None:
        """Hold nothing; a session has the hand act no longer."""
        self.holds = False

    def on(self, loop: Stepping) -> Sensed:
        """Go on at another loop: the states of the hand go with the state."""
        self._join(loop)
        return self


def _filtered(left: Numbers, v: Numbers, w: float, T: float) -> tuple[list[float], list[float]]:
    """Return the way of a filter in T [s], x'' = w^2 left - 2 w x', and how fast it is then; left : from x to its goal."""
    decay = exp(-w * T)
    pulls = [rate - w * away for away, rate in zip(left, v, strict=True)]
    way = [away + (pull * T - away) * decay for away, pull in zip(left, pulls, strict=True)]
    return way, [(rate - w * pull * T) * decay for rate, pull in zip(v, pulls, strict=True)]


def _changes(way: Numbers, v: Numbers, then: Numbers, T: float) -> list[float]:
    """Return accelerations and their rates with which ways are gone in T [s], from speeds to others."""
    each = [*zip(way, v, then, strict=True)]
    rates = [(6.0 * (v + then) - 12.0 * way / T) / T / T for way, v, then in each]
    return [*((6.0 * way / T - 4.0 * v - 2.0 * then) / T for way, v, then in each), *rates]
