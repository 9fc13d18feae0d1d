"""What a trade says: which designs meet the requirements, which are best, and what no other beats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...channels import heading
from ...study import Sense, pareto
from ..figures.studies._design_figures import against_figure, level_name, map_figure, mapped
from ..figures.studies._study_figures import pareto_figure
from ..verdicts._designs import ALIKE, Designs
from ..verdicts._judged import as_text, range_in_words
from ._page import Block, Picture, TextTable, Words
from ._study_results import StudyResults

MOST_ROWS, MOST_ALIKE, MOST_FIGURES = 200, 6, 8


def verdict_of_designs(results: StudyResults) -> Words:
    """Return what a trade comes to."""
    designs, planned = results.designs, results.planned or results.plan.cases
    first = f", of the first {planned} of {results.plan.cases} planned" if planned < results.plan.cases else ""
    if results.doubts:
        return Words(f"{designs.count_in_words}. Not shown: {'; '.join(results.doubts)}.", "open")
    if not designs.requirements:
        return Words("The study sets no requirements; its designs stand side by side.", "unasked")
    if not designs.passed:
        return Words(f"None of the {len(designs.cases)} designs meets all requirements{first}.", "bad")
    return Words(f"{designs.count_in_words}{first}.", "good")


def design_verdicts(results: StudyResults) -> TextTable:
    """Return how each requirement is met by the designs."""
    (_, *headings), *rows = results.designs.against_limits
    nominal = [as_text(results.nominal.get(row[0], float("nan"))) for row in rows]
    cells = tuple((row[0], value, *row[1:]) for row, value in zip(rows, nominal, strict=True))
    caption = "Requirements and the designs that meet them; nominal is the mission as its file has it"
    return TextTable("verdicts", caption, ("metric", "nominal", *headings), cells)


def design_compliance(designs: Designs) -> Iterator[tuple[str, ...]]:
    """Yield the row of each requirement in the compliance matrix."""
    for each in designs.requirements:
        (value, margin), allowed, count = designs.nearest(each), range_in_words(each), int(designs.kept(each).sum())
        told = f"met by {count} of {len(designs.cases)} designs, nothing dispersed"
        yield f"{each.metric} {allowed}", "best design", value, allowed, margin, told, designs.word(each), "cases.csv"


def design_blocks(results: StudyResults) -> Iterator[Block]:
    """Yield every design with what it meets, the best ones, and figures."""
    cases, designs = results.cases, results.designs
    names = [metric.name for metric in results.metrics]
    chosen = _chosen(results)
    unbeaten = _unbeaten(results)
    if len(cases) > MOST_ROWS:
        yield Words(f"The first {MOST_ROWS} designs; all are in cases.csv.")
    rows = []
    for k, number in enumerate(cases.numbers[:MOST_ROWS]):
        broken = "" if designs.meets[k] else ", ".join(designs.broken(k)) or "all: did not complete"
        values = [as_text(float(cases.metric(name)[k])) for name in names]
        settings = [level_name(levels[k]) for levels in chosen.values()]
        rows.append(
            (str(number), *settings, *values, "yes" if designs.meets[k] else "no", broken, "yes" if unbeaten[k] else "")
        )
    headings = ("design", *map(heading, (*chosen, *names)), "meets all", "breaks", "no other beats it")
    pair = " and ".join(heading(name) for name in list(results.trade)[:2])
    caption = f"Every design; the last column is the Pareto set in {pair}" if len(results.trade) > 1 else "Every design"
    last = len(headings) if len(results.trade) > 1 else -1
    yield TextTable("designs", caption, headings[:last], tuple(row[:last] for row in rows))
    yield _best(results, chosen)


def design_figures(results: StudyResults) -> Iterator[Block]:
    """Yield the trade of two metrics, each metric against what was chosen, and maps over two choices."""
    cases, designs, chosen = results.cases, results.designs, _chosen(results)
    if len(results.trade) > 1 and designs.cases.completed.any():
        yield Picture("pareto", pareto_figure(pareto(cases, results.trade, results.allowed, alike=ALIKE)))
    over = mapped(chosen)
    for metric in results.metrics[:MOST_FIGURES]:
        values = cases.metric(metric.name)
        if not np.isfinite(values).any() or not chosen:
            continue
        limits = [bound for bound in results.allowed.get(metric.name, ()) if np.isfinite(bound)]
        yield Picture(f"against_{metric.name}", against_figure(metric.name, values, chosen, designs.meets, limits))
        if len(over) == 2:
            across, up = ((path, chosen[path]) for path in over)
            sense = designs.better(metric.name)
            yield Picture(f"map_{metric.name}", map_figure(metric.name, values, across, up, sense, designs.meets))


def _best(results: StudyResults, chosen: Mapping[str, Sequence[Any]]) -> TextTable:
    """Return the best designs of each metric, with the command that flies the first of them again."""
    cases, designs, rows = results.cases, results.designs, []
    for metric in results.metrics:
        places = designs.best(metric.name)
        if not places.size:
            continue
        first, numbers = int(places[0]), [str(cases.numbers[k]) for k in places[:MOST_ALIKE]]
        alike = ", ".join(numbers) + (f" and {places.size - MOST_ALIKE} more" if places.size > MOST_ALIKE else "")
        way = "highest" if designs.better(metric.name) is Sense.MAX else "lowest"
        value = as_text(float(cases.metric(metric.name)[first]))
        rows.append((metric.name, way, value, alike, results.replay(int(cases.numbers[first]))))
    among = (
        "those that meet all requirements" if designs.meets.any() else "all that completed, because none meets all requirements"
    )
    caption = f"The best designs of each metric among {among}; what differs by rounding is equally good"
    return TextTable("best", caption, ("metric", "best is", "value", "designs", "to fly the first again"), tuple(rows))


def _chosen(results: StudyResults) -> dict[str, list[Any]]:
    """Return by design variable what each design has of it."""
    plan = results.plan
    values = [plan.case(int(number)).values for number in results.cases.numbers]
    return {path: [each[plan.targets.get(path, (path,))[0]] for each in values] for path in plan.design}


def _unbeaten(results: StudyResults) -> Any:
    if len(results.trade) < 2:
        return np.zeros(len(results.cases), bool)
    return pareto(results.cases, results.trade, results.allowed, alike=ALIKE).best
