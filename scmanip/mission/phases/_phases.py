"""From `[[phase]]` to phases that are ready to run, each starting where the one before leaves the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...control import Controller, Sampled
from ...dynamics import Model
from ...errors import folded, nearest
from ...guidance import PoseReference, ReferenceMotion
from ...modes import Floating, ManoeuvreMode
from ...simulation import SWITCHED, Coordinates, FullState, MomentumReduced, command_problems
from ...spatial import Array
from ...system import State, System
from ..controllers._control import ControllerTable, believed_model, estimate_source, law_of, modes_seen, refuse_wrong_pair
from ..events._phase_events import PhaseEvents, read_events
from ..file._draft import PhaseDraft
from ..file._families import CONTROLLERS, GUIDANCE
from ..file._flown_modes import FlownModes
from ..guidances._guidance import planned
from ..values._fields import quoted
from ..values._findings import Findings, KeyPath, table_at
from ..values._modes import equipped, mode_label, resolved_mode
from ..values._source import NamedSystems, Source
from ._phase import Phase
from ._written import ends


@dataclass(frozen=True, eq=False)
class BuiltControl:
    """A law, the system it believes in, its table or tables in SI."""

    law: Controller
    estimate: Source | None
    table: dict[str, Any] | list[dict[str, Any]]


@dataclass(frozen=True, eq=False)
class BuiltPhase:
    """A phase, its `[[phase]]` table in SI with nothing left out, and the other system that its controller believes in."""

    phase: Phase
    table: dict[str, Any]
    estimate: Source | None


@dataclass(frozen=True, eq=False)
class ReadPhase:
    """A phase as far as it can be made before it is known where it begins; None for what is wrong or missing."""

    path: KeyPath
    draft: PhaseDraft
    mode: ManoeuvreMode | None
    control: BuiltControl | None
    guidance: dict[str, Any] | None
    events: tuple[PhaseEvents, list[dict[str, Any]]] | None
    coordinates: Coordinates | None


@dataclass(frozen=True, eq=False)
class Builder:
    """Turns the drafts of one mission into phases and notes every problem in `findings`.

    system : of the mission; None where it could not be made, and then only what needs it goes unchecked
    initial : where the mission starts; None likewise
    in_free_space : whether the mission has no loads
    flown : the modes of the drafts
    believed : what controllers believe in that name no estimate; None for what flies
    """

    findings: Findings
    sources: NamedSystems
    system: System | None
    initial: State | None
    flown: FlownModes
    in_free_space: bool
    believed: Model | None = None

    @property
    def model(self) -> Model | None:
        """The simulated model; None where it could not be made."""
        return self.flown.model

    def read(self, drafts: Sequence[PhaseDraft]) -> list[ReadPhase]:
        """Return what the drafts say, without the motions, which take longer."""
        self._refuse_names_used_twice(drafts)
        self._refuse_wrong_ways(drafts)
        return [self._read(("phase", i), draft) for i, draft in enumerate(drafts)]

    def phases(self, read: Sequence[ReadPhase], q_home: Array) -> Iterator[BuiltPhase]:
        """Yield every phase that could be made; the first starts at `q_home` (n_q,)."""
        for part in read:
            built = self._phase(part, q_home)
            if built is not None:
                q_home = self._left(built.phase, q_home)
                yield built

    def _refuse_names_used_twice(self, drafts: Sequence[PhaseDraft]) -> None:
        """Note names that several phases have."""
        names = set[str]()
        for i, draft in enumerate(drafts):
            name = folded(draft.name or "")
            if name and name in names:
                self.findings.add(("phase", i, "name"), "a name used once among phases", f"{draft.name!r} again")
            names.add(name)

    def _refuse_wrong_ways(self, drafts: Sequence[PhaseDraft]) -> None:
        """Note branches to phases that are not there, or that come before."""
        names = [draft.name for draft in drafts]
        for i, draft in enumerate(drafts):
            listed = isinstance(table_at(self.findings.document, ("phase", i)).get("on"), list)
            for k, branch in enumerate(draft.on):
                later = [name for name in names[i + 1 :] if name is not None]
                if branch.phase not in later and None not in names:
                    at = ("phase", i, "on", k, "phase") if listed else ("phase", i, "on", "phase")
                    expected = f"a later phase, one of {', '.join(later)}" if later else "a later phase, and this is the last"
                    self.findings.add(at, expected, repr(branch.phase), nearest(branch.phase, later))

    def _read(self, path: KeyPath, draft: PhaseDraft) -> ReadPhase:
        mode = self.flown.modes[int(path[1])]
        control = self._control(path, draft, mode)
        self._refuse_other_guidance(path, draft)
        guidance = self._resolved_guidance((*path, "guidance"), draft)
        events = read_events(self.findings, path, draft, self.system)
        return ReadPhase(path, draft, mode, control, guidance, events, self._coordinates(path, draft, mode))

    def _phase(self, read: ReadPhase, q_home: Array) -> BuiltPhase | None:
        path, draft, mode, control, events = read.path, read.draft, read.mode, read.control, read.events
        reference = self._guidance((*path, "guidance"), read, q_home)
        self._refuse_no_end(path, draft, reference)
        if draft.name is None or mode is None or control is None or reference is None or events is None:
            return None
        t_end_s = reference.t_end_s if draft.until_s is None else draft.until_s
        if not t_end_s > 0:  # refused where it is written
            return None
        if isinstance(control.law, Sampled):
            at = next((at for at, table in draft.laws if table.rate_Hz is not None), ("controller",))
            self.findings.place((*path, *at), command_problems("rate_Hz", t_end_s, control.law.rate_Hz))
        looked_for, tables = events
        switched = {key: names for key in SWITCHED if (names := getattr(draft, key))}
        switched |= {"push_off_m_s": tuple(draft.push_off_m_s)} if draft.push_off_m_s else {}
        phase = Phase(draft.name, mode, control.law, reference, t_end_s, looked_for, read.coordinates, **switched)
        resolved: dict[str, Any] = {
            "name": draft.name,
            "mode": resolved_mode(mode),
            "controller": control.table,
            "guidance": read.guidance,
        }
        resolved |= {"events": tables} if tables else {}
        resolved |= {"on": [branch.model_dump(exclude_none=True) for branch in draft.on]} if draft.on else {}
        resolved |= {"coordinates": draft.coordinates} if draft.coordinates else {}
        resolved |= {key: list(names) for key, names in switched.items()}
        return BuiltPhase(phase, {**resolved, "until": ends(phase)}, control.estimate)

    def _left(self, phase: Phase, q_home: Array) -> Array:
        """Return (n_q,) where the plan has the joints when a phase ends; after a reach, before it is flown, where it began."""
        sample = phase.reference.at(phase.t_end_s)
        return q_home if isinstance(sample, PoseReference) else sample.q

    def _coordinates(self, path: KeyPath, draft: PhaseDraft, mode: ManoeuvreMode | None) -> Coordinates | None:
        """Return what a phase integrates; notes where momentum may change."""
        if draft.coordinates != "momentum_reduced":
            return FullState() if draft.coordinates == "full" else None
        reduced = MomentumReduced()
        if not self.in_free_space:
            expected, hint = "'full' beside an [environment] or a [[load]]", "they change the momentum"
            self.findings.add((*path, "coordinates"), expected, "'momentum_reduced'", hint)
        if mode is not None and self.model is not None and (obstacle := reduced.obstacle(self.model, mode, ())):
            hint = f"what is reduced needs {obstacle}"
            self.findings.add((*path, "coordinates"), f"'full' in mode '{mode_label(mode)}'", "'momentum_reduced'", hint)
        return reduced

    def _refuse_other_guidance(self, path: KeyPath, draft: PhaseDraft) -> None:
        """Note a controller that leads a frame beside a reference of joints, or the other way round."""
        if draft.guidance is None:
            return
        motion = draft.guidance.table
        for at, law in draft.laws:
            if motion.samples in law.leads:
                continue
            place, beside, found = (*at, "type"), f"the guidance {motion.type!r}", law.type
            if motion.samples is PoseReference:
                expected = quoted(word for word, kind in CONTROLLERS.own.items() if kind.follows == (motion.samples,))
                hint = "it finds the joint rates that move a frame"
            else:
                expected = quoted(word for word, kind in GUIDANCE.own.items() if kind.gives in law.leads)
                hint = "a resolved rate leads a frame, not joints"
                place, beside, found = ("guidance", "type"), f"the controller {law.type!r}", motion.type
            self.findings.add((*path, *place), f"{expected} beside {beside}", repr(found), hint)

    def _control(self, path: KeyPath, draft: PhaseDraft, mode: ManoeuvreMode | None) -> BuiltControl | None:
        found, attempt = draft.laws, self.findings.attempt
        if len(found) < len(draft.controller):
            return None
        problems = len(self.findings.problems)
        if mode is not None:
            for (at, table), seen in zip(found, modes_seen([table for _, table in found], mode), strict=True):
                attempt((*path, *at), partial(refuse_wrong_pair, table, seen, CONTROLLERS.own.values()))
        pair = len(self.findings.problems) == problems
        resolved = [attempt((*path, *at, "pose"), table.resolved) for at, table in found]
        estimate, place = self._estimate(path, found), (*path, *draft.controller_at[0][: 2 if len(found) == 1 else 1])
        layout = None if self.system is None else self.system.layout
        own = self.believed or self.model
        believed = own if estimate is None else attempt(place, lambda: believed_model(estimate, layout))
        model = believed or own  # with a bad estimate the gains are checked on the mission's own system
        if model is None or None in resolved:
            return None
        model, its, problems = equipped(model, self.flown.fitting), self.model, len(self.findings.problems)
        held = not pair and model.layout.fixed  # no law that drives a base can be made here
        for at, table in found if held or len(found) > 1 else ():
            attempt((*path, *at), partial(table.gains, model.system))
        if held or len(self.findings.problems) > problems:
            return None
        flown_in = mode if mode in self.flown.fitting and pair else Floating()
        law = attempt(place, lambda: law_of([table for _, table in found], model, flown_in))
        if law is None:
            return None
        if mode is not None and its is not None and pair:
            attempt(place, lambda: law.check(its, mode))
        return BuiltControl(law, estimate, draft.as_given([table for table in resolved if table is not None]))

    def _estimate(self, path: KeyPath, found: Sequence[tuple[KeyPath, ControllerTable]]) -> Source | None:
        """Return the system that a law believes in, None when it is the mission's own; notes one that is said too late."""
        for at, table in found[1:]:
            for key in ("estimate", "carrying"):
                if (said := getattr(table, key)) is not None:
                    expected = f"{key} in the first table, for all of the law"
                    self.findings.add((*path, *at, key), expected, repr(said))
        at, first = found[0]
        if first.carrying and self.system is not None and not any(one.joins for one in self.system.constraints):
            self.findings.add((*path, *at, "carrying"), "a system with a constraint that joins bodies, such as a weld", "none")
        return self.findings.attempt((*path, *at), lambda: estimate_source(first, self.sources))

    def _resolved_guidance(self, path: KeyPath, draft: PhaseDraft) -> dict[str, Any] | None:
        guidance, system = draft.guidance, self.system
        if guidance is None or system is None:
            return None
        if not guidance.whole:
            self.findings.attempt(path, lambda: guidance.table.check_names(system))
            return None
        return self.findings.attempt(path, lambda: guidance.table.resolved(system))

    def _guidance(self, path: KeyPath, read: ReadPhase, q_home: Array) -> ReferenceMotion | None:
        system, model, resolved, guidance = self.system, self.model, read.guidance, read.draft.guidance
        if resolved is None or system is None or guidance is None or (guidance.table.slow and self.findings.problems):
            return None

        start = self.initial
        return self.findings.attempt(path, lambda: planned(guidance.table, resolved, system, q_home, model, start))

    def _refuse_no_end(self, path: KeyPath, draft: PhaseDraft, reference: ReferenceMotion | None) -> None:
        holds = draft.guidance is not None and draft.guidance.table.endless
        if draft.is_open and (holds or (reference is not None and not reference.t_end_s > 0)):
            self.findings.add(
                (*path, "until"),
                "until = { t_s = number } or { event = name, timeout_s = number }, as the guidance has no end",
                "nothing",
            )
