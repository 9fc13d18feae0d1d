"""The report of a study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...errors import checked
from ...study import Plan, Side, failures, proportion
from ..verdicts._judged import CONFIDENCE, Judged, as_text, range_in_words
from ..verdicts._verdict import Word
from ._compliance import compliance_table
from ._design_study import design_blocks, design_compliance, design_figures, design_verdicts, verdict_of_designs
from ._page import Block, Formulas, ReportPage, Section, TextTable, Words, provenance
from ._study_results import StudyResults, flat
from ._study_statistics import percentiles, sensitivities, trade, worst_cases


@checked
def study_page(results: StudyResults) -> ReportPage:
    """Return the report of a study: verdicts, what was varied, what the cases say as draws or as designs, the nominal one.

    >>> from scmanip.study import Metric, Plan, Requirement, levels
    >>> turn, masses = "base_rotation_deg", levels(*cases.input("mass_kg").tolist())
    >>> asked = [Requirement(metric=turn, max=11.0, unit="deg")]
    >>> results = StudyResults(
    ...     title="masses",
    ...     plan=Plan(seed=7, design={"mass_kg": masses}),
    ...     metrics=[Metric(turn, "max(degrees(base_rotation_rad))")],
    ...     requirements=asked,
    ...     cases=cases,
    ... )
    >>> page = study_page(results)
    >>> page.passed, [section.heading for section in page.sections][:2]
    (False, ['Verdicts', 'Compliance'])
    """
    verdict, judged, told = _by_chance(results) if results.by_chance else _by_design(results)
    sections = (
        *judged,
        Section("What was varied", [_varied(results.plan)]),
        Section("Cases", list(_cases(results))),
        *told,
        Section("Motion", results.motion),
        Section("Constraints of the nominal case", results.switched),
        Section("Budgets of the nominal case", results.budgets),
        Section("Equations", [Formulas(results.equations)] if results.equations else []),
        Section("Formulations checked", results.checks),
        Section("Provenance", provenance(results.provenance, results.command)),
    )
    kind = "cases" if results.by_chance else "designs"
    subtitle = f"{len(results.cases)} {kind}, {int(results.cases.completed.sum())} completed, seed {results.plan.seed}"
    return ReportPage(results.title, subtitle, verdict, sections)


_Said = tuple[Words, Sequence[Section], Sequence[Section]]
"""What a study comes to, its verdicts, and what is told of the cases."""


def _by_chance(results: StudyResults) -> _Said:
    judged = results.judged
    verdicts = (
        Section("Verdicts", [_verdict_table(results, judged)] if judged else []),
        Section("Compliance", [compliance_table(map(_compliance, judged))] if judged else []),
    )
    told = (
        Section("Trade", list(trade(results))),
        Section("Percentiles", list(percentiles(results))),
        Section("Sensitivity", list(sensitivities(results))),
        Section("Worst cases", list(worst_cases(results))),
    )
    return _verdict([row.word for row in judged], results), verdicts, told


def _by_design(results: StudyResults) -> _Said:
    designs = results.designs
    verdicts = (
        Section("Verdicts", [design_verdicts(results)] if designs.requirements else []),
        Section("Compliance", [compliance_table(design_compliance(designs))] if designs.requirements else []),
    )
    told = Section("Designs", list(design_blocks(results))), Section("Figures", list(design_figures(results)))
    return verdict_of_designs(results), verdicts, told


def _verdict(words: Sequence[Word], results: StudyResults) -> Words:
    broken, open_ = words.count(Word.FAILED), words.count(Word.NOT_SHOWN)
    if results.doubts:
        lost = f"{broken} of {len(words)} requirements not met. " if broken else ""
        return Words(f"{lost}Not shown: {'; '.join(results.doubts)}.", "bad" if lost else "open")
    if not words:
        return Words("The study sets no limits to judge it by.", "unasked")
    planned = results.planned or results.plan.cases
    first = f" in the first {planned} of {results.plan.cases} planned cases" if planned < results.plan.cases else ""
    if not broken and not open_:
        return Words(f"All {len(words)} requirements are met{first}.", "good")
    met = f"{len(words) - broken - open_} of {len(words)} requirements met"
    parts = [met, *[f"{broken} not met"] * bool(broken), *[f"{open_} not shown by so few cases"] * bool(open_)]
    return Words(", ".join(parts) + f"{first}.", "bad" if broken else "open")


def _compliance(judged: Judged) -> tuple[str, ...]:
    """Return the row of one requirement: what the cases show of its probability, without one whether every case keeps it."""
    allowed, kept, found = range_in_words(judged.requirement), judged.kept, judged.demonstration
    asked, analysis = f"{judged.requirement.metric} {allowed}", "every case"
    if found is None:
        shown = proportion(kept.successes, kept.runs, CONFIDENCE, Side.LOWER).interval.low
        told = f"{kept.successes} of {kept.runs} cases; {100 * shown:.4g} % shown at {100 * CONFIDENCE:g} %"
    else:
        asked, analysis, told = f"{asked} in {100 * found.probability:g} % of cases", "exact binomial", found.note
    return asked, analysis, as_text(judged.worst), allowed, as_text(judged.margin), told, judged.word, "cases.csv"


def _verdict_table(results: StudyResults, judged: Sequence[Judged]) -> TextTable:
    rows = [
        (
            row.requirement.metric,
            range_in_words(row.requirement),
            as_text(results.nominal.get(row.requirement.metric, float("nan"))),
            as_text(row.margin),
            f"{row.kept.successes} of {row.kept.runs}",
            f"{100 * row.kept.share:.4g} %",
            f"{100 * row.kept.interval.low:.4g} to {100 * row.kept.interval.high:.4g} %",
        )
        for row in judged
    ]
    headings = ("metric", "limit", "nominal", "worst margin", "cases within", "share", "its exact bounds")
    caption = "Cases that keep each limit; bounds are exact (Clopper and Pearson), two-sided, a case that failed keeps none"
    return TextTable("verdicts", caption, headings, tuple(rows))


def _varied(plan: Plan) -> TextTable:
    table = plan.table
    design = [(path, "design", flat(entry)) for path, entry in table["design"].items()]
    drawn = [(path, "dispersion", flat(entry)) for path, entry in table["dispersion"].items()]
    draws = f"{plan.repeats} draws each" if plan.dispersion else "nothing left to chance"
    caption = f"A plan of {plan.cases} cases: {flat(table['sampling'])}, {draws}, seed {plan.seed}"
    return TextTable("varied", caption, ("path", "kind", "values"), (*design, *drawn))


def _cases(results: StudyResults) -> Iterator[Block]:
    found = failures(results.cases)
    rows = [("completed", "", str(int(results.cases.completed.sum())), "")]
    rows += [("completed", f"of these {remark}", str(count), "") for remark, count in results.cases.remarks.items()]
    rows += [(group.status, group.reason, str(group.count), _some(group.numbers)) for group in found]
    yield TextTable("cases", "How the cases ended", ("status", "reason", "cases", "numbers"), tuple(rows))


def _some(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:8])) + (", ..." if len(numbers) > 8 else "")
