"""Cases that share equations, references and actuators: one mission, flown with the numbers of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..errors import InvalidInput, ModeMismatch
from ..simulation import Outcome
from ..spatial import Array
from ._mission import Mission
from ._study_block import Block, flown
from ._study_documents import Documents
from ._study_flight import Steps
from ._study_models import Shelf
from ._study_numbers import Numbers, Quick, numbers_of
from ._study_target import Target
from ._study_variation import Values, Variation

HALVINGS = 12
LIKE_NOMINAL = 10.0  # estimated error of a case, in those of the nominal one, whose true error is known
CLOSE, FAR = 1e-5, 1e-3  # estimated errors with which a case always counts, and never more
_ROUNDING = 1e-9
_LEAST = 1.0  # sizes below it [m, rad, m/s, rad/s, 1] are compared with it


@dataclass(frozen=True, eq=False)
class Group:
    """A mission with the structural values of some cases set.

    documents, targets : its files, and what paths are there
    """

    variation: Variation
    mission: Mission
    documents: Documents
    targets: Mapping[str, Target]
    shelf: Shelf

    @classmethod
    def of(cls, variation: Variation, values: Values, design: Values, shelf: Shelf) -> Group:
        """Return the group of a case."""
        shared, chosen = variation.structural(values), variation.structural(design)
        documents = variation.files(shared, chosen)
        return cls(variation, documents.built(*shelf.makers), documents, variation.base(shared)[1], shelf)

    def numbers(self, values: Values, design: Values) -> Numbers:
        """Return the numbers of a case; raises `InvalidInput` for those that no hardware can have."""
        if self._quick.serves(design):
            return self._quick.numbers(values, design)
        documents = self.variation.files(values, design)
        return numbers_of(documents.built(*self.shelf.makers), documents)

    @cached_property
    def _quick(self) -> Quick:
        return Quick(self.mission, self.documents, self.targets)

    @cached_property
    def nominal(self) -> Numbers:
        """Numbers without what is dispersed."""
        return numbers_of(self.mission, self.documents)

    def block(self, numbers: list[Numbers], steps: Steps) -> Block:
        """Return cases flown together."""
        return flown(self.mission.model, numbers, steps, self.mission.environment)


def chosen_steps(group: Group, output_step_s: float, tolerance: float) -> Steps | None:
    """Return the steps with which an ensemble's nominal case is the run of `Mission.run`, None where there are none.

    tolerance : largest difference of any entry of the state at any output, relative to the largest size of that entry or to 1
    """
    true = _run(group.mission, output_step_s)
    if true is None:
        return None
    step_s = output_step_s
    for _ in range(HALVINGS):
        try:
            block = group.block([group.nominal], Steps(step_s, output_step_s))
        except (InvalidInput, ModeMismatch):
            return None
        if block.outcomes[0] is Outcome.COMPLETED:
            ((_, samples),) = block.parts()
            if difference(samples.x[0], true) <= tolerance:
                return Steps(step_s, output_step_s, _most(float(block.flight.errors()[0])))
        step_s /= 2
    return None


def _most(nominal: float) -> float:
    """Return the largest estimated error with which a case counts, a power of ten, which is the same on all processors."""
    like = LIKE_NOMINAL * min(max(nominal, CLOSE / LIKE_NOMINAL), FAR / LIKE_NOMINAL)
    return float(10.0 ** math.ceil(math.log10(like) - _ROUNDING))


def difference(x: Array, true: Array) -> float:
    """Return the largest difference of states (k, n_x), relative to the largest size of each entry or to 1."""
    size = np.maximum(_LEAST, np.abs(true).max(axis=0))
    return float((np.abs(x - true) / size).max())


def _run(mission: Mission, output_step_s: float) -> Array | None:
    """Return the states (k, n_x) of the mission by controlled steps, None where it does not come to its end."""
    fine = replace(mission, integration=replace(mission.integration, output_step_s=output_step_s))
    run = fine.run()
    return np.concatenate([history.states.x for history in run.histories]) if run.completed else None
