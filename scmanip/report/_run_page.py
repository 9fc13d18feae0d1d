"""The report of one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..simulation import BaseDisturbance, History, Outcome
from ._compliance import compliance_of_run, compliance_table, margin
from ._equations_used import equations_used
from ._page import Block, Code, Formulas, Page, Picture, Section, Table, Words
from ._subject import mode_words
from ._summary import measured, shown
from ._verdict import Verdict
from ._work_budget import work_budget

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def run_page(
    title: str,
    history: History,
    verdicts: Sequence[Verdict],
    *,
    disturbance: BaseDisturbance | None = None,
    pictures: Mapping[str, Figure] | None = None,
    broken_laws: Sequence[str] = (),
    checks: Sequence[Block] = (),
    provenance: Mapping[str, str] | None = None,
    command: str | None = None,
    computed_torque: bool = False,
) -> Page:
    """Return the report of a run: verdicts, compliance, budgets, figures, laws, equations, checks, provenance.

    title : of the mission; pictures : figures by name
    broken_laws : those that the modes promise and the run breaks
    checks : what `scmanip verify` found; provenance : what made the run, by name; command : its line
    """
    completed = history.outcome is Outcome.COMPLETED
    asked = [verdict for verdict in verdicts if verdict.limit is not None]
    kept = sum(verdict.passed for verdict in asked)
    system = history.system
    sections = (
        Section("Verdicts", [_verdict_table(verdicts)]),
        Section("Compliance", [compliance_table(compliance_of_run(asked, _analysis(history)))] if asked else []),
        Section("Budgets", budgets(history, disturbance)),
        Section("Figures", [Picture(name, figure) for name, figure in (pictures or {}).items()]),
        Section("Laws promised", [_law_table(history)]),
        Section("Events", [_event_table(history)] if history.events else []),
        Section("Equations", [Formulas(equations_used(fixed=system.fixed, computed_torque=computed_torque))]),
        Section("Formulations checked", checks),
        Section("Provenance", _provenance(provenance or {}, command)),
    )
    subtitle = f"{system.name}, {system.layout.N} joint freedoms, {_analysis(history)}"
    return Page(title, subtitle, _verdict(completed, history, kept, len(asked), broken_laws), sections)


def _analysis(history: History) -> str:
    return f"{mode_words(history.mode.name)}, {history.t[-1]:g} s"


def _verdict(completed: bool, history: History, kept: int, asked: int, broken_laws: Sequence[str]) -> Words:
    if not completed:
        return Words(f"The run did not complete: {history.outcome}. {history.advice}", "bad")
    if broken_laws:
        return Words(f"The run completed, but breaks laws that its mode promises: {', '.join(broken_laws)}.", "bad")
    if not asked:
        return Words("The run completed. The mission sets no limits to judge it by.", "unasked")
    if kept == asked:
        return Words(f"The run completed within all its {asked} limits." if asked > 1 else "The run kept its limit.", "good")
    return Words(f"The run completed and broke {asked - kept} of its {asked} limits.", "bad")


def _verdict_table(verdicts: Sequence[Verdict]) -> Table:
    rows = [
        (
            verdict.meaning,
            measured(verdict.value, verdict.unit, verdict.shown_in),
            "" if verdict.limit is None else shown(verdict.limit, verdict.unit, verdict.shown_in),
            "" if verdict.limit is None else margin(verdict.value, verdict.limit),
            "" if verdict.limit is None else "ok" if verdict.passed else "FAILED",
            verdict.where,
        )
        for verdict in sorted(verdicts, key=lambda verdict: verdict.limit is None)
    ]
    headings = ("quantity", "largest", "limit", "margin", "verdict", "where")
    return Table("verdicts", "Largest values of the run, those with a limit first", headings, tuple(rows))


def budgets(history: History, disturbance: BaseDisturbance | None) -> list[Block]:
    """Return what each joint does to the base, where that is free, and the work of every actuator."""
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
    return [Table("base_rate_by_joint", caption, headings, tuple(rows))]


def _law_table(history: History) -> Table:
    rows = [
        (
            residual.meaning,
            f"{residual.value:.3e} {residual.unit}",
            f"{residual.relative:.3e}",
            residual.scale_meaning,
            f"{residual.most:.3e} {residual.unit}",
            "ok" if residual.kept else "FAILED",
        )
        for residual in history.residuals.values()
    ]
    caption = "Residuals of the laws that the mode promises, from the full model at every sample"
    return Table("laws", caption, ("law", "residual", "relative", "relative to", "bound", "verdict"), tuple(rows))


def _event_table(history: History) -> Table:
    return Table("events", "What happened", ("event",), tuple((event,) for event in history.events))


def _provenance(provenance: Mapping[str, str], command: str | None) -> list[Block]:
    blocks: list[Block] = [Table("provenance", "What made these numbers", ("what", "which"), tuple(provenance.items()))]
    if command:
        blocks += [Words("To make them again:"), Code(command)]
    return blocks if provenance or command else []
