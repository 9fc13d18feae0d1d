"""The report of a study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..study import (
    Judgement,
    Plan,
    Requirement,
    Side,
    demonstration,
    failures,
    proportion,
    within,
)
from ._compliance import Compliance, compliance_table
from ._page import Block, Formulas, Page, Section, TextTable, TypedLine, Words
from ._study_results import CONFIDENCE, StudyResults, as_text, flat
from ._study_statistics import percentiles, sensitivities, trade, worst_cases


def study_page(results: StudyResults) -> Page:
    """Return the report of a study: verdicts, what was varied, statistics, sensitivity, trade, worst cases."""
    judged = [(requirement, _judged(results, requirement)) for requirement in results.requirements]
    sections = (
        Section("Verdicts", [_verdict_table(results)] if judged else []),
        Section("Compliance", [compliance_table(row for _, row in judged)] if judged else []),
        Section("What was varied", [_varied(results.plan)]),
        Section("Cases", list(_cases(results))),
        Section("Trade", list(trade(results))),
        Section("Percentiles", list(percentiles(results))),
        Section("Sensitivity", list(sensitivities(results))),
        Section("Worst cases", list(worst_cases(results))),
        Section("Budgets of the nominal case", results.budgets),
        Section("Equations", [Formulas(results.equations)] if results.equations else []),
        Section("Formulations checked", results.checks),
        Section("Provenance", _provenance(results)),
    )
    count = len(results.cases)
    subtitle = f"{count} cases, {int(results.cases.completed.sum())} completed, seed {results.plan.seed}"
    return Page(results.title, subtitle, _verdict([row.passed for _, row in judged], results), sections)


def _verdict(passed: Sequence[bool | None], results: StudyResults) -> Words:
    if results.doubts:
        lost = f"{passed.count(False)} of {len(passed)} requirements not met. " if False in passed else ""
        return Words(f"{lost}Not shown: {'; '.join(results.doubts)}.", "bad" if lost else "open")
    if not passed:
        return Words("The study sets no limits to judge it by.", "unasked")
    planned = results.planned or results.plan.cases
    first = f" in the first {planned} of {results.plan.cases} planned cases" if planned < results.plan.cases else ""
    if all(passed):
        return Words(f"All {len(passed)} requirements are met{first}.", "good")
    broken, open_ = sum(word is False for word in passed), sum(word is None for word in passed)
    met = f"{len(passed) - broken - open_} of {len(passed)} requirements met"
    parts = [met, *[f"{broken} not met"] * bool(broken), *[f"{open_} not shown by so few cases"] * bool(open_)]
    return Words(", ".join(parts) + f"{first}.", "bad" if broken else "open")


def _judged(results: StudyResults, requirement: Requirement) -> Compliance:
    """Return the row of one requirement: what the cases show of its probability, without one whether every case keeps it."""
    kept = within(results.cases, {requirement.metric: requirement.allowed})
    runs, good = len(kept), int(kept.sum())
    low = requirement.min is not None
    values = results.cases.metric(requirement.metric)
    known = values[np.isfinite(values)]
    extreme = (known.min() if low else known.max()) if known.size else np.nan
    margins = requirement.margin(known)
    words = f"{requirement.metric} {_range(requirement)}"
    margin = as_text(float(margins.min())) if known.size else "-"
    if requirement.probability is None:
        confidence = f"{good} of {runs} cases; {100 * _shown(good, runs):.4g} % shown at {100 * CONFIDENCE:g} %"
        kept_by_all = _whole(results, good == runs)
        return Compliance(
            words, "every case", as_text(float(extreme)), _range(requirement), margin, confidence, "cases.csv", kept_by_all
        )
    found = demonstration(good, runs, requirement.probability, requirement.confidence)
    verdict = _whole(results, {Judgement.SHOWN: True, Judgement.REFUTED: False, Judgement.OPEN: None}[found.verdict])
    asked = f"in {100 * requirement.probability:g} % of cases"
    return Compliance(
        f"{words} {asked}",
        "exact binomial",
        as_text(float(extreme)),
        _range(requirement),
        margin,
        found.note,
        "cases.csv",
        verdict,
    )


def _whole(results: StudyResults, verdict: bool | None) -> bool | None:
    """Return a verdict that stands: none is met while there are doubts."""
    return None if verdict and results.doubts else verdict


def _shown(good: int, runs: int) -> float:
    return proportion(good, runs, CONFIDENCE, Side.LOWER).interval.low


def _verdict_table(results: StudyResults) -> TextTable:
    rows = []
    for requirement in results.requirements:
        kept = within(results.cases, {requirement.metric: requirement.allowed})
        found = proportion(int(kept.sum()), len(kept), requirement.confidence)
        nominal = results.nominal.get(requirement.metric, float("nan"))
        values = results.cases.metric(requirement.metric)
        known = values[np.isfinite(values)]
        margin = as_text(float(requirement.margin(known).min())) if known.size else "-"
        rows.append(
            (
                requirement.metric,
                _range(requirement),
                as_text(nominal),
                margin,
                f"{int(kept.sum())} of {len(kept)}",
                f"{100 * found.share:.4g} %",
                f"{100 * found.interval.low:.4g} to {100 * found.interval.high:.4g} %",
            )
        )
    headings = ("metric", "limit", "nominal", "worst margin", "cases within", "share", "its exact bounds")
    caption = "Cases that keep each limit; bounds are exact (Clopper and Pearson), two-sided, a case that failed keeps none"
    return TextTable("verdicts", caption, headings, tuple(rows))


def _varied(plan: Plan) -> TextTable:
    table = plan.table
    design = [(path, "design", flat(entry)) for path, entry in table["design"].items()]
    drawn = [(path, "dispersion", flat(entry)) for path, entry in table["dispersion"].items()]
    caption = f"A plan of {plan.cases} cases: {flat(table['sampling'])}, {plan.repeats} draws each, seed {plan.seed}"
    return TextTable("varied", caption, ("path", "kind", "values"), (*design, *drawn))


def _cases(results: StudyResults) -> Iterator[Block]:
    found = failures(results.cases)
    rows = [("completed", "", str(int(results.cases.completed.sum())), "")]
    rows += [("completed", f"of these {remark}", str(count), "") for remark, count in results.cases.remarks.items()]
    rows += [(group.status, group.reason, str(group.count), _some(group.numbers)) for group in found]
    yield TextTable("cases", "How the cases ended", ("status", "reason", "cases", "numbers"), tuple(rows))


def _some(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:8])) + (", ..." if len(numbers) > 8 else "")


def _provenance(results: StudyResults) -> list[Block]:
    blocks: list[Block] = []
    if results.provenance:
        blocks.append(TextTable("provenance", "What made these numbers", ("what", "which"), tuple(results.provenance.items())))
    return [*blocks, Words("To make them again:"), TypedLine(results.command)] if results.command else blocks


def _range(requirement: Requirement) -> str:
    unit = "" if requirement.unit == "1" else f" {requirement.unit}"
    if requirement.min is None:
        return f"at most {requirement.max:g}{unit}"
    return (
        f"at least {requirement.min:g}{unit}"
        if requirement.max is None
        else f"{requirement.min:g} to {requirement.max:g}{unit}"
    )
