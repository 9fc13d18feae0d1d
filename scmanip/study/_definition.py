"""A study as it is asked for: what is varied, what is measured, what is required."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ..errors import InvalidInput, Problem, expect, nearest
from ..spatial import is_number
from ._case import Value
from ._conflicts import conflicts
from ._dispersions import Correlated, Dispersion, dispersion_of
from ._metric import Metric
from ._plan import Plan
from ._requirement import Requirement
from ._resolve import Resolving
from ._retention import Keep
from ._sampling import FullFactorial, Sampling
from ._stop import Stop
from ._variables import Variable, variable_of
from ._written import StudyFindings, WrittenStudy

T = TypeVar("T")
Limit = Requirement | Mapping[str, Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class Definition:
    """A study, made by `define` or `load_definition`, which check it; two with equal `table` are the same.

    name, title, mission : of the study; the mission file as it was given
    design, dispersion : by path, with wildcards as they were given; see `Plan` for these and what follows
    keep, stop : whose histories are kept; when the study may end early
    output : the folder for results, or nothing
    output_step_s : longest distance of the samples behind metrics [s]; None leaves it to whoever runs the cases
    written : the file, or None
    """

    name: str
    mission: str
    seed: int
    metrics: tuple[Metric, ...]
    title: str = ""
    design: Mapping[str, Variable] = field(default_factory=dict)
    dispersion: Mapping[str, Dispersion] = field(default_factory=dict)
    correlated: tuple[Correlated, ...] = ()
    sampling: Sampling = field(default_factory=FullFactorial)
    repeats: int = 1
    requirements: tuple[Requirement, ...] = ()
    keep: Keep = field(default_factory=Keep)
    stop: Stop | None = None
    output: str = ""
    output_step_s: float | None = None
    written: WrittenStudy | None = None

    @property
    def table(self) -> dict[str, Any]:
        """The definition as plain lists and tables, in words of a study file, whether it came from one or from Python."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "title": self.title,
            "mission": self.mission,
            "seed": self.seed,
            "repeats": self.repeats,
            "sampling": self.sampling.table,
            "design": {path: variable.table for path, variable in self.design.items()},
            "dispersion": {path: given.table for path, given in self.dispersion.items()},
            "correlated": [group.table for group in self.correlated],
            "metrics": {metric.name: metric.expression for metric in self.metrics},
            "limits": {requirement.metric: requirement.table for requirement in self.requirements},
            "keep": self.keep.table,
            "stop": None if self.stop is None else self.stop.table,
            "output": {"folder": self.output, "output_step_s": self.output_step_s},
        }

    @property
    def allowed(self) -> dict[str, tuple[float, float]]:
        """The lowest and highest allowed value of each metric with a limit, infinite where there is none."""
        return {requirement.metric: requirement.allowed for requirement in self.requirements}

    @property
    def stop_rule(self) -> Stop | None:
        """What may end the study early."""
        return None if self.stop is None else replace(self.stop, allowed=self.allowed)

    def resolved(
        self,
        matches: Callable[[str], Sequence[str]] | None = None,
        nominal: Callable[[str], Value] | None = None,
    ) -> Plan:
        """Return the plan, in which wildcards are spelt out and relative dispersions have their nominal values.

        matches : the paths that a path stands for, one or more; raises `InvalidInput` for one that is nothing
        nominal : the value at a path without wildcards; raises `InvalidInput` where there is none
        Without them every path stands for itself and nothing has a nominal value.
        Raises `InvalidInput` with all that is wrong, with lines where the study has a file.
        """
        return Resolving(self, matches, nominal).plan()


SCHEMA = "scmanip.study/1"


