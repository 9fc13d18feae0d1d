"""From cases to rows: cases of one group are flown together, in machine code, or each by itself where that cannot be."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InvalidInput, ScmanipError
from ...mission import ADVICE, Mission, Run
from ...simulation import Outcome, StiffLoop
from ...study import Case, Estimated, Row, Status
from ._alone import AloneFlight
from ._contract import broken_laws
from ._flight import GroupFlight
from ._group import Group
from ._models import Shelf
from ._numbers import Numbers
from ._samples import CaseSamples
from ._series import SeriesOf
from ._steps import MOST, Steps
from ._trial import Trial

if TYPE_CHECKING:
    from .._recipe import MissionRecipe

AT_ONCE = 100_000  # samples of a block, over all its cases
ALONE = "flown by itself"
SOME = 8  # cases of the plan that are flown to find the steps of a group
_STATUS = {Outcome.DIVERGED: Status.DIVERGED, Outcome.NOT_FINITE: Status.DIVERGED}


class MissionEvaluator:
    """Runs the cases of a study of a mission."""

    def __init__(self, recipe: MissionRecipe) -> None:
        self.recipe = recipe
        variation = recipe.variation
        self._shelf = Shelf(varied=variation.inertia_varied, symbols=variation.symbols, one_belief=recipe.one_belief)
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

    @property
    def knowing(self) -> MissionRecipe:
        """The recipe with the steps that were found here, so that nobody who gets it looks for them again."""
        return replace(self.recipe, steps={key: steps for key, (_, steps) in self._groups.items()})

    def run(self, case: Case) -> Run:
        """Return the run of a case by controlled steps, with all that a run has; raises `InvalidInput`."""
        return self.mission(case).run()

    def mission(self, case: Case) -> Mission:
        """Return the mission of a case, loaded with its values set; raises `InvalidInput`."""
        recipe = self.recipe
        documents = recipe.variation.files(case.values, recipe.design(case))
        if case.number >= 0 and not {"sensor", "estimator"}.isdisjoint(documents.mission.data):
            documents = documents.changed(mission=[(("observation", "case"), case.repeat)])
        mission = documents.built(*self._shelf.makers)
        return replace(mission, integration=replace(mission.integration, output_step_s=recipe.output_step_s))

    def kept(self, case: Case) -> bytes:
        """Return the history of a case as a netCDF file."""
        return self.run(case).netcdf()

    def _key(self, case: Case) -> object:
        return tuple(self.recipe.variation.structural(case.values).items())

    def _group(self, case: Case) -> tuple[Group, Steps | None]:
        key, recipe = self._key(case), self.recipe
        if key not in self._groups:
            group = Group.of(recipe.variation, case.values, recipe.design(case), self._shelf)
            self._groups[key] = group, recipe.steps[key] if key in recipe.steps else self._found(case, group)
        return self._groups[key]

    def _found(self, case: Case, group: Group) -> Steps | None:
        """Return the steps of the group of a case, by trying."""
        trial = Trial(group, list(self._some(case, group)), self._measured)
        return trial.steps(self.recipe.output_step_s, self.recipe.tolerance)

    def _some(self, case: Case, group: Group) -> Iterator[Numbers]:
        """Yield the numbers of the first cases of the plan, with the structural values of a case."""
        recipe = self.recipe
        shared, design = recipe.variation.structural(case.values), recipe.design(case)
        chosen = recipe.variation.structural(design)
        for number in range(min(SOME, recipe.plan.cases)):
            other = recipe.plan.case(number)
            try:
                yield group.numbers({**other.values, **shared}, {**recipe.design(other), **chosen})
            except InvalidInput:
                continue

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
        closer = self.recipe.output_step_s / steps.output_step_s
        most = max(16, int(AT_ONCE / (closer * self.recipe.outputs)))
        size = math.ceil(len(flying) / max(1, math.ceil(len(flying) / most)))  # a few of them take nearly as long as many
        for first in range(0, len(flying), max(1, size)):
            part = flying[first : first + size]
            made = self._flown(group, steps, [cases[place] for place, _ in part], [numbers for _, numbers in part])
            rows |= dict(zip([place for place, _ in part], made, strict=True))
        return [rows[place] for place in range(len(cases))]

    def _flown(self, group: Group, steps: Steps, cases: list[Case], numbers: list[Numbers]) -> list[Row]:
        """Return rows of cases flown together; one that does not come out well enough so is flown again by itself."""
        block = group.block(numbers, steps)
        doubts, errors = [*block.doubts], block.errors()
        found: dict[int, dict[str, float]] = {}
        for place in np.flatnonzero([outcome is Outcome.TIMEOUT for outcome in block.outcomes]).tolist():
            doubts[place] = _doubt((), float(errors[place]), ())
        for places, samples in block.parts():
            columns, broken = self._measured(samples), broken_laws(samples)
            for k, place in enumerate(places.tolist()):
                found[place] = {name: float(each.values[k]) for name, each in columns.items()}
                apart = {name: float(each.errors[k]) for name, each in columns.items()}
                unsure = [name for name, value in found[place].items() if steps.unsure(name, value, apart[name])]
                doubts[place] = _doubt([*broken[k], *block.strayed(place)], float(errors[place]), unsure)
        return [self._sure(case, place, block, doubts[place], found.get(place)) for place, case in enumerate(cases)]

    def _sure(self, case: Case, place: int, block: GroupFlight, doubt: str, found: dict[str, float] | None) -> Row:
        """Return the row of a case that was flown with others, by itself where there is doubt."""
        if doubt:
            return self._alone(case, doubt)
        return self._completed(case, found) if found is not None else self._ended(case, Outcome.TIMEOUT, block.advice(place))

    def _alone(self, case: Case, doubt: str = "") -> Row:
        """Return the row of a case with controlled steps; `doubt`: why it could not be flown with others."""
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", StiffLoop)
            row = self._controlled(case)
        stiff = [str(each.message) for each in told if issubclass(each.category, StiffLoop)][:1]
        for each in told:
            if not issubclass(each.category, StiffLoop):
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
        return replace(row, reason="; ".join(filter(None, [row.reason, *stiff, doubt and f"{ALONE}: {doubt}"])))

    def _controlled(self, case: Case) -> Row:
        try:
            mission = self.mission(case)
        except ScmanipError as error:
            return self._row(case, Status.REFUSED, reason=_words(error))
        flight = AloneFlight.of(mission, self._measured, self.recipe.tolerance)
        run = flight.run
        if not run.completed:
            return self._ended(case, run.outcome, run.histories[-1].advice)
        return self._completed(case, dict(flight.metrics), run.broken_laws, flight.open)

    def _measured(self, samples: CaseSamples) -> dict[str, Estimated]:
        source = SeriesOf(samples)
        return {metric.name: metric.estimated(source, samples.grid) for metric in self.recipe.metrics}

    def _completed(self, case: Case, metrics: dict[str, float], broken: Sequence[str] = (), left: Sequence[str] = ()) -> Row:
        if broken:
            return Row(case, Status.FAILED, metrics, f"broken laws: {', '.join(broken)}")
        wrong = [name for name, value in metrics.items() if not np.isfinite(value)]
        if wrong:
            return Row(case, Status.FAILED, metrics, f"not a finite number: {', '.join(wrong)}")
        if left:
            return Row(case, Status.FAILED, metrics, f"not shown: {'; '.join(left)}, {ADVICE}")
        return Row(case, Status.COMPLETED, metrics)

    def _ended(self, case: Case, outcome: Outcome, advice: str) -> Row:
        """Return the row of a case that did not complete."""
        return self._row(case, _STATUS.get(outcome, Status.FAILED), reason=f"{outcome}: {advice}")

    def _row(self, case: Case, status: Status, *, reason: str) -> Row:
        return Row(case, status, {metric.name: float("nan") for metric in self.recipe.metrics}, reason)


def _doubt(broken: Sequence[str], error: float, unsure: Sequence[str]) -> str:
    """Return why the row of a case that was flown with others is not to be trusted; nothing where it is."""
    if broken:
        return f"with the steps of all it broke {', '.join(broken)}"
    if error > MOST:
        return f"with the steps of all its error is up to {error:.1e}"
    return f"the samples of all are too few for {', '.join(unsure)}" if unsure else ""


def _words(error: ScmanipError) -> str:
    return "; ".join(str(error).splitlines())
