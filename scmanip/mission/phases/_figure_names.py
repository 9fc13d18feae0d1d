"""Which figures a run of a mission has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from ...dynamics import Model
from ...errors import InvalidInput
from ...guidance import PoseReference
from ...report import FIGURES, PlannedRun
from ..values._findings import Findings, table_at
from ._phase import Phase


def planned_run(model: Model, phases: Sequence[Phase], *, touches: bool) -> PlannedRun:
    """Return what decides which figures show something; touches : whether shapes touch rigidly."""
    leads = any(isinstance(phase.reference.at(0.0), PoseReference) for phase in phases)
    return PlannedRun(model.system, tuple(phase.mode for phase in phases), leads, touches)


def figure_names(asked: Sequence[str] | None, run: PlannedRun) -> tuple[str, ...]:
    """Return the figures of a run: those of `asked` that show something of it, without a list the usual ones."""
    if asked is None:
        return tuple(name for name, kind in FIGURES.own.items() if kind.usual(run))
    return tuple(name for name in asked if FIGURES[name].shows(run))


def refuse_empty(findings: Findings, runs: Iterable[PlannedRun]) -> None:
    """Note figures that the file asks for and that would be empty in every run."""
    planned = list(runs)
    asked = table_at(findings.document, ("output",)).get("figures")
    for place, name in enumerate(asked if planned and isinstance(asked, list) else []):
        with suppress(KeyError, InvalidInput, TypeError):  # which the schema reports
            kind = FIGURES[name]
            if not any(kind.shows(run) for run in planned):
                findings.add(("output", "figures", place), kind.needs, repr(name), "leave it out: it would be empty")
