"""A mission: a system, where it starts, what it does, and what it must not exceed."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import ArrayLike

from ..cells import html_table, waiting
from ..compiled import orders
from ..constraints import Constraint
from ..control import Controller, Law
from ..dynamics import Model
from ..errors import (
    ConstraintRankLoss,
    InconsistentConstraints,
    InvalidInput,
    InvalidMission,
    InvalidState,
    ModeMismatch,
    Problem,
    ScmanipError,
    UnknownName,
    checked_as,
    expect,
    refuse,
)
from ..guidance import ReferenceMotion
from ..loads import Load
from ..navigation import Observation
from ..plant import Plant, RigidContact
from ..report import Limits
from ..simulation import Asked, History, Outcome, StiffLoop, Switch, make_ready, sets_after, simulate, switch_problems
from ..system import State, System, TomlDocument, degree_doubts
from ._comparison import Comparison
from ._run import Run
from .file._integration import Integration
from .phases._asked import asked_of
from .phases._ended import ended, unmet_after
from .phases._held import active_in, held_where_begun, unknown_grasps
from .phases._phase import FlownPhase, Phase
from .phases._switching import switches_of
from .phases._ways import following, longest_s, way_problems
from .phases._written import Written
from .values._modes import mode_label
from .values._source import Source

_KINDS: Mapping[str, tuple[Any, str]] = {
    "name": (str, "a text"),
    "title": (str, "a text"),
    "model": (Model, "a Model, made by compile_model(system)"),
    "initial": (State, "a State"),
    "phases": (tuple, "a tuple of phases"),
    "loads": (tuple, "a tuple of loads such as Gravity(orbit)"),
    "integration": (Integration, "an Integration"),
    "limits": (Limits, "a Limits"),
    "figure_names": (tuple, "a tuple of names of figures"),
    "switches": (tuple, "a tuple of switches such as Switch(t_s=8.0, impose='grasp')"),
    "observation": (Observation | None, "an Observation of sensors and estimators, or None for the truth"),
    "written": (Written, "the files that the mission was made of"),
    "alternatives": (Mapping, "missions by mode"),
}


@checked_as(InvalidMission)
@dataclass(frozen=True, eq=False, repr=False)
class Mission:
    """Everything that a run needs, built and checked; made by `load_mission`.

    Whatever it holds is what flies, also where it was replaced; what no file could say is not stored.

    name, title : what it is called, and what it is in a line
    model : the simulated system
    initial : state at the start
    phases : one after another; each starts from the state in which the one before ends
    loads : what acts from outside and between bodies, its t that of the mission; none is free space
    switches : constraints that begin or cease to hold, at mission times or by events of phases; phases switch some of their own
    observation : what laws see in the place of the truth; None where they see that. What is known goes on from phase to phase
    contacts : shapes that touch rigidly in all phases
    integration, limits, figure_names : how it is computed, judged and shown
    written : the files that it was made of
    alternatives : where phases are to be flown in several modes, the mission in each, by mode; itself it is the first

    Raises `InvalidMission` for parts of another kind, no phases, branches to no later phase and switches that cannot be,
    `UnknownName` for constraints and loads that are not there.

    >>> mission.name, [phase.mode.name for phase in mission.phases], mission.phases[0].t_end_s
    ('planar_four_link', ['floating'], 210.0)
    >>> calmer = mission.with_controller("joint_sequence", lambda t, state: -2.0 * state.qdot)
    >>> calmer.phases[0].controller.kind, list(calmer.own)
    ('<lambda>', ['phase.joint_sequence.controller'])
    """

    name: str
    title: str
    model: Model
    initial: State
    phases: tuple[Phase, ...]
    loads: tuple[Load, ...]
    integration: Integration
    limits: Limits
    figure_names: tuple[str, ...]
    written: Written
    switches: tuple[Switch, ...] = ()
    contacts: tuple[RigidContact, ...] = ()
    observation: Observation | None = None
    alternatives: Mapping[str, Mission] = field(default_factory=dict)

    def __post_init__(self) -> None:
        problems = [
            Problem(name, words, repr(getattr(self, name)))
            for name, (kind, words) in _KINDS.items()
            if not isinstance(getattr(self, name), kind)
        ]
        if not problems and (not self.phases or not all(isinstance(phase, Phase) for phase in self.phases)):
            problems.append(Problem("phases", "one or more phases", repr(self.phases)))
        if (
            not problems
            and self.model is not self.written.parts["model"]
            and not {*self.phases} & {*self.written.parts["phases"]}
        ):
            problems.append(Problem("written", "the files that the mission was made of", f"those of '{self.written.file}'"))
        problems = problems or [*way_problems(self.phases)]
        refuse(problems or self._switch_problems(), InvalidMission)

    def _switch_problems(self) -> list[Problem]:
        """Return what is wrong with what is switched; raises `UnknownName`."""
        events = {event.called: event for phase in self.phases for event in phase.events.events}
        own = [switch for phase in self.phases for switch in phase.switches]
        problems = switch_problems((*own, *self.switches), self.system, [*events.values()], self.t_end_s, self.loads)
        return problems or [problem for _, problem in unknown_grasps(self.phases, self.system, self.switches)]

    @property
    def source(self) -> Source:
        """The system as its file has it."""
        return self.written.source

    def warnings(self) -> list[Problem]:
        """Return what is unusual but legal: what `System.warnings` says, and angles in radians that look like degrees."""
        return [*self.system.warnings(), *degree_doubts(TomlDocument.parse(self.text, self.file))]

    @property
    def file(self) -> str:
        """The mission file."""
        return self.written.file

    @property
    def text(self) -> str:
        """What stands in it."""
        return self.written.text

    @property
    def resolved(self) -> Mapping[str, Any]:
        """What it says in SI with every default filled in."""
        return self.written.table(self)

    @property
    def replaced(self) -> tuple[str, ...]:
        """Names of the parts that are not those of its file, such as "limits" or "phases[0].controller"."""
        return tuple(self.written.replaced(self))

    @property
    def unsaid(self) -> tuple[str, ...]:
        """Names of those that no file says, so that runs with them are not stored."""
        return tuple(self.written.unsaid(self))

    @property
    def own(self) -> Mapping[str, Any]:
        """Objects of Python in the places of what its file said, by path: what `load_mission` takes to read a stored one."""
        return self.written.own

    def with_controller(self, phase: str, law: Controller | Law | Callable[[float, State], ArrayLike]) -> Mission:
        """Return the mission with another law in a phase: a `Controller`, an object with `command`, or a function (t, state).

        It flies in the place of what the file says: in runs, second flights, studies and their workers. It believes in what it
        was made with, whatever system flies. The resolved file has its class and its digest, and is read again with
        `load_mission(path, own=mission.own)`. Raises `UnknownName`, and `InvalidMission` for what cannot fly there.
        """
        return self._with(f"phase.{self._as_read(phase)}.controller", law)

    def with_guidance(self, phase: str, reference: ReferenceMotion) -> Mission:
        """Return the mission with another reference in a phase, which starts where it starts; as `with_controller`."""
        return self._with(f"phase.{self._as_read(phase)}.guidance", reference)

    def with_system(self, system: System) -> Mission:
        """Return the mission of another system, in which all laws that the file makes believe as well; as `with_controller`.

        What a system file can say of it is stored, varied by studies and flown again as that of a file.
        Raises `InvalidMission` also where parts were replaced that were made for the system before.
        """
        return self._with("system", system)

    def _as_read(self, phase: str) -> str:
        """Return the name that the file has for a phase."""
        expect("phase", phase, str, "the name of a phase")
        names = [each.name for each in self.phases]
        if phase not in names:
            raise UnknownName("phase", phase, f"mission '{self.name}'", names)
        read: Sequence[Phase] = self.written.parts["phases"]
        if len(read) != len(names):
            raise InvalidMission(Problem("phases", "those of its file", f"{len(names)} phases", hint="replace them afterwards"))
        return read[names.index(phase)].name

    def _with(self, path: str, made: Any) -> Mission:
        """Return the mission read again with an object at a path, and what was replaced in this one replaced in that."""
        if self.written.again is None:
            raise InvalidMission(Problem("written", "the files of a mission, as load_mission reads them", "others"))
        read: Mission = self.written.again({**self.own, path: made})
        return self.written.carried(self, read, path)

    @property
    def system(self) -> System:
        """The hardware."""
        return self.model.system

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints of its system that hold at some time, or may: active ones, and what is imposed."""
        own = (switch for phase in self.phases for switch in phase.switches)
        imposed = {name for switch in (*own, *self.switches) for name in switch.impose}
        return tuple(one for one in self.system.constraints if one.active or one.name in imposed)

    @property
    def switches_loads(self) -> bool:
        """Whether loads begin or cease to act at some time, or may."""
        switches = (*(switch for phase in self.phases for switch in phase.switches), *self.switches)
        return any(switch.engage or switch.inhibit for switch in switches)

    @property
    def held(self) -> tuple[tuple[Phase, tuple[str, ...]], ...]:
        """Every phase, with the constraints that hold where it begins as far as phases switch them; once for each way there."""
        found = held_where_begun(self.phases, active_in(self.system))
        return tuple((phase, names) for phase, sets in zip(self.phases, found, strict=True) for names in sets)

    @property
    def t_end_s(self) -> float:
        """Duration [s] of the longest way through its phases, of those that events end at most."""
        return longest_s(self.phases)

    def run(self, progress: Callable[[float], None] | None = None, *, sensitivities: Sequence[str] = ()) -> Run:
        """Return what happens, judged; ends with the first phase that cannot be completed.

        progress : called with the mission time [s] reached after every accepted step
        sensitivities : paths of numbers by which all states are differentiated in `run.history.sensitivity`, as of `simulate`;
            of a law "phase.NAME.controller.K_P"
        """
        asked = asked_of(self.phases, self.system, sensitivities)
        with orders(), waiting(f"mission {self.name}, {self.t_end_s:g} s"):
            self._make_ready()
            flown = self._flown([self.integration] * len(self.phases), progress, asked)
        return Run(self, flown, lambda: self._again(flown))

    def _make_ready(self) -> None:
        """Let a thread make the machine code of all phases, under all sets of constraints that they and switches name.

        Where the first phase has its code all are taken to have it; what is lacking is made where it is needed.
        """
        q_home, found = self.initial.q, held_where_begun(self.phases, active_in(self.system), self.switches)
        for phase, sets in zip(self.phases, found, strict=True):
            under = dict.fromkeys(names for begun in sets for names in sets_after(begun, self.switches))
            with suppress(ScmanipError):  # the flight tells
                ready = phase.begun(self.initial, q_home)
                lacking = make_ready(
                    replace(self.plant(ready, 0.0), constraints=()),
                    ready.controller,
                    self.initial,
                    reference=ready.reference,
                    t_end_s=phase.t_end_s,
                    integrator=self.integration.integrator,
                    coordinates=phase.coordinates,
                    under=under,
                )
                if not lacking and phase is self.phases[0]:
                    return

    def _again(self, flown: Sequence[FlownPhase]) -> Run:
        """Return a second flight with finer steps."""
        longest = [math.inf] * len(self.phases)
        for part in flown:
            longest[part.number] = float(part.history.step_s.max(initial=0.0)) or math.inf
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StiffLoop)  # the first flight told it
            return Run(self, self._flown([self.integration.finer(step_s) for step_s in longest]))

    def _flown(
        self,
        integrations: Sequence[Integration],
        progress: Callable[[float], None] | None = None,
        asked: Sequence[Asked] = (),
    ) -> tuple[FlownPhase, ...]:
        flown: list[FlownPhase] = []
        start_s, state, q_home, before = 0.0, self.initial, self.initial.q, None
        number = 0
        while number < len(self.phases):
            phase, integration = self.phases[number].begun(state, q_home), integrations[number]
            told = None if progress is None else _shifted(progress, start_s)
            try:
                seen = self.observation and replace(self.observation, since=None if before is None else before.known)
                plant, own = self.plant(phase, start_s, before), asked[number] if asked else Asked()
                history = self._history(phase, plant, state, start_s, integration, told, seen, own)
            except (InvalidState, InconsistentConstraints, ConstraintRankLoss) as unmet:
                if not flown:
                    raise
                flown[-1] = unmet_after(flown[-1], phase, unmet)
                break
            flown.append(replace(ended(self.model, phase, history, start_s), number=number))
            t_end_s, state, before = float(history.t[-1]), history.final, history
            start_s, q_home = start_s + t_end_s, phase.left(t_end_s, state)
            if flown[-1].history.outcome is not Outcome.COMPLETED:
                break
            number = following(self.phases, number, flown[-1].branch)
        return tuple(flown)

    def compare(self, progress: Callable[[float], None] | None = None) -> Comparison:
        """Return the runs in all modes that the phases name, one after the other, side by side.

        progress : called with the time [s] reached after every accepted step, which runs on from one run to the next
        Raises `ModeMismatch` for a mission that is flown in one mode, `InvalidInput` for one with parts replaced, which the
        missions in `alternatives` do not have.
        """
        if not self.alternatives:
            raise ModeMismatch(f"mission '{self.name}' is flown in one mode; give its phases modes = [...] to compare several")
        others = [name for name in self.replaced if name != "alternatives"]
        if others:
            hint = "replace them in each of mission.alternatives"
            raise InvalidInput(Problem(others[0], "what all modes of the mission have", "one of this mission alone", hint=hint))
        runs, start_s = dict[str, Run](), 0.0
        for label, mission in self.alternatives.items():
            runs[label] = mission.run(None if progress is None else _shifted(progress, start_s))
            start_s += mission.t_end_s
        return Comparison(self, runs)

    def plant(self, phase: Phase, start_s: float, before: History | None = None) -> Plant:
        """Return what moves in a phase that begins at `start_s` [s], with all that acts on it.

        before : of the phase before it, whose constraints hold on; at the start those hold that are active
        """
        plant = Plant(self.model, phase.mode, self.loads, contacts=self.contacts, clock_s=start_s)
        if before is None:
            return plant
        return replace(plant, constraints=before.constraints, holding=before.holding, inhibited=before.inhibited)

    def _history(
        self,
        phase: Phase,
        plant: Plant,
        state: State,
        start_s: float,
        integration: Integration,
        progress: Callable[[float], None] | None,
        observation: Observation | None,
        asked: Asked,
    ) -> History:
        return simulate(
            plant,
            phase.controller,
            state,
            reference=phase.reference,
            t_end_s=phase.t_end_s,
            rtol=integration.rtol,
            atol=integration.atol,
            integrator=integration.integrator,
            output_step_s=integration.output_step_s,
            events=phase.events.all,
            coordinates=phase.coordinates,
            switches=switches_of(phase, start_s, self.switches),
            progress=progress,
            observation=observation,
            sensitivities=asked,
            called=f"phase '{phase.name}'",
        )

    def _repr_html_(self) -> str:
        headings = "phase", "mode", "law", "follows", "lasts at most"
        rows = [(p.name, mode_label(p.mode), p.controller.kind, p.motion, f"{p.t_end_s:.9g} s") for p in self.phases]
        title = f"{self.title or self.name}: {self.system.name}, {self.t_end_s:.9g} s at most"
        acts = ", ".join(type(load).__name__ for load in self.loads)
        return html_table(title, headings, rows, [f"What acts on it: {acts or 'nothing, free space'}."])

    def __repr__(self) -> str:
        return f"Mission({self.name!r}, {self.system!r}, phases={len(self.phases)}, t_end_s={self.t_end_s:g})"


def _shifted(progress: Callable[[float], None], start_s: float) -> Callable[[float], None]:
    return lambda t: progress(start_s + t)
