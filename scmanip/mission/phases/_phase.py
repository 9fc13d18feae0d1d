"""One stretch of a mission with one mode, one controller and one reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...control import Controller, as_controller
from ...errors import InvalidMission, Problem, checked_as, refuse
from ...guidance import JointReference, ReferenceMotion
from ...modes import ManoeuvreMode
from ...simulation import SWITCHED, Coordinates, History, Switch
from ...spatial import Array, positive_problems
from ...system import State
from ..events._phase_events import PhaseEvents
from ..values._planned import Planned

_KINDS: Mapping[str, tuple[Any, str]] = {
    "name": (str, "a text"),
    "mode": (ManoeuvreMode, "a mode object such as Floating()"),
    "events": (PhaseEvents, "what a phase looks for"),
    "coordinates": (Coordinates | None, "coordinates such as FullState(), or None"),
    "impose": (tuple, "a tuple of names of constraints"),
    "release": (tuple, "a tuple of names of constraints"),
    "engage": (tuple, "a tuple of names of loads"),
    "inhibit": (tuple, "a tuple of names of loads"),
    "push_off_m_s": (tuple, "a tuple of 3 numbers, or ()"),
}


@checked_as(InvalidMission)
@dataclass(frozen=True, eq=False)
class Phase:
    """A phase, ready to run: whatever it holds is what flies.

    controller : its law, which may leave open what it holds as the phase finds it (`Controller.begun`)
    reference : what it follows; one that starts from where the phase begins is `Planned`
    t_end_s : how long it lasts, at most where an event ends it [s]; its own clock, and that of its reference, starts at 0
    events : what is looked for
    coordinates : what is integrated; None leaves it to `simulate`
    impose, release : names of constraints that begin or cease to hold where it begins
    engage, inhibit : names of loads that begin or cease to act there
    push_off_m_s : (3,) velocity that a spring gives what is released there, in axes as of `Switch`; () of none

    Raises `InvalidMission` for parts of another kind and a time that is not > 0, `InvalidInput` for what is no law. Names that
    the system does not have are refused by the `Mission`.

    >>> phase = mission.phases[0]
    >>> phase.mode.name, phase.controller.kind, phase.t_end_s
    ('floating', 'ComputedTorque', 210.0)
    """

    name: str
    mode: ManoeuvreMode
    controller: Controller
    reference: ReferenceMotion
    t_end_s: float
    events: PhaseEvents = PhaseEvents()  # noqa: RUF009 - frozen
    coordinates: Coordinates | None = None
    impose: tuple[str, ...] = ()
    release: tuple[str, ...] = ()
    engage: tuple[str, ...] = ()
    inhibit: tuple[str, ...] = ()
    push_off_m_s: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        problems = [
            Problem(name, words, repr(getattr(self, name)))
            for name, (kind, words) in _KINDS.items()
            if not isinstance(getattr(self, name), kind)
        ]
        reference: Any = self.reference
        if not isinstance(reference, Planned | ReferenceMotion):
            problems.append(Problem("reference", "a guidance reference such as Hold(q)", repr(reference)))
        problems += positive_problems("t_end_s", self.t_end_s)
        refuse(problems, InvalidMission)
        vars(self).update(controller=as_controller(self.controller))

    def begun(self, state: State, q_home: Array) -> Phase:
        """Return the phase as it is flown from `state` on.

        q_home : (n_q,) where the reference before it left the joints [rad or m]
        """
        reference = self.reference.begun(state, q_home) if isinstance(self.reference, Planned) else self.reference
        return replace(self, controller=self.controller.begun(state), reference=reference)

    def beginning(self, state: State, q_home: Array) -> tuple[Controller, ReferenceMotion]:
        """Return its law and its reference as it is flown from `state` on; q_home : (n_q,) as of `begun`."""
        phase = self.begun(state, q_home)
        return phase.controller, phase.reference

    def left(self, t: float, state: State) -> Array:
        """Return (n_q,) where the reference has the joints at `t` [s]; of one that leads a frame, where they are in `state`."""
        sample = self.reference.at(t)
        return sample.q if isinstance(sample, JointReference) else state.q

    @property
    def switches(self) -> tuple[Switch, ...]:
        """What is switched where it begins."""
        what = {key: names for key in SWITCHED if (names := getattr(self, key))}
        return (Switch(0.0, **what, push_off_m_s=self.push_off_m_s),) if what or self.push_off_m_s else ()

    @property
    def motion(self) -> str:
        """What kind of motion it follows, in a word."""
        reference = self.reference.reference if isinstance(self.reference, Planned) else self.reference
        return type(reference).__name__

    def __repr__(self) -> str:
        return f"Phase('{self.name}', {self.mode.name}, t_end_s={self.t_end_s:g})"


@dataclass(frozen=True, eq=False)
class FlownPhase:
    """A phase with the law and the reference that it was flown with.

    history : what happened, on the phase's own clock
    start_s : when it began, in mission time [s]
    ended_by : the event with which it ended as it should; empty where its time was up, or the run ended
    branch : the phase that follows by that event, or as the awaited one did not happen; empty where it is the next one
    number : of the phase in the mission

    >>> part = run.flown[0]
    >>> part.phase.name, part.start_s, part.history.outcome.name
    ('joint_sequence', 0.0, 'COMPLETED')
    """

    phase: Phase
    history: History
    start_s: float
    ended_by: str = ""
    branch: str = ""
    number: int = 0
