"""What the cases of a study say together: the trade, percentiles, sensitivities, the worst."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...errors import InvalidInput
from ...spatial import Array
from ...study import Missing, Sense, Status, Table, pareto, percentile, sensitivity, within, worst
from ..figures.studies._study_figures import distribution_figure, pareto_figure, sensitivity_figure
from ..verdicts._judged import CONFIDENCE, as_text
from ._page import Block, Picture, TextTable, Words
from ._study_results import StudyResults, flat

SHARES = (0.05, 0.5, 0.95, 0.9973)
WORST, MOST_ROWS, MOST_INPUTS = 5, 200, 10


def trade(results: StudyResults) -> Iterator[Block]:
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
            as_text(float(np.nanmean(values))) if np.isfinite(values := part.metric(name)).any() else "-" for name in names
        ]
        chosen = plan.case(number * plan.repeats).values
        set_to = [flat(chosen[plan.targets.get(path, (path,))[0]]) for path in paths]
        rows.append((str(number), *set_to, *means, f"{int(kept.sum())} of {len(kept)}"))
    shown = "value" if plan.repeats == 1 else f"mean of {plan.repeats}"
    headings = ("design", *paths, *names, "within all limits")
    yield TextTable("trade", f"Every design point: {shown} of each metric", headings, tuple(rows))
    if len(results.trade) > 1:
        points = results.cases if plan.repeats == 1 else _means(results)
        yield Picture("pareto", pareto_figure(pareto(points, results.trade, results.allowed)))


def _means(results: StudyResults) -> Table:
    """Return a row per design point with the means of its metrics over the cases that have them."""
    designs = [(number, part.where(part.completed)) for number, part in results.cases.by_design(results.plan.repeats)]
    kept = [(number, part) for number, part in designs if len(part)]
    metrics = {m.name: np.array([part.metric(m.name).mean() for _, part in kept]) for m in results.metrics}
    numbers = np.array([number for number, _ in kept], dtype=int)
    words = np.full(len(kept), str(Status.COMPLETED)), np.full(len(kept), "")
    return Table(numbers, *words, metrics=metrics)


def percentiles(results: StudyResults) -> Iterator[Block]:
    """Yield a table of percentiles with bounds, and a picture of each metric's distribution."""
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
            rows.append((metric.name, f"{100 * share:g} %", as_text(found.value), as_text(low), as_text(high), note))
        if known.size > 1 and known.min() < known.max():
            pictures.append(
                Picture(f"distribution_{metric.name}", distribution_figure(known, metric.name, limits.get(metric.name, ())))
            )
    headings = ("metric", "percentile", "value", "lower bound", "upper bound", "note")
    caption = f"Percentiles with distribution-free bounds at {100 * CONFIDENCE:g} % confidence, by order statistics (Wilks)"
    if rows:
        yield TextTable("percentiles", caption, headings, tuple(rows))
    yield from pictures


def sensitivities(results: StudyResults) -> Iterator[Block]:
    """Yield what each metric depends on, or why that is not to be told."""
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
        yield TextTable("sensitivity", caption, headings, tuple(rows))
    yield from blocks


def _varies(column: Array) -> bool:
    return bool(np.any(column != column[0])) if len(column) else False


def _bounds(low: float, high: float) -> str:
    return f"{low:.3f} to {high:.3f}"


def worst_cases(results: StudyResults) -> Iterator[Block]:
    """Yield the worst cases of each metric with the commands that fly them again."""
    senses = {r.metric: Sense.MAX if r.max is None else Sense.MIN for r in results.requirements}
    rows: list[tuple[str, ...]] = []
    for metric in results.metrics:
        found = worst(results.cases, metric.name, WORST, senses.get(metric.name, Sense.MIN))
        rows += [
            (metric.name, str(rank), str(int(number)), as_text(float(value)), results.replay(int(number)))
            for rank, (number, value) in enumerate(zip(found.numbers, found.values, strict=True), 1)
        ]
    caption = f"The worst {WORST} of each metric, and how to fly them again"
    yield TextTable("worst", caption, ("metric", "rank", "case", "value", "command"), tuple(rows))
