"""All that the rows of a study of a mission depend on, as plain data that workers get."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from .. import __version__
from ..study import Case, Metric, Plan, Value
from .flight._steps import Steps
from .variation._target import ESTIMATE, SYSTEM
from .variation._variation import Variation

if TYPE_CHECKING:
    from .flight._evaluator import MissionEvaluator


@dataclass(frozen=True, eq=False)
class MissionRecipe:
    """What a worker needs to run cases.

    output_step_s : longest distance of the samples from which metrics are computed [s]; outputs : about how many those are
    tolerance : of an ensemble's steps, against controlled ones
    alone : why each case is run by itself; empty where cases are flown together, as far as modes and laws can be
    steps : of groups for which they were found already, by their structural values; they follow from all else
    """

    variation: Variation
    plan: Plan
    metrics: tuple[Metric, ...]
    output_step_s: float
    outputs: int
    tolerance: float
    alone: str = ""
    steps: Mapping[object, Steps | None] = field(default_factory=dict)

    @property
    def together(self) -> bool:
        """Whether cases are flown together."""
        return not self.alone

    def design(self, case: Case) -> dict[str, Value]:
        """Return what the design alone says of a case."""
        return self.plan.at(case.design) if case.number >= 0 else {}

    @cached_property
    def one_belief(self) -> bool:
        """Whether controllers believe the same of the system in all cases."""
        targets = self.variation.targets
        designed = {path for name in self.plan.design for path in self.plan.targets.get(name, (name,))}
        known = {path for path in designed if targets[path].document == SYSTEM}
        return not known and all(target.document != ESTIMATE for target in targets.values())

    @cached_property
    def key(self) -> str:
        """A digest of all that results depend on."""
        documents = self.variation.documents
        content = {
            "version": __version__,
            "plan": self.plan.text,
            "mission": documents.mission.text,
            "systems": {given: source.text for given, source in documents.sources.known.items()},
            "metrics": [[metric.name, metric.expression] for metric in self.metrics],
            "output_step_s": self.output_step_s,
            "tolerance": self.tolerance,
            "together": self.together,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def evaluator(self) -> MissionEvaluator:
        """Return what runs the cases."""
        from .flight._evaluator import MissionEvaluator

        return MissionEvaluator(self)
