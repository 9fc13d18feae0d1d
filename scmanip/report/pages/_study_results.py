"""What a report of a study is made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ...study import Allowed, Metric, Plan, Requirement, Sense
from ...study import Table as Cases
from ..verdicts._designs import Designs
from ..verdicts._judged import Judged
from ._page import Block


@dataclass(frozen=True, eq=False, kw_only=True)
class StudyResults:
    """What a report of a study is made from.

    title : of the study; plan : what was varied; metrics, requirements : what was measured and asked
    cases : what became of the cases; planned : how many the study was run for; doubts : why no verdict can be built on them
    nominal : metrics, in their units, of the case in which nothing is varied
    replay : the command that flies a case again; trade : two metrics with the way each is better, for the Pareto set
    budgets : of the nominal case, by contributor; switched : its constraints, and what was switched
    equations, checks, provenance, command : as in `run_page`
    by_chance : whether cases are draws; otherwise each is a design
    motion : pictures of a case

    >>> from scmanip.study import Metric, Requirement
    >>> turn = "base_rotation_deg"
    >>> asked = [Requirement(metric=turn, max=11.0, unit="deg")]
    >>> measured = [Metric(turn, "max(degrees(base_rotation_rad))")]
    >>> results = StudyResults(title="masses", plan=plan, metrics=measured, requirements=asked, cases=cases)
    >>> [str(judged.word) for judged in results.judged], results.allowed
    (['FAILED'], {'base_rotation_deg': (-inf, 11.0)})
    """

    title: str
    plan: Plan
    metrics: Sequence[Metric]
    requirements: Sequence[Requirement]
    cases: Cases
    planned: int | None = None
    doubts: Sequence[str] = ()
    nominal: Mapping[str, float] = field(default_factory=dict)
    replay: Callable[[int], str] = "case {}".format
    trade: Mapping[str, Sense] = field(default_factory=dict)
    budgets: Sequence[Block] = ()
    switched: Sequence[Block] = ()
    equations: tuple[tuple[str, str, str], ...] = ()
    checks: Sequence[Block] = ()
    provenance: Mapping[str, str] = field(default_factory=dict)
    command: str | None = None
    by_chance: bool = True
    motion: Sequence[Block] = ()

    @property
    def allowed(self) -> Allowed:
        """Ranges by metric."""
        return {requirement.metric: requirement.allowed for requirement in self.requirements}

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Every requirement against the cases."""
        return tuple(Judged.of(requirement, self.cases, whole=not self.doubts) for requirement in self.requirements)

    @cached_property
    def designs(self) -> Designs:
        """The cases of a study in which nothing is left to chance."""
        return Designs(self.requirements, self.cases, whole=not self.doubts)


def flat(entry: object) -> str:
    """Return what a definition says at one place, in words."""
    if isinstance(entry, Mapping):
        return ", ".join(f"{key} {flat(value)}" for key, value in entry.items())
    if isinstance(entry, list | tuple):
        return "[" + ", ".join(map(flat, entry)) + "]"
    return f"{entry:.6g}" if isinstance(entry, float) else str(entry)
