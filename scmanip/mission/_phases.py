"""From `[[phase]]` to phases that are ready to run, each starting where the one before leaves the reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..control import Controller
from ..dynamics import Model
from ..guidance import Reference
from ..modes import Floating, ManoeuvreMode
from ..spatial import Array
from ..system import State, System
from ._control import believed_model, control_law, estimate_source, law_where, refuse_wrong_pair, resolved_control
from ._draft import PhaseDraft
from ._findings import Findings, KeyPath
from ._flown_modes import FlownModes
from ._guidance import check_joint_names, reference_motion, resolved_guidance
from ._modes import equipped, resolved_mode
from ._phase import Phase
from ._source import Source


@dataclass(frozen=True, eq=False)
class BuiltControl:
    """A law, how it depends on the state in which its phase begins, the system it believes in, its table in SI."""

    law: Controller
    where: Callable[[State], Controller] | None
    estimate: Source | None
    table: dict[str, Any]


@dataclass(frozen=True, eq=False)
class BuiltPhase:
    """A phase, its `[[phase]]` table in SI with nothing left out, and the other system that its controller believes in."""

    phase: Phase
    table: dict[str, Any]
    estimate: Source | None


@dataclass(frozen=True, eq=False)
class Builder:
    """Turns the drafts of one mission into phases and notes every problem in `findings`.

    system : of the mission; None where it could not be made, and then only what needs it goes unchecked
    flown : the modes of the drafts
    believed : what controllers believe in that name no estimate; None for what flies
    """

    findings: Findings
    folder: Path
    system: System | None
    flown: FlownModes
    strict: bool
    believed: Model | None = None

    @property
    def model(self) -> Model | None:
        """The simulated model; None where it could not be made."""
        return self.flown.model

    def phases(self, drafts: Sequence[PhaseDraft], q_home: Array) -> Iterator[BuiltPhase]:
        """Yield every phase that could be made; the first starts at `q_home` (n_q,)."""
        names: set[str | None] = set()
        for i, draft in enumerate(drafts):
            if draft.name is not None and draft.name in names:
                self.findings.add(("phase", i, "name"), "a name used once among phases", f"{draft.name!r} again")
            names.add(draft.name)
            built = self._phase(("phase", i), draft, q_home)
            if built is not None:
                q_home = built.phase.reference.at(built.phase.t_end_s).q
                yield built

    def _phase(self, path: KeyPath, draft: PhaseDraft, q_home: Array) -> BuiltPhase | None:
        mode = self.flown.modes[int(path[1])]
        control = self._control((*path, "controller"), draft, mode)
        guidance = self._guidance((*path, "guidance"), draft, q_home)
        self._refuse_no_end(path, draft, None if guidance is None else guidance[0])
        if draft.name is None or mode is None or control is None or guidance is None:
            return None
        reference, guidance_table = guidance
        t_end_s = reference.t_end_s if draft.until_s is None else draft.until_s
        phase = Phase(draft.name, mode, control.law, reference, t_end_s, control.where)
        resolved = {"name": draft.name, "mode": resolved_mode(mode), "controller": control.table, "guidance": guidance_table}
        return BuiltPhase(phase, {**resolved, "until": {"t_s": t_end_s}}, control.estimate)

    def _control(self, path: KeyPath, draft: PhaseDraft, mode: ManoeuvreMode | None) -> BuiltControl | None:
        if draft.controller is None:
            return None
        table, attempt = draft.controller.table, self.findings.attempt
        problems = len(self.findings.problems)
        if mode is not None:
            attempt(path, lambda: refuse_wrong_pair(table, mode))
        pair = len(self.findings.problems) == problems
        resolved = attempt((*path, "pose"), lambda: resolved_control(table))
        if resolved is None:
            return None
        estimate = attempt(path, lambda: estimate_source(table, self.folder, strict=self.strict))
        layout = None if self.system is None else self.system.layout
        own = self.believed or self.model
        believed = own if estimate is None else attempt(path, lambda: believed_model(estimate, layout))
        model = believed or own  # with a bad estimate the gains are checked on the mission's own system
        if model is None:
            return None
        model, its = equipped(model, self.flown.fitting), self.model
        flown_in = mode if mode in self.flown.fitting and pair else Floating()
        law = attempt(path, lambda: control_law(resolved, model, flown_in))
        if law is None:
            return None
        if mode is not None and its is not None and pair:
            attempt(path, lambda: law.check(its, mode))
        return BuiltControl(law, law_where(resolved, model, flown_in), estimate, resolved)

    def _guidance(self, path: KeyPath, draft: PhaseDraft, q_home: Array) -> tuple[Reference, dict[str, Any]] | None:
        guidance, system = draft.guidance, self.system
        if guidance is None or system is None:
            return None
        if not guidance.whole:
            self.findings.attempt(path, lambda: check_joint_names(guidance.table, system))
            return None
        resolved = self.findings.attempt(path, lambda: resolved_guidance(guidance.table, system))
        if resolved is None:
            return None
        reference = self.findings.attempt(path, lambda: reference_motion(resolved, system, q_home, self.model))
        return None if reference is None else (reference, resolved)

    def _refuse_no_end(self, path: KeyPath, draft: PhaseDraft, reference: Reference | None) -> None:
        holds = draft.guidance is not None and draft.guidance.table.type == "hold"
        if draft.is_open and (holds or (reference is not None and not reference.t_end_s > 0)):
            self.findings.add((*path, "until"), "until = { t_s = number }, as the guidance has no end", "nothing")
