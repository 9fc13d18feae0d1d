"""What every way to show a system to a hand answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from operator import mul, sub
from typing import ClassVar

import numpy as np

from ...errors import InvalidInput, Problem
from ...plant import Plant
from ...simulation import Stepping
from ...spatial import Array
from ..coupling._coupler import Coupler
from ..coupling._gains import Firmness
from ..coupling._hand_load import HandLoad
from ..coupling._passivity import Observer, Region
from ..devices._device import STILL, Device
from ..devices._turning import Numbers

HAND = Coupler.name  # the load that joins a frame to a hand, of whatever kind


class Display(ABC):
    """How a device and a frame are joined; a frozen dataclass, one class per kind.

    couples : whether a spring is between hand and frame, as firm as is said

    >>> pulled = Impedance().plant(plant, "tip")
    >>> isinstance(Impedance(), Display), pulled.layout.n_x - plant.layout.n_x
    (True, 32)
    """

    couples: ClassVar[bool] = True

    @abstractmethod
    def plant(self, plant: Plant, frame: str) -> Plant:
        """Return a plant with what joins the frame to a hand."""

    @abstractmethod
    def link(self, loop: Stepping, frame: str, device: Device, firmness: Firmness) -> Link:
        """Return what is done in each step; raises `InvalidInput` for gains that could give energy."""


def coupled(plant: Plant, frame: str) -> Plant:
    """Return a plant with a `Coupler`, in the place of what joined it to a hand before."""
    return joined(plant, Coupler(frame))


def joined(plant: Plant, hand: HandLoad) -> Plant:
    """Return a plant with a load of a hand that acts, in the place of one that it has."""
    others = (load for load in plant.loads if not isinstance(load, HandLoad))
    return replace(plant, loads=(*others, hand), inhibited=[name for name in plant.inhibited if name != hand.called])


def refuse_firmness(firmness: Firmness, instead: str) -> None:
    """Raise `InvalidInput` for a firmness that is said where no coupler is; instead : what joins hand and frame, in words."""
    if firmness != Firmness():
        hint = f"{instead}; Impedance() has a spring between hand and frame"
        raise InvalidInput(Problem("firmness", "none where no coupler is", repr(firmness), hint=hint))


class Link(ABC):
    """What joins a device to a frame while a loop goes on: `before` and `after` each of its steps.

    wrench : (6,) [f; n] of the hand on the frame in the last step, in N
    observer : of the energy at the device
    holds : whether a hand is on it
    engages : whether its load acts only while a hand is there, who goes on engaging it then; books : energies and impulses
        among its states, [energy given, ..., impulse (6,)]

    >>> from scmanip.simulation import stepping
    >>> loop = stepping(Impedance().plant(plant, "tip"), law, state, reference=reference)
    >>> link = Impedance().link(loop, "tip", Gizmo(), Firmness())
    >>> link.holds, link.pose()[0].round(3).tolist()
    (False, [4.18, 0.594, 0.0])
    """

    engages: ClassVar[bool] = False
    books: ClassVar[slice] = slice(Coupler.ENERGIES.start, Coupler.IMPULSES.stop)

    def __init__(self, loop: Stepping, frame: str, device: Device, firmness: Firmness) -> None:
        self.frame, self.device, self.firmness = frame, device, firmness
        self.wrench: Numbers = STILL
        self.observer, self.holds = Observer(device.most_damping), False
        self._join(loop)
        self.pose()  # its code is there before a hand is

    def _join(self, loop: Stepping) -> None:
        """Be at a loop, with the states of its load in sight."""
        self.loop, place = loop, loop.places(HAND)
        self._first, self._own = place.start, loop.memory[place]
        self._totals = self._own[self.books]
        self._books = self._read()

    @property
    def delay_steps(self) -> int:
        """Steps that things take each way."""
        return round(self.device.delay_s / self.loop.step_s)

    @property
    def region(self) -> Region:
        """Gains with which the device takes more than the coupler can give: a step each for image and mean force."""
        T, device = self.loop.step_s, self.device
        return Region(device.damping_Ns_m, device.damping_Nms_rad, T, 2 * (self.delay_steps + 1) * T)

    @abstractmethod
    def before(self, t: float) -> None:
        """Let the loop know where the hand is; t : on the clock of the device [s]."""

    @abstractmethod
    def after(self, t: float) -> None:
        """Show the hand what came of a step that began at t [s]."""

    def coasting(self, y: Array) -> Array:
        """Return y (n,) of its loop, in SI, as it goes on where nobody says how the hand does; y is changed."""
        return y

    @abstractmethod
    def on(self, loop: Stepping) -> Link:
        """Return it on a loop that goes on in place of the one before, a hand being where it was."""

    @abstractmethod
    def let_go(self) -> None:
        """Give no force from now on."""

    def reach(self) -> None:  # noqa: B027 - one whose load always acts does so where it takes hold
        """Be where the frame is, before its load begins to act."""

    def _feel(self, t: float, shown: Numbers, passed: float, *, damped: bool) -> None:
        """Show a wrench (6,) over a step, and note its energy and what `passed` to the system [J].

        damped : whether energy that came out is damped away at the device
        """
        T, device, observer = self.loop.step_s, self.device, self.observer
        if not device.feels:
            return
        lacks = damped and observer.balance < 0.0
        added = observer.damping(pose.velocity, T) if lacks and (pose := device.at(t)) is not None else (0.0, 0.0)
        moved = device.moved(t, T, shown, added)
        given = -sum(map(mul, shown, moved.way))
        observer.note(given, passed, moved.damped, moved.controlled)

    def pose(self) -> tuple[Array, Array]:
        """Return where the frame is: its origin (3,) [m] and its attitude (4,) in N."""
        model, state = self.loop.plant.model, self.loop.hardware
        return np.asarray(model.position(state, self.frame)), np.asarray(model.attitude(state, self.frame))

    def _read(self) -> list[float]:
        """Return energies and impulses of its load so far."""
        found: list[float] = self._totals.tolist()
        return found

    def _passed(self) -> list[float]:
        """Return what came to them since it was asked last."""
        books = self._read()
        passed, self._books = list(map(sub, books, self._books)), books
        return passed
