"""From a mission file to a mission, with every mistake of the file and of its system reported at once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from ..dynamics import Model, compile_model
from ..errors import (
    ConstraintRankLoss,
    InconsistentConstraints,
    InvalidInput,
    InvalidMission,
    Problem,
    checked,
    checked_as,
    refuse,
)
from ..loads import Load
from ..navigation import Observation
from ..plant import Plant, RigidContact
from ..report import PlannedRun
from ..simulation import Switch, sample_problems
from ..spatial import Array
from ..system import State, System, TomlDocument, degree_doubts, other_kind, schema_problems
from ._mission import Mission
from ._packaged import named_file
from .file._draft import PhaseDraft
from .file._flights import flights, labels
from .file._flown_modes import FlownModes
from .file._hardware import Hardware
from .file._initial import initial_state, resolved_initial
from .file._integration import Integration
from .file._limits import limits, refuse_no_tip, resolved_limits
from .file._mission_file import filled, mission_file
from .file._objects import objects_in, with_objects
from .file._schema import MOST_PHASES, SCHEMA, MissionFile
from .file._switches import read_switches, refuse_idle_releases, refuse_late, refuse_wrong_switching
from .file._touching import read_contacts, striking
from .integrators._integration_table import IntegrationTable
from .loads._load_table import LoadTable
from .phases._figure_names import figure_names, planned_run, refuse_empty
from .phases._held import unknown_grasps
from .phases._missing_gains import suggest_missing_gains
from .phases._observed import read_observation, refuse_unseen
from .phases._phases import Builder, BuiltPhase, ReadPhase
from .phases._switching import switches_of
from .phases._ways import longest_s
from .phases._written import Written
from .values._findings import Findings, KeyPath
from .values._sound import Sounds
from .values._source import NamedSystems, SaidBeside, Source


@checked
def load_mission(path: str | os.PathLike[str], *, strict: bool = False, own: Mapping[str, Any] | None = None) -> Mission:
    """Read a mission file (`scmanip.mission/1`) and the system files that it names.

    path : of the file, or "mission:name" of a packaged one
    strict : also refuse what `Mission.warnings()` lists
    own : objects of Python that the file names, or that stand in the place of what it says: laws by "phase.NAME.controller",
        references by "phase.NAME.guidance", a `System` by "system"; `Mission.own` has them
    Raises `InvalidMission` with every problem of all files at once, each with file, line and column.

    >>> mission = load_mission("mission:planar_four_link")
    >>> mission.name, mission.model.system.name, [phase.name for phase in mission.phases]
    ('planar_four_link', 'planar-four-link', ['joint_sequence'])
    """
    path = named_file(path)
    try:
        document = TomlDocument.read(path)
    except InvalidInput as error:
        raise InvalidMission(error.problems) from None
    refuse(degree_doubts(document) if strict else (), InvalidMission)
    return mission_of(*with_objects(document, NamedSystems(Path(path).parent, strict), own or {}))


@checked_as(InvalidMission)
def mission_of(document: TomlDocument, sources: NamedSystems, *, hardware: Hardware | None = None) -> Mission:
    """Return the mission of a document; raises as `load_mission` does.

    sources : the systems that it may name
    hardware : what flies, and what controllers believe in, in place of what the document names

    >>> from scmanip.system import TomlDocument
    >>> path = named_file("mission:planar_four_link")
    >>> mission_of(TomlDocument.read(path), NamedSystems(path.parent)).name
    'planar_four_link'
    """
    _refuse_other_files(document)
    _refuse_too_many(document)
    return _Reading(document, sources, hardware).mission()


def _again(document: TomlDocument, sources: NamedSystems, hardware: Hardware | None, own: Mapping[str, Any]) -> Mission:
    """Return the mission with further objects of Python in it; raises as `load_mission` does."""
    if hardware is not None and "system" in own:
        raise InvalidMission(Problem("system", "the mission of a file", "a case of a study, which has a system of its own"))
    return mission_of(*with_objects(document, sources, own), hardware=hardware)


@dataclass(frozen=True, eq=False)
class _Flight:
    """The phases of one run, and the model with what its modes add to it."""

    model: Model
    phases: list[BuiltPhase]

    @property
    def t_end_s(self) -> float:
        """Duration [s] of all phases."""
        return longest_s([part.phase for part in self.phases])

    def figured(self, contacts: Sequence[RigidContact]) -> PlannedRun:
        """Return what decides which figures show something."""
        return planned_run(self.model, [part.phase for part in self.phases], touches=bool(contacts))


@dataclass(frozen=True, eq=False)
class _Plan:
    """The phases of one run as they are read, and where (n_q,) the joints start."""

    builder: Builder
    read: list[ReadPhase]
    q_home: Array

    def flight(self) -> _Flight | None:
        """Return the run with all motions in it; None where its model could not be made."""
        phases, model = list(self.builder.phases(self.read, self.q_home)), self.builder.model
        return None if model is None else _Flight(model, phases)


class _Reading:
    """One pass over a document: what is right becomes parts, everything else becomes findings, each for itself."""

    def __init__(self, document: TomlDocument, sources: NamedSystems, hardware: Hardware | None) -> None:
        self.document, self.sources, self.hardware = document, sources, hardware
        self.compiled = compile_model if hardware is None else hardware.compiled
        self.findings, self.file = Findings(document), mission_file(document, objects_in(document, sources).get("system"))
        self.data, self.sounds = filled(document), Sounds()

    def mission(self) -> Mission:
        """Return the mission; raises `InvalidMission`."""
        table, source = self._file(), self._source()
        system = None if source is None else source.system
        model = None if system is None else self.findings.attempt(("system",), lambda: self.compiled(system))
        initial = None if system is None else self._initial(system)
        drafts = self._drafts()
        read = [self._plan(phases, system, model, initial) for phases in flights(self.findings, drafts)]
        outside = self._loads(system, model)
        names = self._load_names(outside)
        switched = read_switches(self.findings, self.sounds, drafts, system, names)
        touching = read_contacts(self.findings, self.sounds, system)
        judged = None if system is None else self._limits(system, striking(system, switched[0], touching[0]))
        observed = read_observation(self.findings, self.sounds)
        refuse_wrong_switching(self.findings, drafts, system, names)
        if system is not None:
            refuse_idle_releases(self.findings, drafts, system, switched[0])
        refuse_no_tip(self.findings, drafts)
        for plan in read[:1]:
            suggest_missing_gains(self.findings, plan.builder)
        planned = [flight for plan in read if (flight := plan.flight()) is not None]
        whole = [flight.figured(touching[0]) for flight in planned if len(flight.phases) == len(drafts)]
        refuse_empty(self.findings, whole if len(whole) == len(read) else [])
        self._refuse_two_orbits(outside, planned)
        for flight in planned if len(whole) == len(read) else ():
            refuse_unseen(self.findings, observed[0], flight.model, flight.phases)
        self._refuse_unknown_grasps(planned, drafts, switched[0])
        if system is not None and initial is not None:
            start = initial_state(initial, system)
            self._refuse_wrong_start([load for _, load in outside.values()], planned, start, switched[0], touching[0])
        if table is not None:
            self._refuse_wrong_steps(table.integration, planned)
        if table is not None and len(whole) == len(read):
            refuse_late(self.findings, max((flight.t_end_s for flight in planned), default=np.inf))
        self.findings.refuse_if_any()
        if table is None or source is None or model is None or initial is None or judged is None:
            raise InvalidMission(self.findings.problems)
        made = [self._made(table, source, flight, initial, judged, outside, switched, touching, observed) for flight in planned]
        names = labels(drafts)
        if not names:
            return made[0]
        first, alternatives = made[0], dict(zip(names, made, strict=True))
        parts = {**first.written.parts, "alternatives": alternatives}
        return replace(
            first, written=replace(first.written, resolved=_with_modes(made), parts=parts), alternatives=alternatives
        )

    def _made(
        self,
        table: MissionFile,
        source: Source,
        flight: _Flight,
        initial: dict[str, Any],
        judged: dict[str, Any],
        outside: Mapping[KeyPath, tuple[dict[str, Any], Load]],
        switched: tuple[tuple[Switch, ...], list[dict[str, Any]]],
        touching: tuple[tuple[RigidContact, ...], list[dict[str, Any]]],
        observed: tuple[Observation | None, dict[str, Any]],
    ) -> Mission:
        built, model = flight.phases, flight.model
        phases = tuple(part.phase for part in built)
        integration = Integration.of(table.integration, flight.t_end_s)
        figures = figure_names(table.output.figures, flight.figured(touching[0]))
        whole = {"contact": touching[1], "switch": switched[1], **observed[1]}
        resolved = {
            "schema": SCHEMA,
            "name": table.name,
            "title": table.title,
            "system": table.system,
            "initial": initial,
            "phase": [part.table for part in built],
            **{key: value for key, value in {**_tables(outside), **whole}.items() if value},
            "integration": integration.table,
            "limits": judged,
            "output": {"figures": list(table.output.figures or figures)},
        }
        parts: dict[str, Any] = {
            "name": table.name,
            "title": table.title,
            "model": model,
            "initial": initial_state(initial, source.system).of_layout(model.layout),
            "phases": phases,
            "loads": tuple(load for _, load in outside.values()),
            "switches": switched[0],
            "contacts": touching[0],
            "observation": observed[0],
            "integration": integration,
            "limits": limits(judged),
            "figure_names": figures,
            "alternatives": {},
        }
        estimates = tuple(part.estimate for part in built)
        believed = None if self.hardware is None else self.hardware.believed
        own, again = objects_in(self.document, self.sources), partial(_again, self.document, self.sources, self.hardware)
        written = Written(self.document.file, self.document.text, resolved, source, estimates, parts, believed, own, again)
        return Mission(**parts, written=written)

    def _refuse_unknown_grasps(
        self, planned: Sequence[_Flight], drafts: Sequence[PhaseDraft], switches: Sequence[Switch]
    ) -> None:
        """Note laws that are to know what they carry under constraints of which they cannot; other mistakes come first."""
        for flight in [] if self.findings.problems else planned:
            for k, problem in unknown_grasps([part.phase for part in flight.phases], flight.model.system, switches):
                at = ("phase", k, *drafts[k].controller_at[0], "carrying")
                self.findings.add(at, problem.expected, problem.found)

    def _refuse_wrong_steps(self, table: IntegrationTable, planned: Sequence[_Flight]) -> None:
        """Note steps that do not go with the integrator, or are too many for the memory, and samples too far apart.

        With other mistakes it is not known how long the mission is, than which no step between samples may be longer.
        """
        step_s, t_end_s = table.output_step_s, max((flight.t_end_s for flight in planned), default=np.inf)
        for flight in planned:
            problems = sample_problems("output_step_s", flight.t_end_s, step_s, flight.model.layout.n_x)
            self.findings.place(("integration",), problems + table.problems(flight.t_end_s))
        if step_s is not None and not self.findings.problems and step_s > t_end_s * (1 + 1e-12):
            expected = f"at most the duration of the mission, {t_end_s:g} s"
            self.findings.add(("integration", "output_step_s"), expected, f"{step_s:g} s")

    def _source(self) -> Source | None:
        given = self.document.data.get("system")
        if not isinstance(given, str) or not given:
            return None
        if self.hardware is not None:
            return self.hardware.source
        return self.findings.attempt((), lambda: self.sources.read("system", given, SaidBeside.of(self.document.data)))

    def _file(self) -> MissionFile | None:
        """Return the whole file as the schema has it; None when anything in it is of the wrong kind."""
        try:
            return self.file.model_validate(self.data, context=self.sounds)
        except ValidationError as error:
            self.findings.problems += schema_problems(self.document, error, self.file)
            return None

    def _initial(self, system: System) -> dict[str, Any] | None:
        table = self.sounds.of(self.data.get("initial"))
        return None if table is None else self.findings.attempt(("initial",), lambda: resolved_initial(table, system))

    def _drafts(self) -> list[PhaseDraft]:
        given = self.data.get("phase")
        return [PhaseDraft.read(phase, self.sounds) for phase in given] if isinstance(given, list) else []

    def _plan(
        self, drafts: Sequence[PhaseDraft], system: System | None, model: Model | None, initial: dict[str, Any] | None
    ) -> _Plan:
        flown = FlownModes.of(self.findings, drafts, model)
        q_home, start = np.zeros(0) if system is None else system.layout.neutral(), None
        if system is not None and initial is not None:
            start = initial_state(initial, system)
            q_home = start.q
            start = start if flown.model is None else start.of_layout(flown.model.layout)
        free = not {"environment", "load"} & self.document.data.keys()
        believed = None if self.hardware is None else self.hardware.believed_model
        builder = Builder(self.findings, self.sources, system, start, flown, free, believed)
        return _Plan(builder, builder.read(drafts), q_home)

    def _refuse_two_orbits(self, outside: Mapping[KeyPath, tuple[Any, Load]], planned: Sequence[_Flight]) -> None:
        """Note loads that do not go together."""
        loads = [load for _, load in outside.values()]
        for flight in planned if len(loads) > 1 and not self.findings.problems else ():
            self.findings.attempt(("load",), partial(Plant, flight.model, flight.phases[0].phase.mode, loads))

    def _refuse_wrong_start(
        self,
        loads: Sequence[Load],
        planned: Sequence[_Flight],
        start: State,
        switches: Sequence[Switch],
        contacts: Sequence[RigidContact],
    ) -> None:
        """Note what is too deep in something else where the mission begins, and what its constraints do not allow there."""
        held = any(flight.model.system.constraints for flight in planned)
        for flight in planned if (loads or held or contacts) and not self.findings.problems else ():
            phase = flight.phases[0].phase
            plant = Plant(flight.model, phase.mode, loads, contacts=contacts)
            state = plant.at_rest(start.of_layout(flight.model.layout))
            names = plant.constraints
            for switch in switches_of(phase, 0.0, switches):
                names = switch.after(names) if switch.t_s == 0.0 else names
            self._refuse_unmet(plant, names, state)
            for problem in () if self.findings.problems else plant.start_problems(state):
                self.findings.add(("initial",), problem.expected, problem.found, problem.hint)

    def _refuse_unmet(self, plant: Plant, names: Sequence[str], state: State) -> None:
        """Note constraints that cannot begin to hold in a state."""
        try:
            for each in dict.fromkeys([plant.constraints, tuple(names)]):
                plant.under(each, state)
        except InvalidInput as error:
            for problem in error.problems:
                self.findings.add(("initial",), f"{problem.key}: {problem.expected}", problem.found, problem.hint)
        except (InconsistentConstraints, ConstraintRankLoss) as error:
            self.findings.add(("initial",), "constraints that can hold together", "a conflict", str(error))

    def _loads(self, system: System | None, model: Model | None) -> dict[KeyPath, tuple[dict[str, Any], Load]]:
        """Return what acts from outside by where the file says it: each table in SI, and the load."""
        given = self.data.get("load")
        tables: dict[KeyPath, object] = {("environment",): self.data.get("environment")}
        tables |= {("load", k): table for k, table in enumerate(given if isinstance(given, list) else [])}
        found, names = dict[KeyPath, tuple[dict[str, Any], Load]](), set[str]()
        for place, table in tables.items():
            sound = self.sounds.of(table)
            if sound is None:
                continue
            if sound.table.called in names:
                self.findings.add((*place, "name"), "a name used once among loads", f"{sound.table.called!r} again")
            names.add(sound.table.called)
            made = self.findings.attempt(place, partial(_load_of, sound.table, system, model))
            if made is not None:
                found[place] = made
        return found

    def _load_names(self, outside: Mapping[KeyPath, tuple[Any, Load]]) -> list[str] | None:
        """Return what the loads are called; None where some could not be made."""
        given = self.data.get("load", [])
        whole = isinstance(given, list) and len(outside) == len(given) + ("environment" in self.data)
        return [load.called for _, load in outside.values()] if whole else None

    def _limits(self, system: System, places: Sequence[str]) -> dict[str, Any] | None:
        sound = self.sounds.of(self.data["limits"])
        return (
            None if sound is None else self.findings.attempt(("limits",), partial(resolved_limits, sound.table, system, places))
        )


def _load_of(table: LoadTable, system: System | None, model: Model | None) -> tuple[dict[str, Any], Load] | None:
    """Return a table in SI and its load; None where there is no system; raises `InvalidInput`, `ModeMismatch`."""
    resolved = table.resolved()
    if system is None:
        return None
    load = table.load(resolved, system)
    if model is not None:
        load.check(model)
    return resolved, load


def _tables(outside: Mapping[KeyPath, tuple[dict[str, Any], Load]]) -> dict[str, Any]:
    """Return the tables of loads in SI as the file has them."""
    environment = next((table for place, (table, _) in outside.items() if place == ("environment",)), None)
    return {"environment": environment, "load": [table for place, (table, _) in outside.items() if len(place) > 1]}


def _with_modes(missions: Sequence[Mission]) -> dict[str, Any]:
    """Return the resolved table of all runs: that of the first with `modes` in phases that are flown in several."""
    resolved = dict(missions[0].resolved)
    phases = []
    for tables in zip(*(mission.resolved["phase"] for mission in missions), strict=True):
        modes = [table["mode"] for table in tables]
        rest = {key: value for key, value in tables[0].items() if key != "mode"}
        varied = any(mode != modes[0] for mode in modes)
        phases.append({"name": rest.pop("name"), **({"modes": modes} if varied else {"mode": modes[0]}), **rest})
    if any(mission.resolved["output"] != resolved["output"] for mission in missions):
        del resolved["output"]  # every run has those that suit its mode
    return {**resolved, "phase": phases}


def _refuse_too_many(document: TomlDocument) -> None:
    """Refuse more phases than can be looked at before any is."""
    phases = document.data.get("phase")
    if isinstance(phases, list) and len(phases) > MOST_PHASES:
        problem = document.problem(("phase", MOST_PHASES), f"at most {MOST_PHASES} phases", f"{len(phases):,}")
        raise InvalidMission(problem)


def _refuse_other_files(document: TomlDocument) -> None:
    """A file of another kind gets one sentence, not a list of everything that a mission file would hold."""
    found = document.data.get("schema")
    if found == SCHEMA or (found is None and document.data.keys() & {"phase", "initial", "system"}):
        return
    raise InvalidMission(other_kind(document, SCHEMA))
