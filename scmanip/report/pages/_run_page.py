"""The report of one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...analysis import MomentumShares, SwitchAccount
from ...errors import checked
from ...simulation import BaseDisturbance, History, Outcome
from ..figures._panels import Figure, mode_words
from ..verdicts._summary import shown, valued
from ..verdicts._verdict import Verdict, Word
from ._compliance import compliance_of_run, compliance_table, margin
from ._constraint_tables import constraint_tables
from ._equations_used import equations_used
from ._page import Block, Formulas, Picture, ReportPage, Section, TextTable, Words
from ._page import provenance as provenance_blocks
from ._phase_account import PhaseAccount, gain_table, phase_table
from ._start_table import start_table
from ._system_tables import system_tables
from ._work_budget import work_budget


@checked
def run_page(
    title: str,
    history: History,
    verdicts: Sequence[Verdict],
    *,
    disturbance: BaseDisturbance | None = None,
    pictures: Mapping[str, Figure] | None = None,
    broken_laws: Sequence[str] = (),
    open_points: Sequence[str] = (),
    checks: Sequence[Block] = (),
    provenance: Mapping[str, str] | None = None,
    command: str | None = None,
    phases: Sequence[PhaseAccount] = (),
    stretches: Sequence[tuple[float, History]] = (),
    switches: Sequence[SwitchAccount] = (),
    shares: Sequence[MomentumShares] = (),
    motion: Sequence[Block] = (),
) -> ReportPage:
    """Return the report of a run: verdicts, compliance, motion, system, initial state, phases, constraints, budgets,
    figures, laws, events, equations, checks, provenance.

    title : of the mission; pictures : figures by name
    broken_laws : those that the modes promise and the run breaks
    open_points : what errors of the integration leave open, in sentences
    checks : what `scmanip verify` found; provenance : what made the run, by name; command : its line
    phases : what was flown; stretches : starts [s] and histories of those parts of the run that were flown in one mode
    switches : what switches of constraints did; shares : who had which part of the momentum then and at the ends
    motion : pictures of it, as of `motion_blocks`

    >>> page = run_page("A slew", history, verdicts(history, Limits()))
    >>> page.title, [section.heading for section in page.sections][:3]
    ('A slew', ['Verdicts', 'Compliance', 'Motion'])
    """
    completed = history.outcome is Outcome.COMPLETED
    asked = [verdict for verdict in verdicts if verdict.limit is not None]
    failed = sum(verdict.word is Word.FAILED for verdict in asked)
    system = history.system
    sections = (
        Section("Verdicts", [_verdict_table(verdicts), *(Words(sentence, "open") for sentence in open_points)]),
        Section("Compliance", [compliance_table(compliance_of_run(asked, _analysis(history, phases)))] if asked else []),
        Section("Motion", motion),
        Section("System", system_tables(system)),
        Section("Initial state", [start_table(history)]),
        Section("Phases", [phase_table(phases), gain_table(phases)] if phases else []),
        Section("Constraints", constraint_tables(history, switches, shares)),
        Section("Budgets", budgets(history, disturbance)),
        Section("Figures", [Picture(name, figure) for name, figure in (pictures or {}).items()]),
        Section("Laws promised", [_law_table(stretches or [(0.0, history)])]),
        Section("Events", _events(history, phases)),
        Section("Equations", [Formulas(equations_used(fixed=system.fixed, laws=[e for p in phases for e in p.equations]))]),
        Section("Formulations checked", checks),
        Section("Provenance", provenance_blocks(provenance or {}, command)),
    )
    subtitle = f"{system.name}, {system.freedom_words}, {_analysis(history, phases)}"
    return ReportPage(title, subtitle, _verdict(completed, history, failed, len(asked), broken_laws, open_points), sections)


def _analysis(history: History, phases: Sequence[PhaseAccount] = ()) -> str:
    """Return in which modes it was flown, one after the other, and for how long."""
    modes = [phase.mode for phase in phases] or [mode_words(history.mode.name)]
    changes = [mode for mode, before in zip(modes, ["", *modes], strict=False) if mode != before]
    return f"{' then '.join(changes)}, {history.t[-1]:.4g} s"


def _verdict(
    completed: bool, history: History, failed: int, asked: int, broken_laws: Sequence[str], open_points: Sequence[str]
) -> Words:
    if not completed:
        return Words(f"The run did not complete: {history.outcome}. {history.advice}", "bad")
    if broken_laws:
        return Words(f"The run completed, but breaks laws that its mode promises: {', '.join(broken_laws)}.", "bad")
    if failed:
        return Words(f"The run completed and broke {failed} of its {asked} limits.", "bad")
    if open_points:
        return Words("The run completed, but errors of its integration leave open whether what it says holds.", "open")
    if not asked:
        return Words("The run completed. The mission sets no limits to judge it by.", "unasked")
    return Words(f"The run completed within all its {asked} limits." if asked > 1 else "The run kept its limit.", "good")


def _verdict_table(verdicts: Sequence[Verdict]) -> TextTable:
    rows = [
        (
            verdict.meaning,
            valued(verdict),
            shown(verdict.error, verdict.unit, verdict.shown_in) if verdict.error else "",
            "" if verdict.limit is None else shown(verdict.limit, verdict.unit, verdict.shown_in),
            "" if verdict.limit is None else margin(verdict.value, verdict.limit),
            verdict.word,
            verdict.where,
        )
        for verdict in sorted(verdicts, key=lambda verdict: verdict.limit is None)
    ]
    headings = ("quantity", "largest", "error", "limit", "margin", "verdict", "where")
    return TextTable("verdicts", "Largest values of the run, those with a limit first", headings, tuple(rows))


@checked
def budgets(history: History, disturbance: BaseDisturbance | None) -> list[Block]:
    """Return what each joint does to the base, where that is free, and the work of every actuator.

    >>> from scmanip.simulation import base_disturbance
    >>> [block.name for block in budgets(history, base_disturbance(model, history))]
    ['base_rate_by_joint', 'work_by_actuator']
    """
    return [*([] if disturbance is None else _base_rate(history, disturbance)), *work_budget(history)]


def _base_rate(history: History, disturbance: BaseDisturbance) -> list[Block]:
    """Return what each joint did to the base when all together did most; the joints sum to the total."""
    together = disturbance.omega_0.sum(axis=2)
    size = np.linalg.norm(together, axis=1)
    k = int(np.argmax(size))
    if not size[k] > 0:
        return [Words("The joints did not turn the base.")]
    along, total = together[k] / size[k], float(size[k])
    parts = along @ disturbance.omega_0[k]
    rows = [
        (name, shown(float(part), "rad/s"), f"{100 * part / total:.4g} %", shown(float(peak), "rad/s"))
        for name, part, peak in zip(disturbance.joint_names, parts, disturbance.peak_omega_0, strict=True)
    ]
    turned = float(along @ history.omega_0[k])
    rows.append(("all joints", shown(total, "rad/s"), "100 %", ""))
    rows.append(("initial momentum and base actuators", shown(turned - total, "rad/s"), "", ""))
    rows.append(("the base's own rate along that axis", shown(turned, "rad/s"), "", ""))
    caption = (
        f"Which joint turns the base: contributions to its angular rate at t = {history.t[k]:g} s, "
        "when all joints together do most, along the axis of that"
    )
    headings = ("joint", "contribution", "of all joints", "its own peak")
    return [TextTable("base_rate_by_joint", caption, headings, tuple(rows))]


def _law_table(stretches: Sequence[tuple[float, History]]) -> TextTable:
    rows = [
        (
            f"{_analysis(history)}, from t = {start_s:.9g} s",
            residual.meaning,
            f"{residual.value:.3e} {residual.unit}",
            f"{residual.relative:.3e}",
            residual.scale_meaning,
            f"{residual.most:.3e} {residual.unit}",
            "ok" if residual.kept else "FAILED",
        )
        for start_s, history in stretches
        for residual in history.residuals.values()
    ]
    caption = "Residuals of the laws that each mode promises, from the full model at every sample"
    headings = ("mode", "law", "residual", "relative", "relative to", "bound", "verdict")
    first = 1 if len(stretches) == 1 else 0  # one mode is named above
    return TextTable("laws", caption, headings[first:], tuple(row[first:] for row in rows))


def _events(history: History, phases: Sequence[PhaseAccount]) -> list[Block]:
    """Return how each phase ended, and what else happened, in order of time."""
    timed = [*((phase.end_s, phase.ending) for phase in phases), *history.timed_events]
    rows = tuple((event,) for _, event in sorted(timed, key=lambda entry: entry[0]))
    return [TextTable("events", "What happened", ("event",), rows)] if rows else []
