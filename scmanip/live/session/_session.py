"""A system that goes on while a hand holds on and constraints, laws, modes and loads are switched [Gillespie2003]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller
from ...errors import (
    InconsistentConstraints,
    InvalidInput,
    InvalidState,
    NumericalFailure,
    Problem,
    ScmanipError,
    SingularInertia,
    UnknownName,
    checked,
    refuse,
)
from ...guidance import ReferenceMotion
from ...mission import Mission
from ...plant import Change, Plant
from ...simulation import Flight, History, stepping
from ...spatial import Array, is_number
from ...system import State, System
from ..coupling._gains import Firmness
from ..devices._device import Device
from ..devices._gizmo import Gizmo
from ..devices._turning import Numbers
from ..displays._display import HAND, Display, Link
from ..displays._impedance import Impedance
from ._acts import Act, noted


@checked
@dataclass(frozen=True, eq=False)
class Way:
    """A mode with its law and what it follows, by which a session can go on; of a mission a phase.

    >>> Way(plant, law, reference).at(state).controller.kind
    'ComputedTorque'
    """

    plant: Plant
    controller: Any
    reference: ReferenceMotion | None = None

    def at(self, state: State) -> Way:
        """Return it as it begins at a state."""
        del state
        return self


class Seen(NamedTuple):
    """What a session shows.

    t : [s]; x : (n_x,) packed state of the model, in SI; wrench : (6,) of the hand on the frame, in N; frame : which it is
    held : whether a hand is on it; constraints, inhibited : names of what holds, and of loads that do not act
    way : name of mode and law; trouble : why it stands still; "" where it does not

    >>> seen = session_of_system(system).seen()
    >>> seen.frame, seen.held, seen.way, seen.trouble
    ('tip', False, 'free joints', '')
    """

    t: float
    x: Array
    wrench: Numbers
    frame: str
    held: bool
    constraints: tuple[str, ...]
    inhibited: tuple[str, ...]
    way: str
    trouble: str


@checked
@dataclass(eq=False)
class Session:
    """Ways to go on, a hand on a frame, and all that is switched between steps; nothing here knows the time of day.

    ways : by name; the first one is begun with
    state0 : where it begins
    frame : what the hand holds at first
    display, device, firmness : how
    step_s : [s]; every : steps between samples of the history
    tries : steps until now, with those that could not be taken; acts : what was done between them, in order
    begun : frame, display, device and firmness at first
    origin : system or mission of which it was made; None where neither

    Raises `InvalidInput` and `ModeMismatch` as `stepping` does.

    >>> session = Session({"slew": Way(plant, law, reference)}, state, "tip", step_s=0.01)
    >>> session.step(), session.t, session.seen().way
    (True, 0.01, 'slew')
    """

    ways: Mapping[str, Way]
    state0: State
    frame: str
    display: Display = field(default_factory=Impedance)
    device: Device = field(default_factory=Gizmo)
    firmness: Firmness = field(default_factory=Firmness)
    step_s: float = 1e-3
    every: int = 10

    def __post_init__(self) -> None:
        if not self.ways:
            raise InvalidInput(Problem("ways", "one or more", "none"))
        refuse([Problem(f"way {name}", "a Way", repr(way)) for name, way in self.ways.items() if not isinstance(way, Way)])
        self.tries, self.acts = 0, list[Act]()
        self.origin: System | Mission | None = None
        self.begun = {name: getattr(self, name) for name in ("frame", "display", "device", "firmness")}
        self.way, planned = next(iter(self.ways.items()))
        first = planned.at(self.state0)
        self.law = first.controller
        plant = self.display.plant(first.plant, self.frame)
        loop = stepping(plant, first.controller, self.state0, reference=first.reference, step_s=self.step_s, every=self.every)
        self.flight = Flight(loop)
        self.link: Link = self.display.link(loop, self.frame, self.device, self.firmness)
        self.trouble = ""

    @property
    def t(self) -> float:
        """Time since the start [s]."""
        return self.flight.t

    @property
    def plant(self) -> Plant:
        """What moves now."""
        return self.flight.loop.plant

    def step(self) -> bool:
        """Go on by one step and return whether it was taken; where none can be the hand is let go, and `trouble` says why."""
        t = self.t
        self.tries += 1
        try:
            link = self.link
            if link.engages:
                self._reach(self.device.at(t) is not None)
                link = self.link
            link.before(t)
            self._advance()
        except (NumericalFailure, InconsistentConstraints, InvalidState, SingularInertia) as failure:
            if self.link.holds:
                self._let_go()
            self.trouble = str(failure)
            return False
        self.link.after(t)
        self.trouble = ""
        return True

    def _advance(self) -> None:
        """Take a step, with dependent speeds chosen anew where it cannot be taken with those that there are."""
        try:
            self.flight.loop.step()
        except NumericalFailure:
            if not self.flight.anew():
                raise
            self.link = self.link.on(self.flight.loop)
            self.flight.loop.step()

    def seen(self) -> Seen:
        """Return what it shows."""
        loop, plant = self.flight.loop, self.plant
        own = np.array(loop.state.hardware)
        told = self.frame, self.link.holds, tuple(plant.constraints), tuple(plant.inhibited), self.way, self.trouble
        return Seen(self.t, own, self.link.wrench, *told)

    # Between steps

    @noted
    def hold(self, frame: str) -> None:
        """Hold another frame from now on; raises `UnknownName`."""
        self.plant.model.system.frame(frame)
        self._join(self.display, self.device, frame)

    @noted
    def show_by(self, display: Display) -> None:
        """Show the frame in another way; raises `ModeMismatch` and `InvalidInput` as its links do, and goes on as before."""
        self._join(display, self.device, self.frame)

    @noted
    def take(self, device: Device) -> None:
        """Have the hand on another device; raises as `show_by`."""
        self._join(self.display, device, self.frame)

    def _join(self, display: Display, device: Device, frame: str) -> None:
        self._let_go()
        before, after = self.plant, display.plant(self.plant, frame)
        self._bear(after)
        firmness = self.firmness if display.couples else Firmness()  # which is kept until something couples again
        try:
            link = display.link(self.flight.loop, frame, device, firmness)
        except ScmanipError:
            self._bear(before)
            self.link = self.link.on(self.flight.loop)
            raise
        self.link, self.display, self.device, self.frame = link, display, device, frame

    def _bear(self, plant: Plant) -> None:
        """Go on under the loads of a plant and under those of a hand that act there; one that must not act never does."""
        if HAND in plant.inhibited:
            self._inhibit(plant)
        if plant.loads != self.plant.loads:
            self.flight.bearing(plant.loads)
        self._inhibit(plant)

    def _inhibit(self, plant: Plant) -> None:
        if tuple(plant.inhibited) != tuple(self.plant.inhibited):
            self.flight.under(self.plant.constraints, plant.inhibited)

    def drag(self, position_m: ArrayLike, attitude: ArrayLike) -> None:
        """Have the device dragged to a place (3,) and an attitude (4,) x, y, z, w in N; raises as `Device.drag`."""
        self.device.drag(self.t, position_m, attitude)
        self.acts.append(Act(self.tries, "drag", (np.array(position_m), np.array(attitude))))

    @noted
    def keep(self) -> None:
        """Have the device know that it is still held."""
        self.device.keep(self.t)

    @noted
    def let_go(self) -> None:
        """Take the hand away: no force from now on."""
        self._let_go()

    def _let_go(self) -> None:
        self.link.let_go()
        self.device.let_go()
        self._reach(False)

    def _reach(self, there: bool) -> None:
        """Have the hand's load act or not, where it only does under a hand that is there."""
        inhibited = [name for name in self.plant.inhibited if name != HAND]
        if not self.link.engages or there == (len(inhibited) == len(self.plant.inhibited)):
            return
        if there:
            self.link.reach()
        self._under(self.plant.constraints, inhibited if there else [*inhibited, HAND])

    @noted
    def firm(self, firmness: Firmness) -> None:
        """Couple the hand more or less firmly; raises `InvalidInput`."""
        self.link = self.display.link(self.flight.loop, self.frame, self.device, firmness)
        self.firmness = firmness

    @noted
    def impose(self, *names: str) -> Change:
        """Have constraints hold in addition; raises `InvalidState` where they are too far from each other."""
        return self._under(
            (*self.plant.constraints, *(n for n in names if n not in self.plant.constraints)), self.plant.inhibited
        )

    @noted
    def release(self, *names: str) -> Change:
        """Have constraints let go; raises `UnknownName`."""
        known = [one.name for one in self.plant.model.system.constraints]
        for name in names:
            if name not in known:
                raise UnknownName("constraint", name, "what may hold", known)
        return self._under([name for name in self.plant.constraints if name not in names], self.plant.inhibited)

    @noted
    def engage(self, *names: str) -> Change:
        """Have loads act, such as a contact; raises `UnknownName`."""
        self._known(names)
        return self._under(self.plant.constraints, [name for name in self.plant.inhibited if name not in names])

    @noted
    def inhibit(self, *names: str) -> Change:
        """Have loads act no longer; raises `UnknownName`."""
        self._known(names)
        return self._under(self.plant.constraints, [*dict.fromkeys((*self.plant.inhibited, *names))])

    def _known(self, names: Sequence[str]) -> None:
        loads = [load.called for load in self.plant.loads]
        for name in names:
            if name not in loads or name == HAND:
                raise UnknownName("load", name, "what acts", [each for each in loads if each != HAND])

    def _under(self, names: Sequence[str], inhibited: Sequence[str]) -> Change:
        change = self.flight.under(names, inhibited)
        self.link = self.link.on(self.flight.loop)
        return change

    @noted
    def by(self, controller: Controller) -> None:
        """Go on by another law of the same mode, such as one with other gains; raises as `stepping`."""
        self._by(controller)
        self.law = controller

    def _by(self, controller: Controller) -> None:
        self.flight.by(controller)
        self.link = self.link.on(self.flight.loop)

    @noted
    def scale_gains(self, factor: float) -> None:
        """Go on by the law of this way with its own numbers multiplied; raises `InvalidInput` for a law that has none."""
        if not (is_number(factor) and factor > 0):
            raise InvalidInput(Problem("gains", "a factor > 0", repr(factor)))
        own = {name: factor * np.asarray(vars(self.law)[name]) for name in self.law.settings if name in vars(self.law)}
        if not own:
            raise InvalidInput(Problem("gains", "a law with gains of its own", repr(self.law)))
        law = copy(self.law)
        vars(law).update(own)
        self._by(law)

    @noted
    def then(self, name: str) -> None:
        """Go on in another way, under the constraints and loads that are there now; raises `UnknownName`."""
        if name not in self.ways:
            raise UnknownName("way", name, "the session", list(self.ways))
        way, now = self.ways[name].at(self.flight.loop.hardware), self.plant
        plant = self.display.plant(way.plant, self.frame)
        given: dict[str, Any] = {
            "constraints": now.constraints,
            "holding": now.holding,
            "slipping": now.slipping,
            "inhibited": now.inhibited,
        }
        self.flight.then(replace(plant, **given), way.controller, way.reference)
        self.way, self.law, self.link = name, way.controller, self.link.on(self.flight.loop)

    def history(self) -> History:
        """Return all that was flown as an ordinary history."""
        return self.flight.history()