def define(
    *,
    name: str,
    mission: str,
    seed: int,
    metrics: Mapping[str, str] | Sequence[Metric],
    title: str = "",
    design: Mapping[str, Any] | None = None,
    dispersion: Mapping[str, Any] | None = None,
    correlated: Iterable[Correlated | tuple[Sequence[str], Any]] = (),
    sampling: Sampling | None = None,
    repeats: int = 1,
    limits: Mapping[str, Limit] | Sequence[Requirement] = (),
    keep: Keep | None = None,
    stop: Stop | None = None,
    output: str = "",
    output_step_s: float | None = None,
) -> Definition:
    """Return a study; raises `InvalidInput` with everything that is wrong with it.

    design : by path, `levels(...)`, `span(low, high)`, `grid(low, high, count)` or a list
    dispersion : by path, a frozen distribution of SciPy, `dispersed(...)` or `uniform_ball(radius)`
    metrics : expressions by name; limits : by metric, tables such as {"max": 5.0, "unit": "deg"}, or requirements
    """
    tables = (("design", design), ("dispersion", dispersion))
    for key, given in tables:
        expect(key, given, Mapping | None, "a table of paths, or None")
    for key, listed in (("metrics", metrics), ("limits", limits), ("correlated", correlated)):
        expect(key, listed, Mapping | list | tuple, "a table, or a list")
    expect("sampling", sampling, Sampling | None, "such as Sobol(256), or None")
    expect("keep", keep, Keep | None, "a Keep, or None")
    expect("stop", stop, Stop | None, "such as UntilDecided(probability=0.99), or None")
    if not (output_step_s is None or is_number(output_step_s)):
        raise InvalidInput(Problem("output_step_s", "a number > 0 [s], or None", repr(output_step_s)))
    findings = StudyFindings()
    made = Definition(
        name=name,
        title=title,
        mission=str(mission),
        seed=seed,
        repeats=repeats,
        sampling=sampling or FullFactorial(),
        design=findings.each("design", design or {}, lambda path, given: variable_of(given)),
        dispersion=findings.each("dispersion", dispersion or {}, lambda path, given: dispersion_of(given)),
        correlated=tuple(findings.every("correlated", correlated, _group)),
        metrics=tuple(_metrics(findings, metrics)),
        requirements=tuple(_requirements(findings, limits)),
        keep=keep or Keep(),
        stop=stop,
        output=str(output),
        output_step_s=None if output_step_s is None else float(output_step_s),
    )
    named = metrics.keys() if isinstance(metrics, Mapping) else ()
    for place, problem in conflicts(made, named, len(design or {}) + len(dispersion or {})):
        findings.add(place, problem)
    findings.refuse_if_any()
    return made


def _group(given: Correlated | tuple[Sequence[str], Any]) -> Correlated:
    if isinstance(given, Correlated):
        return given
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise InvalidInput(Problem("correlated", "pairs of paths and a matrix", repr(given)))
    return Correlated.of(*given)


def _metrics(findings: StudyFindings, given: Mapping[str, str] | Sequence[Metric]) -> Iterable[Metric]:
    if isinstance(given, Mapping):
        return findings.each("metrics", given, Metric).values()
    return findings.every("metrics", given, lambda metric: _kept("metrics", metric, Metric))


def _requirements(findings: StudyFindings, given: Mapping[str, Limit] | Sequence[Requirement]) -> Iterable[Requirement]:
    if isinstance(given, Mapping):
        return findings.each("limits", given, requirement_of).values()
    return findings.every("limits", given, lambda limit: _kept("limits", limit, Requirement))


def _kept(key: str, given: T, kind: type[T]) -> T:
    expect(key, given, kind, f"a {kind.__name__}")
    return given


def requirement_of(metric: str, given: Any) -> Requirement:
    """Return a requirement from a table of its keys; raises `InvalidInput`."""
    if isinstance(given, Requirement):
        return given
    valid = ("min", "max", "unit", "probability", "confidence")
    if not isinstance(given, Mapping):
        hint = 'such as { max = 5.0, unit = "deg" }'
        raise InvalidInput(Problem(metric, "a table with min or max, and unit", repr(given), hint=hint))
    unknown = [key for key in given if key not in valid]
    if unknown:
        raise InvalidInput(
            [Problem(metric, f"the keys {', '.join(valid)}", repr(key), hint=nearest(key, valid)) for key in unknown]
        )
    return Requirement(metric=metric, **given)
