"""From cases to rows: cases of one group are flown together, in machine code, or each by itself where that cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..errors import InvalidInput, ScmanipError
from ..simulation import Outcome
from ..spatial import Array
from ..study import Case, Row, Status
from ._mission import Mission
from ._run import Run
from ._study_contract import broken_laws
from ._study_flight import Steps
from ._study_group import Group, chosen_steps
from ._study_models import Shelf
from ._study_numbers import Numbers
from ._study_recipe import MissionRecipe
from ._study_samples import Samples, samples_of
from ._study_series import SeriesOf

AT_ONCE = 80_000  # samples of a block, over all its cases
_STATUS = {Outcome.DIVERGED: Status.DIVERGED, Outcome.NOT_FINITE: Status.DIVERGED}


class MissionEvaluator:
    """Runs the cases of a study of a mission."""

    def __init__(self, recipe: MissionRecipe) -> None:
        self.recipe = recipe
        self._shelf = Shelf(varied=recipe.variation.inertia_varied, one_belief=recipe.one_belief)
        self._groups: dict[object, tuple[Group, Steps | None]] = {}

    def rows(self, cases: Sequence[Case]) -> list[Row]:
        """Return one row per case, in order."""
        rows: dict[int, Row] = {}
        together: dict[object, list[int]] = {}
        for place, case in enumerate(cases):
            if self.recipe.together:
                together.setdefault(self._key(case), []).append(place)
            else:
                rows[place] = self._alone(case)
        for places in together.values():
            rows |= dict(zip(places, self._of_group([cases[place] for place in places]), strict=True))
        return [rows[place] for place in range(len(cases))]

    def steps(self, case: Case) -> Steps | None:
        """Return how the ensemble of a case is computed, None where it is run by itself."""
        return self._group(case)[1] if self.recipe.together else None

    def run(self, case: Case) -> Run:
        """Return the run of a case by controlled steps, with all that a run has; raises `InvalidInput`."""
        return self.mission(case).run()

    def mission(self, case: Case) -> Mission:
        """Return the mission of a case, loaded with its values set; raises `InvalidInput`."""
        recipe = self.recipe
        documents = recipe.variation.files(case.values, recipe.design(case))
        mission = documents.built(*self._shelf.makers)
        return replace(mission, integration=replace(mission.integration, output_step_s=recipe.output_step_s))

    def keep(self, case: Case, path: Path) -> None:
        """Write the history of a case to a netCDF file."""
        self.run(case).write_netcdf_file(path)

    def _key(self, case: Case) -> object:
        return tuple(self.recipe.variation.structural(case.values).items())

    def _group(self, case: Case) -> tuple[Group, Steps | None]:
        key, recipe = self._key(case), self.recipe
        if key not in self._groups:
            group = Group.of(recipe.variation, case.values, recipe.design(case), self._shelf)
            self._groups[key] = (group, chosen_steps(group, recipe.output_step_s, recipe.tolerance))
        return self._groups[key]

    def _of_group(self, cases: list[Case]) -> list[Row]:
        try:
            group, steps = self._group(cases[0])
        except ScmanipError as error:
            return [self._row(case, Status.REFUSED, reason=_words(error)) for case in cases]
        if steps is None:
            return [self._alone(case) for case in cases]
        rows: dict[int, Row] = {}
        flying: list[tuple[int, Numbers]] = []
        for place, case in enumerate(cases):
            try:
                flying.append((place, group.numbers(case.values, self.recipe.design(case))))
            except InvalidInput as error:
                rows[place] = self._row(case, Status.REFUSED, reason=_words(error))
        size = max(16, AT_ONCE // self.recipe.outputs)
        for first in range(0, len(flying), size):
            part = flying[first : first + size]
            made = self._flown(group, steps, [cases[place] for place, _ in part], [numbers for _, numbers in part])
            rows |= dict(zip([place for place, _ in part], made, strict=True))
        return [rows[place] for place in range(len(cases))]

    def _flown(self, group: Group, steps: Steps, cases: list[Case], numbers: list[Numbers]) -> list[Row]:
        block = group.block(numbers, steps)
        found: dict[int, tuple[dict[str, float], tuple[str, ...]]] = {}
        for places, samples in block.parts():
            columns, broken = self._metrics(samples), broken_laws(samples)
            for k, place in enumerate(places.tolist()):
                found[place] = {name: float(values[k]) for name, values in columns.items()}, broken[k]
        return [
            self._completed(case, *found[place])
            if place in found
            else self._row(case, _STATUS.get(outcome, Status.FAILED), reason=reason)
            for place, (case, outcome, reason) in enumerate(zip(cases, block.outcomes, block.reasons, strict=True))
        ]

    def _alone(self, case: Case) -> Row:
        try:
            mission = self.mission(case)
        except ScmanipError as error:
            return self._row(case, Status.REFUSED, reason=_words(error))
        run = mission.run()
        if not run.completed:
            return self._row(case, _STATUS.get(run.outcome, Status.FAILED), reason=f"{run.outcome}: {run.histories[-1].advice}")
        columns = self._metrics(samples_of(mission.model, run.flown))
        return self._completed(case, {name: float(values[0]) for name, values in columns.items()}, run.broken_laws)

    def _metrics(self, samples: Samples) -> dict[str, Array]:
        source = SeriesOf(samples)
        return {metric.name: metric.values(source) for metric in self.recipe.metrics}

    def _completed(self, case: Case, metrics: dict[str, float], broken: Sequence[str]) -> Row:
        if broken:
            return Row(case, Status.FAILED, metrics, f"broken laws: {', '.join(broken)}")
        wrong = [name for name, value in metrics.items() if not np.isfinite(value)]
        if wrong:
            return Row(case, Status.FAILED, metrics, f"not a finite number: {', '.join(wrong)}")
        return Row(case, Status.COMPLETED, metrics)

    def _row(self, case: Case, status: Status, *, reason: str) -> Row:
        return Row(case, status, {metric.name: float("nan") for metric in self.recipe.metrics}, reason)


def _words(error: ScmanipError) -> str:
    return "; ".join(str(error).splitlines())
