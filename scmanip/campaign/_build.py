"""From the definition of a study and its mission to what can be run, every path found, set and read back."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from ..compiled import described
from ..control import Controller, at_a_look, believed_of, recorded_law
from ..errors import InvalidInput, ModeMismatch, Problem, SingularInertia, refuse
from ..mission import Mission, Phase
from ..plant import Plant
from ..simulation import sample_problems
from ..study import Definition, Levels, Plan, Span, Value
from ._mass_tables import paths_of, table_problems
from ._recipe import MissionRecipe
from .flight._models import Shelf
from .flight._series import known_together, metered
from .variation._documents import Documents
from .variation._effect import refuse_without_effect
from .variation._paths import targets_of
from .variation._read_back import read_back, refuse_lost, same
from .variation._target import ESTIMATE, SYSTEM, Target
from .variation._variation import Values, Variation

TOLERANCE = 1e-6
SAMPLES = 250
_NAMED = 3  # paths in a reason
MOST_GROUPS, LEAST_CASES = 256, 8  # beyond and below it cases are run one by one
_TRIES = 8


def recipe_of(definition: Definition, documents: Documents) -> MissionRecipe:
    """Return what runs a study of a mission; raises `InvalidInput` with all that is wrong."""
    others = _others(definition, documents)
    nominal = documents.built(Shelf(varied=False).compiled)
    if nominal.alternatives:
        hint = "give the mission one mode, and vary phase.NAME.mode in [design]"
        raise InvalidInput(Problem("mission", "a mission that is flown in one mode", "modes = [...]", hint=hint))
    plan = definition.resolved(
        matches=lambda pattern: [target.path for target in targets_of(pattern, documents)],
        nominal=partial(nominal_value, documents, nominal),
    )
    refuse(chain.from_iterable(table_problems(definition, files) for files in (documents, *others.values())))
    variation = _variation(plan, documents, others)
    _read_estimates(plan, variation)
    variation = _Trial(definition, variation, plan).checked()
    _check_metrics(definition, [nominal, *_missions(others)])
    _check_output(definition, nominal)
    output_step_s = definition.output_step_s or round_step(nominal.t_end_s / SAMPLES)
    outputs = sum(math.ceil(phase.t_end_s / output_step_s) + 1 for phase in nominal.phases)
    asked = {name for metric in definition.metrics for name in metric.series}
    alone = next(chain(_apart(plan, variation), _single(variation, [nominal, *_missions(others)], asked)), "")
    return MissionRecipe(variation, plan, definition.metrics, output_step_s, outputs, TOLERANCE, alone)


def _apart(plan: Plan, variation: Variation) -> Iterator[str]:
    """Yield why cases do not fall into few groups of equal equations, if they do not."""
    if flown_together(plan, variation):
        return
    structural = [path for path in variation.targets if not variation.is_number(path)]
    drawn = [path for path in structural if path in plan.dispersion] or structural
    if not drawn:
        yield f"there are fewer than {LEAST_CASES} of them"
    named = ", ".join(drawn[:_NAMED]) + " and others" * (len(drawn) > _NAMED)
    yield f"{named} may change equations, and fewer than {LEAST_CASES} cases have them in common"


def _single(variation: Variation, missions: Sequence[Mission], asked: Collection[str]) -> Iterator[str]:
    """Yield what of a mission is known of single runs alone."""
    nominal, targets = missions[0], variation.targets.values()
    if not known_together(asked, nominal.plant(nominal.phases[0], 0.0)):
        yield "metrics ask for series that single runs have"
    own = [phase.controller for phase in nominal.phases if f"phase.{phase.name}.controller" in nominal.own]
    if any(map(_believes_in_inputs, own)):
        yield "a law of Python believes in a model of its own with inputs"
    if any(phase.events.ways for phase in nominal.phases):
        yield "phases branch"
    if nominal.observation is not None:
        yield "laws see what sensors say"
    if any(phase.push_off_m_s for phase in nominal.phases):
        yield "a release pushes off"
    if any(event.ends for phase in nominal.phases for event in phase.events.events):
        yield "events may end phases that do not wait for them"
    if any(target.document == ESTIMATE for target in targets) and any(phase.controller.learns for phase in nominal.phases):
        yield "what laws believe is varied, and they learn what is held"
    if any(mission.switches or mission.contacts for mission in missions):
        yield "the mission has switches or contacts of its own"
    if switching := next((target.path for target in targets if target.switches), ""):
        yield f"{switching} may switch constraints or loads"


def nominal_value(documents: Documents, mission: Mission, path: str) -> Value:
    """Return what a mission has at a path; raises `InvalidInput` where that is nothing."""
    (target,) = targets_of(path, documents)
    value = target.nominal(documents)
    value = read_back(target, mission) if value is None else value
    if value is None or (not isinstance(value, str | bool) and not np.all(np.isfinite(value))):
        raise InvalidInput(
            Problem(path, "a nominal value in the mission or its system", "nothing", hint='set it there, or use how = "set"')
        )
    return value


def round_step(step_s: float) -> float:
    """Return the number among 1, 2, 2.5 and 5 times a power of ten that is nearest to a step, in ratio."""
    power = 10.0 ** math.floor(math.log10(step_s))
    return min((digit * power for digit in (1.0, 2.0, 2.5, 5.0, 10.0)), key=lambda other: abs(math.log(other / step_s)))


def flown_together(plan: Plan, variation: Variation) -> bool:
    """Whether cases fall into so few groups of equal equations that it is worth flying them together."""
    structural = {path for path in variation.targets if not variation.is_number(path)}
    if structural & plan.dispersion.keys():
        return False
    groups = 1
    for name, variable in plan.design.items():
        if structural & {*plan.targets.get(name, (name,))}:
            groups *= len(variable.values) if isinstance(variable, Levels) else plan.cases
    return groups <= MOST_GROUPS and plan.cases >= LEAST_CASES * groups


def _others(definition: Definition, documents: Documents) -> dict[str, Documents]:
    """Return the files with each system that the design names."""
    variable = definition.design.get(SYSTEM)
    if variable is None:
        return {}
    if not isinstance(variable, Levels) or not all(isinstance(value, str) for value in variable.values):
        raise InvalidInput(Problem("design.system", "levels of texts: system files, or 'model:name'", repr(variable)))
    return {str(given): documents.with_system(str(given)) for given in variable.values}


def _read_estimates(plan: Plan, variation: Variation) -> None:
    """Read the systems that controllers may be told to believe in, so that all cases have the same ones."""
    for name, variable in plan.design.items():
        for path in plan.targets.get(name, (name,)):
            if variation.targets[path].key == ESTIMATE and isinstance(variable, Levels):
                for value in variable.values:
                    variation.documents.sources.read(path, str(value))


def _check_output(definition: Definition, mission: Mission) -> None:
    """Raise `InvalidInput` for an output step with which cases would not fit into memory."""
    problems = sample_problems("output_step_s", mission.t_end_s, definition.output_step_s, mission.model.layout.n_x)
    refuse(_placed(definition, ("output", "output_step_s"), problem) for problem in problems)


def _missions(others: Mapping[str, Documents]) -> Iterator[Mission]:
    for documents in others.values():
        yield documents.built(Shelf(varied=False).compiled)


def _variation(plan: Plan, documents: Documents, others: Mapping[str, Documents]) -> Variation:
    """Return what is varied, in every system; raises `InvalidInput` for a path that one of them does not have."""
    found = {given: {path: _only(path, files) for path in plan.paths} for given, files in others.items()}
    targets = {path: _only(path, documents) for path in plan.paths}
    for given, files in others.items():
        for path in plan.nominal:
            if found[given][path].document == SYSTEM and found[given][path].nominal(files) != plan.nominal[path]:
                hint = "its nominal value is not the same in all systems: let the dispersion set it, or make a study of each"
                raise InvalidInput(
                    Problem(path, f"{plan.nominal[path]}, as in the mission's system", f"another value in '{given}'", hint=hint)
                )
    return Variation(documents, targets, {given: (files, found[given]) for given, files in others.items()})


def _only(path: str, documents: Documents) -> Target:
    found = targets_of(path, documents)
    if len(found) != 1:
        raise InvalidInput(Problem(path, "one key", ", ".join(target.path for target in found)))
    return found[0]


class _Trial:
    """Sets each path of a study by itself, and all of them together, and looks at what would fly."""

    def __init__(self, definition: Definition, variation: Variation, plan: Plan) -> None:
        self.definition, self.variation, self.plan = definition, variation, plan
        self.openable = variation.openable
        symbols = replace(variation, opened=self.openable).symbols
        self.shelf, self.opened = Shelf(varied=variation.inertia_varied, symbols=symbols), set[str]()
        self.closed = set[str]()

    def checked(self) -> Variation:
        """Return what is varied, and which numbers of systems change no equations where these have them as inputs.

        Raises `InvalidInput` for values that are overridden, or do not reach what flies.
        """
        nominal = self.variation.documents.built(self.shelf.compiled)
        problems: list[Problem] = []
        for path in self.plan.paths:
            try:
                self._one(path, nominal)
            except InvalidInput as error:
                problems += error.problems
        refuse(map(self._placed, problems))
        self._all()
        return replace(self.variation, opened=frozenset(self.opened), closed=frozenset(self.closed))

    def _one(self, path: str, nominal: Mission) -> None:
        target, refusal = self.variation.targets[path], None
        for value in self._values(path):
            if path == SYSTEM:
                return  # whatever differs is another flight
            found = read_back(target, nominal)
            if found is not None and same(target, value, found):
                continue
            try:
                built = self.variation.files({path: value}, {}).built(self.shelf.compiled)
            except (InvalidInput, ModeMismatch, SingularInertia) as error:
                refusal = error
                continue
            refuse_lost(target, value, built)
            refuse_without_effect(target, nominal, built)
            if path in self.openable and _share_programs(nominal, built):
                self.opened.add(path)
            if target.is_inertia and not _share_programs(nominal, built):
                self.closed.add(path)
            return
        if refusal is not None:
            raise InvalidInput(Problem(path, "a value that the mission can have", "; ".join(str(refusal).splitlines())))

    def _values(self, path: str) -> Iterator[Value]:
        """Yield values that a path takes: those of the design, or those of the first cases."""
        for name, variable in self.plan.design.items():
            if path in self.plan.targets.get(name, (name,)):
                yield from (variable.low, variable.high) if isinstance(variable, Span) else variable.values
        for number in range(min(_TRIES, self.plan.cases)):
            yield self.plan.case(number).values[path]

    def _all(self) -> None:
        """Read back what a case sets, all at once, so that no value undoes another."""
        for number in range(min(_TRIES, self.plan.cases)):
            values: Values = self.plan.case(number).values
            try:
                built = self.variation.files(values, {}).built(self.shelf.compiled)
            except (InvalidInput, ModeMismatch, SingularInertia):
                continue
            for path, value in values.items():
                refuse_lost(self.variation.base(values)[1][path], value, built)
            return

    def _placed(self, problem: Problem) -> Problem:
        """Return a problem with the line of the study file that it is about, where there is one."""
        written = self.definition.written
        if written is None or problem.line:
            return problem
        for table, given in (("design", self.definition.design), ("dispersion", self.definition.dispersion)):
            for pattern in given:
                if problem.key == pattern or problem.key in paths_of(pattern, given[pattern], self.variation.documents):
                    return written.placed((table, pattern), problem)
        return problem


def _share_programs(mission: Mission, other: Mission) -> bool:
    """Whether the phases of two missions are flown by the same programs.

    Beside them numbers decide which thrusters push, and what holds: these are alike as well.
    """
    for phase, its in zip(mission.phases, other.phases, strict=True):
        plant, another = mission.plant(phase, 0.0), other.plant(its, 0.0)
        if plant.key is not another.key or _law_key(phase, plant) != _law_key(its, another):
            return False
        if plant.burns and described(plant.model.system.pushers) != described(another.model.system.pushers):
            return False
    return described(mission.model.system.constraints) == described(other.model.system.constraints)


def _law_key(phase: Phase, plant: Plant) -> object:
    """Return what the programs of its law are kept by."""
    law = recorded_law(at_a_look(phase.controller, plant.mode.command_size(plant.layout)))
    return None if law is None else law.key


def _believes_in_inputs(law: Controller) -> bool:
    """Whether the programs of a law take numbers of the system that it believes in."""
    recorded = recorded_law(at_a_look(law, 1))
    return recorded is not None and bool(believed_of(recorded.numbers))


def _check_metrics(definition: Definition, missions: Sequence[Mission]) -> None:
    """Raise `InvalidInput` for metrics that ask for series that one of the missions does not have."""
    problems: list[Problem] = []
    for mission in missions:
        shapes = {name: each.shape for name, each in metered(mission.plant(mission.phases[0], 0.0)).items()}
        for metric in definition.metrics:
            try:
                metric.check(shapes, t_end_s=mission.t_end_s)
            except InvalidInput as error:
                problems += [_placed(definition, ("metrics", metric.name), problem) for problem in error.problems]
    refuse(dict.fromkeys(problems))


def _placed(definition: Definition, place: tuple[str, ...], problem: Problem) -> Problem:
    return problem if definition.written is None else definition.written.placed(place, problem)
