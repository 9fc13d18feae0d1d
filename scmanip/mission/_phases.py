"""From `[[phase]]` to phases that are ready to run, each starting where the one before leaves the reference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..control import Controller
from ..dynamics import Model
from ..guidance import Reference
from ..modes import ManoeuvreMode
from ..spatial import Array
from ._control import control_law, estimate_source, resolved_control
from ._findings import Findings
from ._guidance import reference_motion, resolved_guidance
from ._modes import mode_called
from ._phase import Phase
from ._source import Source

if TYPE_CHECKING:
    from ._schema import PhaseTable


@dataclass(frozen=True, eq=False)
class BuiltPhase:
    """A phase, its `[[phase]]` table in SI with nothing left out, and the other system that its controller believes in."""

    phase: Phase
    table: dict[str, Any]
    estimate: Source | None


@dataclass(frozen=True, eq=False)
class Builder:
    """Turns the tables of one mission into phases and notes every problem in `findings`."""

    findings: Findings
    folder: Path
    model: Model
    strict: bool

    def phases(self, tables: list[PhaseTable | None], q_home: Array) -> Iterator[BuiltPhase]:
        """Yield every phase that could be made; the first starts at `q_home` (n_q,)."""
        names: set[str] = set()
        for i, table in enumerate(tables):
            built = None if table is None else self._phase(("phase", i), table, q_home)
            if built is not None:
                if built.phase.name in names:
                    self.findings.add(("phase", i, "name"), "a name used once among phases", f"{built.phase.name!r} again")
                names.add(built.phase.name)
                q_home = built.phase.reference.at(built.phase.t_end_s).q
                yield built

    def _phase(self, path: tuple[str | int, ...], table: PhaseTable, q_home: Array) -> BuiltPhase | None:
        attempt = self.findings.attempt
        mode = attempt((*path, "mode"), lambda: self._mode(table))
        control = attempt((*path, "controller"), lambda: self._control(table, mode))
        guidance = attempt((*path, "guidance"), lambda: self._guidance(table, q_home))
        if mode is None or control is None or guidance is None:
            return None
        law, estimate, control_table = control
        reference, guidance_table = guidance
        t_end_s = reference.t_end_s if table.until is None else table.until.t_s
        if not t_end_s > 0:
            self.findings.add((*path, "until"), "until = { t_s = number }, as the guidance has no end", "nothing")
            return None
        phase = Phase(table.name, mode, law, reference, t_end_s)
        resolved = {"name": table.name, "mode": mode.name, "controller": control_table, "guidance": guidance_table}
        return BuiltPhase(phase, {**resolved, "until": {"t_s": t_end_s}}, estimate)

    def _mode(self, table: PhaseTable) -> ManoeuvreMode:
        mode = mode_called(table.mode)
        mode.check(self.model)
        return mode

    def _control(self, table: PhaseTable, mode: ManoeuvreMode | None) -> tuple[Controller, Source | None, dict[str, Any]]:
        resolved = resolved_control(table.controller)
        estimate = estimate_source(table.controller, self.folder, strict=self.strict)
        law = control_law(resolved, self.model, estimate)
        if mode is not None:
            law.check(self.model, mode)
        return law, estimate, resolved

    def _guidance(self, table: PhaseTable, q_home: Array) -> tuple[Reference, dict[str, Any]]:
        resolved = resolved_guidance(table.guidance, self.model.system)
        return reference_motion(resolved, self.model.system, q_home), resolved
