"""Many cases of a mission: what is varied, measured and required, run anywhere and told together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from ..cells import cards, html_table, waiting
from ..control import Controller, Law
from ..errors import InvalidInput, Problem, checked
from ..guidance import ReferenceMotion
from ..mission import Mission, Run, named_file, own_parts
from ..study import (
    Case,
    Correlated,
    Definition,
    Keep,
    Metric,
    Plan,
    Progress,
    Requirement,
    Row,
    Sampling,
    Stop,
    define,
    load_definition,
    run_study,
)
from ..system import State, System, path_text
from ._build import recipe_of
from ._files import stored_definition, stored_documents, study_files
from ._recipe import MissionRecipe
from ._result import StudyResult
from .flight._evaluator import MissionEvaluator
from .flight._steps import MOST
from .variation._documents import Documents

NOMINAL = Case(-1, -1, 0, {})


@dataclass(frozen=True, eq=False)
class Replay:
    """A case that was run again.

    row : what it comes to, equal to the study's own row to the last bit
    run : the same by itself with controlled steps, with all that a run has; where cases are flown together its states
        differ from the row's by no more than the estimated error that the study allows, as study.json has it

    >>> again = study.replay(1)
    >>> again.row.metrics["base_rotation_deg"].hex() == result.table.metric("base_rotation_deg")[1].hex()
    True
    >>> again.run.outcome.name
    'COMPLETED'
    """

    row: Row
    run: Run


@checked
class Study:
    """A mission, what is varied in it, and what is measured: `Study("mission.toml", seed=7, ...).run("results/study")`.

    Every path is found when the study is built, set, and read back from what would fly; a value that does not arrive there,
    or changes nothing, is refused. What is chosen in `design` is known to the controllers; what is dispersed is not: they
    believe in nominal values unless a path such as `estimate.body.link3.mass_kg` says otherwise.

    mission : path of a mission file, "mission:name" of a packaged one, or a `Mission` that was loaded from one, with objects of
        Python that it was given
    seed : of all draws; case i has draws of its own, whatever else is run
    metrics : expressions by name, whose ends are their units: {"base_rotation_deg": "max(degrees(base_rotation_rad))"}
    design : by path, `levels(...)`, `span(low, high)`, `grid(low, high, count)` or a list
    dispersion : by path, frozen distributions of SciPy, `dispersed(...)` or `uniform_ball(radius)`; * stands for names
    correlated, sampling, repeats, keep, stop : as in a study file
    limits : by metric, such as {"max": 5.0, "unit": "deg"}
    output_step_s : longest distance of the samples behind metrics [s]; about 250 where left out
    Raises `InvalidInput` with all that is wrong.

    >>> study.plan.cases, study.case(1).values, study.mission(1).phases[0].controller.K_P[0].tolist()
    (2, {'phase.joint_sequence.controller.K_P': 2.0}, 2.0)
    """

    def __init__(
        self,
        mission: str | os.PathLike[str] | Mission,
        *,
        seed: int,
        metrics: Mapping[str, str] | Sequence[Metric],
        name: str = "",
        title: str = "",
        design: Mapping[str, Any] | None = None,
        dispersion: Mapping[str, Any] | None = None,
        correlated: Iterable[Correlated | tuple[Sequence[str], Any]] = (),
        sampling: Sampling | None = None,
        repeats: int = 1,
        limits: Mapping[str, Any] | Sequence[Requirement] = (),
        keep: Keep | None = None,
        stop: Stop | None = None,
        output_step_s: float | None = None,
    ) -> None:
        path = mission.file if isinstance(mission, Mission) else os.fspath(mission)
        definition = define(
            name=name or Path(path).stem,
            title=title,
            mission=path,
            seed=seed,
            metrics=metrics,
            design=design,
            dispersion=dispersion,
            correlated=correlated,
            sampling=sampling,
            repeats=repeats,
            limits=limits,
            keep=keep,
            stop=stop,
            output_step_s=output_step_s,
        )
        documents = Documents.read(Path(named_file(path)), mission.own if isinstance(mission, Mission) else {})
        if isinstance(mission, Mission):
            _refuse_other(mission, documents)
        self._take(definition, documents)

    @classmethod
    def of(cls, definition: Definition, documents: Documents) -> Study:
        """Return the study of a definition and the files of its mission; raises `InvalidInput`."""
        study = object.__new__(cls)
        study._take(definition, documents)
        return study

    def _take(self, definition: Definition, documents: Documents) -> None:
        self.definition, self.documents = definition, documents
        self.recipe: MissionRecipe = recipe_of(definition, documents)

    @property
    def own(self) -> Mapping[str, Any]:
        """Objects of Python in its mission, by path: what `load_study` takes to read a stored one."""
        return self.documents.own

    def with_controller(self, phase: str, law: Controller | Law | Callable[[float, State], ArrayLike]) -> Study:
        """Return the study with another law in a phase of its mission, the same one in all cases; as `Mission.with_controller`.

        Workers get copies of it: `run` refuses one that cannot be pickled. It believes in what it was made with, whatever is
        varied. Raises `InvalidInput` also where the study varies what it takes the place of.
        """
        return self._with(f"phase.{phase}.controller", law)

    def with_guidance(self, phase: str, reference: ReferenceMotion) -> Study:
        """Return the study with another reference in a phase of its mission; as `with_controller`."""
        return self._with(f"phase.{phase}.guidance", reference)

    def with_system(self, system: System) -> Study:
        """Return the study of another system, of which what a system file can say is varied; as `with_controller`."""
        return self._with("system", system)

    def _with(self, path: str, made: Any) -> Study:
        return Study.of(self.definition, self.documents.with_own({path: made}))

    @property
    def plan(self) -> Plan:
        """The cases."""
        return self.recipe.plan

    @property
    def name(self) -> str:
        """What it is called."""
        return self.definition.name

    @checked
    def run(
        self,
        folder: str | os.PathLike[str],
        *,
        executor: str | Executor | Callable[[], Executor] = "local",
        workers: int | None = None,
        block: int | None = None,
        cases: int | None = None,
        progress: Callable[[Progress], object] | None = None,
    ) -> StudyResult:
        """Run the cases that have no row in `folder` yet, and return what the study says.

        executor : "local" processes, "serial", "dask://host:port", a `concurrent.futures.Executor` or what makes one
        workers, block : how many, and how many cases at once; chosen where left out
        cases : only so many, the first ones: a study of its own, for a first look
        Raises `InvalidInput` for a folder with other things in it and for objects that workers cannot have, `StudyHalted`, and
        `StudyInterrupted` on Ctrl-C.
        """
        for path, part in own_parts(self.documents.mission, self.documents.sources).items():
            part.refuse_if_stuck(path, here=executor == "serial")
        definition, plan, nominal = self.definition, self.recipe.plan, self._about()
        with waiting(f"study {self.name}") as tell:
            outcome = run_study(
                plan if cases is None else replace(plan, first=cases),
                self.evaluator.knowing,
                folder,
                executor=executor,
                workers=workers,
                block=block,
                metrics=[metric.name for metric in definition.metrics],
                stop=definition.stop_rule,
                keep=definition.keep,
                about={"name": self.name, "nominal": nominal, "systems": sorted(self.documents.sources.known)},
                files=study_files(definition, self.documents),
                progress=progress or (lambda reached: tell(str(reached))),
            )
        return StudyResult(Path(folder), definition, outcome)

    def _about(self) -> dict[str, Any]:
        """Return how the nominal case is computed, which study.json tells."""
        steps = self.evaluator.steps(NOMINAL)
        given = {"output_step_s": self.recipe.output_step_s, "tolerance": self.recipe.tolerance}
        if steps is None:
            why = self.recipe.alone or "with no common steps the nominal case is what it is by itself"
            return {**given, "step_s": f"each case by itself: {why}"}
        return {**given, "step_s": steps.step_s, "sample_step_s": steps.output_step_s, "largest_error": MOST}

    @cached_property
    def evaluator(self) -> MissionEvaluator:
        """What runs cases here."""
        return self.recipe.evaluator()

    @checked
    def case(self, number: int) -> Case:
        """Return what is set in a case; raises `InvalidInput` for a number that there is not."""
        return self.plan.case(number)

    @checked
    def mission(self, number: int) -> Mission:
        """Return the mission of a case."""
        return self.evaluator.mission(self.case(number))

    @property
    def nominal(self) -> Mission:
        """The mission in which nothing is varied."""
        return self.evaluator.mission(NOMINAL)

    @checked
    def replay(self, case: int) -> Replay:
        """Run a case again; raises `InvalidInput` for one that no hardware can be."""
        chosen = self.case(case)
        (row,) = self.evaluator.rows([chosen])
        return Replay(row, self.evaluator.run(chosen))

    def _repr_html_(self) -> str:
        asked = self.definition
        varied = [("chosen", path, _words(variable.table)) for path, variable in asked.design.items()]
        varied += [("dispersed", path, _words(given.table)) for path, given in asked.dispersion.items()]
        limits = {each.metric: _words(each.table) for each in asked.requirements}
        measured = [(metric.name, metric.expression, limits.get(metric.name, "")) for metric in asked.metrics]
        title = f"{asked.title or self.name}: {self.plan.cases} cases of {Path(asked.mission).name}"
        return cards(
            html_table(title, ("how", "what is varied", "by"), varied),
            html_table("Metrics", ("metric", "expression", "limit"), measured),
        )

    def __repr__(self) -> str:
        ways = f"{len(self.definition.design)} design variables, {len(self.definition.dispersion)} dispersions"
        return f"Study({self.name!r}, {self.plan.cases} cases, {ways})"


@checked
def load_study(path: str | os.PathLike[str], *, own: Mapping[str, Any] | None = None) -> Study:
    """Return the study of a study file (`scmanip.study/1`), of "mission:name", or of the folder of a study that was begun.

    own : objects of Python that its mission names, or that stand in the place of what it says, as of `load_mission`

    The mission of a file is named relative to it, or is "mission:name" of a packaged one. Raises `InvalidInput` with every
    problem, with file, line and column.

    >>> again = load_study("gains")
    >>> again.name, again.plan.cases
    ('gains', 2)
    """
    place = Path(path_text(named_file(path)))
    if place.is_dir():
        return Study.of(stored_definition(place), stored_documents(place, own or {}))
    definition = load_definition(place)
    try:
        documents = Documents.read(place.parent / named_file(definition.mission), own or {})
    except InvalidInput as error:
        raise InvalidInput([_of_mission(definition, problem) for problem in error.problems]) from None
    return Study.of(definition, documents)


def _words(given: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return a table of a study file in a line."""
    if not isinstance(given, Mapping):
        return str(given)
    return ", ".join(f"{name} {value}" for name, value in given.items() if value is not None)


def _refuse_other(mission: Mission, documents: Documents) -> None:
    """Raise `InvalidInput` for a mission that is not what its file says, as cases are made of the file."""
    others = [*mission.replaced, *["text"] * (documents.mission.text != mission.text)]
    if others:
        expected, hint = f"a mission as '{mission.file}' says it", "cases are made of the file: change it there"
        raise InvalidInput([Problem(f"mission.{name}", expected, "another part", hint=hint) for name in others])


def _of_mission(definition: Definition, problem: Problem) -> Problem:
    """Return a problem of the mission file; one without a line is of the key that names it."""
    if problem.line or definition.written is None:
        return problem
    found = f"{problem.file}: {problem.found}" if problem.file else problem.found
    bare = Problem("mission", problem.expected, found, hint=problem.hint)
    return definition.written.placed(("mission",), bare)
