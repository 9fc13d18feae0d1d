"""What every way to show a system to a hand answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

import numpy as np

from ...plant import Plant
from ...simulation import Stepping
from ...spatial import Array
from ..coupling._coupler import Coupler
from ..coupling._gains import Firmness
from ..coupling._passivity import Observer, Region
from ..devices._device import STILL, Device
from ..devices._turning import Numbers

BOOKS = slice(Coupler.ENERGIES.start, Coupler.IMPULSES.stop)


class Display(ABC):
    """How a device and a frame are joined; a frozen dataclass, one class per kind."""

    @abstractmethod
    def plant(self, plant: Plant, frame: str) -> Plant:
        """Return a plant with what joins the frame to a hand."""

    @abstractmethod
    def link(self, loop: Stepping, frame: str, device: Device, firmness: Firmness) -> Link:
        """Return what is done in each step; raises `InvalidInput` for gains that could give energy."""


def coupled(plant: Plant, frame: str) -> Plant:
    """Return a plant with a `Coupler`, in the place of one that it has."""
    return replace(plant, loads=(*(load for load in plant.loads if not isinstance(load, Coupler)), Coupler(frame)))


class Link(ABC):
    """What joins a device to a frame while a loop goes on: `before` and `after` each of its steps.

    wrench : (6,) [f; n] of the hand on the frame in the last step, in N
    observer : of the energy at the device
    holds : whether a hand is on it
    """

    def __init__(self, loop: Stepping, frame: str, device: Device, firmness: Firmness) -> None:
        self.loop, self.frame, self.device, self.firmness = loop, frame, device, firmness
        self.wrench: Numbers = STILL
        self.observer, self.holds = Observer(device.most_damping), False
        self._place, self._books = slice(0, 0), [0.0] * 9

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

    @abstractmethod
    def on(self, loop: Stepping) -> Link:
        """Return it on a loop that goes on in place of the one before, a hand being where it was."""

    @abstractmethod
    def let_go(self) -> None:
        """Give no force from now on."""

    def pose(self) -> tuple[Array, Array]:
        """Return where the frame is: its origin (3,) and its attitude (4,) in N."""
        model, state = self.loop.plant.model, self.loop.hardware
        return np.asarray(model.position(state, self.frame)), np.asarray(model.attitude(state, self.frame))

    def _read(self) -> list[float]:
        """Return energies and impulses (9,) of the coupler so far."""
        found: list[float] = self.loop.y[self._place][BOOKS].tolist()
        return found

    def _passed(self) -> list[float]:
        """Return what came to them since it was asked last."""
        books = self._read()
        passed, self._books = [a - b for a, b in zip(books, self._books, strict=True)], books
        return passed
