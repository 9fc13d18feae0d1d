"""The report of a study."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..errors import InvalidInput
from ..spatial import Array
from ..study import (
    Allowed,
    Metric,
    Missing,
    Plan,
    Requirement,
    Sense,
    Side,
    Status,
    demonstration,
    failures,
    pareto,
    percentile,
    proportion,
    sensitivity,
    within,
    worst,
)
from ..study import Table as Cases
from ..study import Verdict as Shown
from ._compliance import Compliance, compliance_table
from ._page import Block, Code, Formulas, Page, Picture, Section, Table, Words
from ._study_figures import distribution_figure, pareto_figure, sensitivity_figure

SHARES = (0.05, 0.5, 0.95, 0.9973)
WORST, MOST_ROWS, MOST_INPUTS, CONFIDENCE = 5, 200, 10, 0.9


@dataclass(frozen=True, eq=False, kw_only=True)
class StudyResults:
    """What a report of a study is made from.

    title : of the study; plan : what was varied; metrics, requirements : what was measured and asked
    cases : what became of the cases; nominal : metrics of the case in which nothing is varied
    replay : the command that flies a case again; trade : two metrics with the way each is better, for the Pareto set
    equations, checks, provenance, command : as in `run_page`
    """

    title: str
    plan: Plan
    metrics: Sequence[Metric]
    requirements: Sequence[Requirement]
    cases: Cases
    nominal: Mapping[str, float] = field(default_factory=dict)
    replay: Callable[[int], str] = "case {}".format
    trade: Mapping[str, Sense] = field(default_factory=dict)
    equations: tuple[tuple[str, str, str], ...] = ()
    checks: Sequence[Block] = ()
    provenance: Mapping[str, str] = field(default_factory=dict)
    command: str | None = None

    @property
    def allowed(self) -> Allowed:
        """Ranges by metric."""
        return {requirement.metric: requirement.allowed for requirement in self.requirements}


def study_page(results: StudyResults) -> Page:
    """Return the report of a study: verdicts, what was varied, statistics, sensitivity, trade, worst cases."""
    judged = [(requirement, _judged(results, requirement)) for requirement in results.requirements]
    sections = (
        Section("Verdicts", [_verdict_table(results)] if judged else []),
        Section("Compliance", [compliance_table(row for _, row in judged)] if judged else []),
        Section("What was varied", [_varied(results.plan)]),
        Section("Cases", list(_cases(results))),
        Section("Trade", list(_trade(results))),
        Section("Percentiles", list(_percentiles(results))),
        Section("Sensitivity", list(_sensitivities(results))),
        Section("Worst cases", list(_worst_cases(results))),
        Section("Equations", [Formulas(results.equations)] if results.equations else []),
        Section("Formulations checked", results.checks),
        Section("Provenance", _provenance(results)),
    )
    count = len(results.cases)
    subtitle = f"{count} cases, {int(results.cases.completed.sum())} completed, seed {results.plan.seed}"
    return Page(results.title, subtitle, _verdict([row.passed for _, row in judged]), sections)


def _verdict(passed: Sequence[bool | None]) -> Words:
    if not passed:
        return Words("The study sets no limits to judge it by.", "open")
    if all(passed):
        return Words(f"All {len(passed)} requirements are met.", "good")
    broken, open_ = sum(word is False for word in passed), sum(word is None for word in passed)
    met = f"{len(passed) - broken - open_} of {len(passed)} requirements met"
    parts = [met, *[f"{broken} not met"] * bool(broken), *[f"{open_} not shown by so few cases"] * bool(open_)]
    return Words(", ".join(parts) + ".", "bad" if broken else "open")


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
    margin = _number(float(margins.min())) if known.size else "-"
    if requirement.probability is None:
        confidence = f"{good} of {runs} cases; {100 * _shown(good, runs):.4g} % shown at {100 * CONFIDENCE:g} %"
        return Compliance(
            words, "every case", _number(float(extreme)), _range(requirement), margin, confidence, "cases.csv", good == runs
        )
    found = demonstration(good, runs, requirement.probability, requirement.confidence)
    verdict = {Shown.SHOWN: True, Shown.REFUTED: False, Shown.OPEN: None}[found.verdict]
    asked = f"in {100 * requirement.probability:g} % of cases"
    return Compliance(
        f"{words} {asked}",
        "exact binomial",
        _number(float(extreme)),
        _range(requirement),
        margin,
        found.note,
        "cases.csv",
        verdict,
    )


def _shown(good: int, runs: int) -> float:
    return proportion(good, runs, CONFIDENCE, Side.LOWER).interval.low


def _verdict_table(results: StudyResults) -> Table:
    rows = []
    for requirement in results.requirements:
        kept = within(results.cases, {requirement.metric: requirement.allowed})
        found = proportion(int(kept.sum()), len(kept), requirement.confidence)
        nominal = results.nominal.get(requirement.metric, float("nan"))
        values = results.cases.metric(requirement.metric)
        known = values[np.isfinite(values)]
        margin = _number(float(requirement.margin(known).min())) if known.size else "-"
        rows.append(
            (
                requirement.metric,
                _range(requirement),
                _number(nominal),
                margin,
                f"{int(kept.sum())} of {len(kept)}",
                f"{100 * found.share:.4g} %",
                f"{100 * found.interval.low:.4g} to {100 * found.interval.high:.4g} %",
            )
        )
    headings = ("metric", "limit", "nominal", "worst margin", "cases within", "share", "its exact bounds")
    caption = "Cases that keep each limit; bounds are exact (Clopper and Pearson), two-sided, a case that failed keeps none"
    return Table("verdicts", caption, headings, tuple(rows))


def _varied(plan: Plan) -> Table:
    table = plan.table
    design = [(path, "design", _flat(entry)) for path, entry in table["design"].items()]
    drawn = [(path, "dispersion", _flat(entry)) for path, entry in table["dispersion"].items()]
    caption = f"A plan of {plan.cases} cases: {_flat(table['sampling'])}, {plan.repeats} draws each, seed {plan.seed}"
    return Table("varied", caption, ("path", "kind", "values"), (*design, *drawn))


def _flat(entry: object) -> str:
    if isinstance(entry, Mapping):
        return ", ".join(f"{key} {_flat(value)}" for key, value in entry.items())
    if isinstance(entry, list | tuple):
        return "[" + ", ".join(map(_flat, entry)) + "]"
    return f"{entry:.6g}" if isinstance(entry, float) else str(entry)


def _cases(results: StudyResults) -> Iterator[Block]:
    found = failures(results.cases)
    rows = [("completed", "", str(int(results.cases.completed.sum())), "")]
    rows += [(group.status, group.reason, str(group.count), _some(group.numbers)) for group in found]
    yield Table("cases", "How the cases ended", ("status", "reason", "cases", "numbers"), tuple(rows))


def _some(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:8])) + (", ..." if len(numbers) > 8 else "")


def _trade(results: StudyResults) -> Iterator[Block]:
    """Yield the design points side by side, and the Pareto set of two metrics."""
    plan = results.plan
    if not plan.design:
        return
    paths, names = tuple(plan.design), [metric.name for metric in results.metrics]
    rows: list[tuple[str, ...]] = []
    for number, part in results.cases.by_design(plan.repeats):
        if len(rows) == MOST_ROWS:
            yield Words(f"The first {MOST_ROWS} design points; all are in cases.csv.")
            break
        kept = within(part, results.allowed)
        means = [
            _number(float(np.nanmean(values))) if np.isfinite(values := part.metric(name)).any() else "-" for name in names
        ]
        chosen = plan.case(number * plan.repeats).values
        set_to = [_flat(chosen[plan.targets.get(path, (path,))[0]]) for path in paths]
        rows.append((str(number), *set_to, *means, f"{int(kept.sum())} of {len(kept)}"))
    shown = "value" if plan.repeats == 1 else f"mean of {plan.repeats}"
    headings = ("design", *paths, *names, "within all limits")
    yield Table("trade", f"Every design point: {shown} of each metric", headings, tuple(rows))
    if len(results.trade) > 1:
        points = results.cases if plan.repeats == 1 else _means(results)
        yield Picture("pareto", pareto_figure(pareto(points, results.trade, results.allowed)))


def _means(results: StudyResults) -> Cases:
    """Return a row per design point with the means of its metrics over the cases that have them."""
    designs = [(number, part.where(part.completed)) for number, part in results.cases.by_design(results.plan.repeats)]
    kept = [(number, part) for number, part in designs if len(part)]
    metrics = {m.name: np.array([part.metric(m.name).mean() for _, part in kept]) for m in results.metrics}
    numbers = np.array([number for number, _ in kept], dtype=int)
    words = np.full(len(kept), str(Status.COMPLETED)), np.full(len(kept), "")
    return Cases(numbers, *words, metrics=metrics)


def _percentiles(results: StudyResults) -> Iterator[Block]:
    rows: list[tuple[str, ...]] = []
    pictures: list[Block] = []
    limits = {r.metric: [bound for bound in r.allowed if np.isfinite(bound)] for r in results.requirements}
    for metric in results.metrics:
        values = results.cases.metric(metric.name)
        known = values[np.isfinite(values)]
        if not known.size:
            continue
        for share in SHARES:
            found = percentile(values, share, CONFIDENCE, missing=Missing.LEFT_OUT)
            low, high = found.interval.low, found.interval.high
            note = found.note if not found.bounded else f"{found.missing} cases without a value" if found.missing else ""
            rows.append((metric.name, f"{100 * share:g} %", _number(found.value), _number(low), _number(high), note))
        if known.size > 1 and known.min() < known.max():
            pictures.append(
                Picture(f"distribution_{metric.name}", distribution_figure(known, metric.name, limits.get(metric.name, ())))
            )
    headings = ("metric", "percentile", "value", "lower bound", "upper bound", "note")
    caption = f"Percentiles with distribution-free bounds at {100 * CONFIDENCE:g} % confidence, by order statistics (Wilks)"
    if rows:
        yield Table("percentiles", caption, headings, tuple(rows))
    yield from pictures


def _sensitivities(results: StudyResults) -> Iterator[Block]:
    names = [name for name in results.plan.columns if _varies(results.cases.input(name))]
    rows: list[tuple[str, ...]] = []
    blocks: list[Block] = []
    for metric in results.metrics:
        try:
            rng = np.random.default_rng(0)
            found = sensitivity(results.cases, metric.name, names, CONFIDENCE, missing=Missing.LEFT_OUT, rng=rng)
        except InvalidInput as error:
            blocks.append(Words(f"{metric.name}: not to be told. {error}", "open"))
            continue
        rows += [
            (metric.name, i.name, f"{i.first:.3f}", _bounds(i.first_interval.low, i.first_interval.high), f"{i.total:.3f}",
             _bounds(i.total_interval.low, i.total_interval.high))
            for i in found.ranked[:MOST_INPUTS]
        ]  # fmt: skip
        blocks.append(Picture(f"sensitivity_{metric.name}", sensitivity_figure(found, MOST_INPUTS)))
        if found.note:
            blocks.append(Words(f"{metric.name}: {found.note}"))
    if rows:
        headings = ("metric", "input", "by itself", "bounds", "with all others", "bounds")
        caption = (
            "Shares of variance (Sobol' indices, from the cases that were run) with approximate bounds by bootstrap; "
            f"of each metric the {MOST_INPUTS} largest"
        )
        yield Table("sensitivity", caption, headings, tuple(rows))
    yield from blocks


def _varies(column: Array) -> bool:
    return bool(np.any(column != column[0])) if len(column) else False


def _bounds(low: float, high: float) -> str:
    return f"{low:.3f} to {high:.3f}"


def _worst_cases(results: StudyResults) -> Iterator[Block]:
    senses = {r.metric: Sense.MAX if r.max is None else Sense.MIN for r in results.requirements}
    rows: list[tuple[str, ...]] = []
    for metric in results.metrics:
        found = worst(results.cases, metric.name, WORST, senses.get(metric.name, Sense.MIN))
        rows += [
            (metric.name, str(rank), str(int(number)), _number(float(value)), results.replay(int(number)))
            for rank, (number, value) in enumerate(zip(found.numbers, found.values, strict=True), 1)
        ]
    caption = f"The worst {WORST} of each metric, and how to fly them again"
    yield Table("worst", caption, ("metric", "rank", "case", "value", "command"), tuple(rows))


def _provenance(results: StudyResults) -> list[Block]:
    blocks: list[Block] = []
    if results.provenance:
        blocks.append(Table("provenance", "What made these numbers", ("what", "which"), tuple(results.provenance.items())))
    return [*blocks, Words("To make them again:"), Code(results.command)] if results.command else blocks


def _range(requirement: Requirement) -> str:
    unit = "" if requirement.unit == "1" else f" {requirement.unit}"
    if requirement.min is None:
        return f"at most {requirement.max:g}{unit}"
    return (
        f"at least {requirement.min:g}{unit}"
        if requirement.max is None
        else f"{requirement.min:g} to {requirement.max:g}{unit}"
    )


def _number(value: float) -> str:
    return f"{value:.5g}" if np.isfinite(value) else "-" if np.isnan(value) else "none"
