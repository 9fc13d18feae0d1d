"""What a study says: its rows, and what follows from them together."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from ..cells import cards, html_table
from ..errors import Problem, checked, refuse
from ..report import CONFIDENCE, Designs, Figure, Judged, distribution_figure, pareto_figure, sensitivity_figure
from ..study import (
    Definition,
    Missing,
    Paired,
    PairedSuccess,
    Pareto,
    Percentile,
    Proportion,
    Sense,
    Sensitivity,
    StoredStudy,
    StudyOutcome,
    StudyStatus,
    Table,
    Worst,
    paired,
    paired_success,
    pareto,
    percentile,
    result_hash,
    sensitivity,
    success,
    worst,
)


@dataclass(frozen=True, eq=False)
class StudyResult:
    """The results in a folder.

    outcome : how the study ended; None where the folder was only read
    stored : what the folder holds, if it was read before

    >>> result.passed, result.table.metric("base_rotation_deg").round(2).tolist(), result.replay_command(1)
    (True, [54.96, 54.39], 'scmanip replay gains --case 1')
    """

    folder: Path
    definition: Definition
    outcome: StudyOutcome | None = None
    stored: StoredStudy | None = None

    @cached_property
    def status(self) -> StudyStatus:
        """How much of the study is in the folder, and why no verdict can be built on it, if that is so."""
        return self._stored.status(self.definition.stop_rule)

    @cached_property
    def table(self) -> Table:
        """One row per case that is there; raises `InvalidInput` where files are not as they were written."""
        self._refuse_damage()
        return self._stored.table(self.definition.seed, self.definition.stop_rule)

    @property
    def hash(self) -> str:
        """Digest of cases.csv; raises `InvalidInput` where files are not as they were written."""
        self._refuse_damage()
        return result_hash(self.folder)

    @cached_property
    def _stored(self) -> StoredStudy:
        return self.stored or StoredStudy(self.folder)

    def _refuse_damage(self) -> None:
        where, hint = f"study folder '{self.folder}'", "scmanip study resume mends what can be mended"
        refuse(Problem(where, "files as they were written", words, hint=hint) for words in self.status.damage)

    @cached_property
    def judged(self) -> tuple[Judged, ...]:
        """Every limit against the cases."""
        whole = not self.status.doubts
        return tuple(Judged.of(requirement, self.table, whole=whole) for requirement in self.definition.requirements)

    @cached_property
    def designs(self) -> Designs:
        """The cases as designs, of a study in which nothing is left to chance."""
        return Designs(self.definition.requirements, self.table, whole=not self.status.doubts)

    @property
    def passed(self) -> bool:
        """Whether all limits are kept, by every case that the study needs for a verdict, in files as they were written.

        Where nothing is left to chance every case is a design: whether one of them meets all requirements.
        """
        if not self.definition.by_chance:
            return self.designs.passed
        return not self.status.doubts and all(judged.passed for judged in self.judged)

    def success(self, confidence: float = CONFIDENCE) -> Proportion:
        """Return the probability that a case completes and keeps all limits, with exact bounds."""
        return success(self.table, self.definition.allowed, confidence)

    @checked
    def percentile(
        self, metric: str, share: float, confidence: float = CONFIDENCE, *, missing: Missing = Missing.REFUSE
    ) -> Percentile:
        """Return a percentile of a metric with distribution-free bounds; `share` 0.95 for the 95th."""
        return percentile(self.table.metric(metric), share, confidence, missing=missing)

    @checked
    def pareto(self, senses: Mapping[str, Sense | str], *, feasible_only: bool = True) -> Pareto:
        """Return which cases no other beats; `senses` by metric, "min" or "max"; cases that break limits are marked."""
        unknown = {name: sense for name, sense in senses.items() if sense not in [*Sense]}
        refuse(Problem(f"senses {name}", f"one of {', '.join(Sense)}", repr(sense)) for name, sense in unknown.items())
        allowed = self.definition.allowed if feasible_only else None
        return pareto(self.table, {name: Sense(sense) for name, sense in senses.items()}, allowed)

    @checked
    def sensitivity(
        self, metric: str, names: Sequence[str] = (), confidence: float = CONFIDENCE, *, missing: Missing = Missing.REFUSE
    ) -> Sensitivity:
        """Return the shares of a metric's variance that inputs, or those named, cause; the study's seed draws the bootstrap."""
        return sensitivity(
            self.table, metric, names, confidence, missing=missing, rng=np.random.default_rng(self.definition.seed)
        )

    @checked
    def worst(self, metric: str, count: int = 5) -> Worst:
        """Return the worst cases of a metric: the highest, or the lowest where its limit is one from below."""
        return worst(self.table, metric, count, self.better(metric))

    def failures(self) -> dict[int, tuple[str, str]]:
        """Return status and reason of every case that did not complete, by number."""
        lost = np.flatnonzero(~self.table.completed)
        return {int(self.table.numbers[i]): (str(self.table.status[i]), str(self.table.reason[i])) for i in lost}

    @checked
    def compare(self, other: StudyResult, metric: str, *, changed: tuple[str, ...] = ()) -> Paired:
        """Return how a metric differs in another study with the same draws, case by case; `changed`: inputs that may differ."""
        return paired(self.table, other.table, metric, self.better(metric), changed=changed, missing=Missing.LEFT_OUT)

    @checked
    def compare_success(self, other: StudyResult, *, changed: tuple[str, ...] = ()) -> PairedSuccess:
        """Return in how many cases another study with the same draws keeps the limits of this one where this one does not."""
        return paired_success(self.table, other.table, self.definition.allowed, CONFIDENCE, changed=changed)

    @checked
    def plot_distribution(self, metric: str) -> Figure:
        """Return the figure of a metric's values and their distribution, with its limits; cases without one are left out."""
        values = self.table.metric(metric)
        bounds = self.definition.allowed.get(metric, ())
        return distribution_figure(values[np.isfinite(values)], metric, [bound for bound in bounds if np.isfinite(bound)])

    @checked
    def plot_sensitivity(self, metric: str, names: Sequence[str] = ()) -> Figure:
        """Return the figure of what a metric depends on."""
        return sensitivity_figure(self.sensitivity(metric, names))

    @checked
    def plot_pareto(self, senses: Mapping[str, Sense | str]) -> Figure:
        """Return the figure of the trade between two metrics."""
        return pareto_figure(self.pareto(senses))

    def replay_command(self, case: int) -> str:
        """Return the command that runs a case again."""
        return shlex.join(["scmanip", "replay", str(self.folder), "--case", str(case)])

    def better(self, metric: str) -> Sense:
        """Return which way a metric is better: more where its limit is one from below, otherwise less."""
        bounds = [requirement for requirement in self.definition.requirements if requirement.metric == metric]
        return Sense.MAX if any(r.max is None and r.min is not None for r in bounds) else Sense.MIN

    @property
    def against_limits(self) -> tuple[tuple[str, ...], ...]:
        """A table in words, headings first: each limit with the worst value, in how many cases it is kept, and the verdict.

        Of designs with the best value, and how many meet it.
        """
        if not self.definition.by_chance:
            return self.designs.against_limits
        return ("limit", "worst", "allowed", "kept", "verdict"), *map(_in_words, self.judged)

    @property
    def spread(self) -> tuple[tuple[str, ...], ...]:
        """A table in words, headings first: each metric that cases have with its lowest, middle and highest value."""
        known = {name: values[np.isfinite(values)] for name in self.table.metrics for values in [self.table.metric(name)]}
        ends = {name: (values.min(), np.median(values), values.max()) for name, values in known.items() if values.size}
        rows = ((name, *(f"{value:.6g}" for value in three)) for name, three in ends.items())
        return ("metric", "lowest", "median", "highest"), *rows

    def _repr_html_(self) -> str:
        title = f"{self.definition.title or self.definition.name}: {int(self.table.completed.sum())} of {len(self.table)} cases"
        (measures, *spread), (headings, *limits) = self.spread, self.against_limits
        doubts = [f"not shown: {doubt}" for doubt in self.status.doubts]
        return cards(html_table(f"{title} completed", measures, spread), html_table("Limits", headings, limits, doubts))

    def __repr__(self) -> str:
        return f"StudyResult({self.definition.name!r}, {len(self.table)} cases, {int(self.table.completed.sum())} completed)"


def _in_words(judged: Judged) -> tuple[str, ...]:
    low, high = judged.requirement.allowed
    allowed = " and ".join(words for words, bound in ((f">= {low:g}", low), (f"<= {high:g}", high)) if np.isfinite(bound))
    kept = judged.kept
    bounds = f"{kept.successes} of {kept.runs}, {100 * kept.interval.low:.4g} to {100 * kept.interval.high:.4g} %"
    return judged.requirement.metric, f"{judged.worst:.6g}", allowed, bounds, judged.word
