"""From objects, or the tables of a file, to the definition of a study, with every mistake reported at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ...errors import InvalidInput, Problem, expect, likely_first, name_problems, nearest
from ...spatial import is_number
from ..rows._checks import from_table, refuse_others
from ._conflicts import conflicts
from ._definition import SCHEMA, Definition
from ._dispersions import Correlated
from ._entries import dispersion_of, entries, variable_of
from ._mass_table import MassTable, mass_table
from ._metric import Metric
from ._requirement import Requirement
from ._retention import Keep, KeptWorst
from ._sampling import FullFactorial, LatinHypercube, Sampling, Sobol
from ._stop import Stop, UntilDecided, UntilInterval
from ._written import StudyFindings

T = TypeVar("T")
Limit = Requirement | Mapping[str, Any]

NEEDED = {
    "schema": f"{SCHEMA!r}",
    "name": "a text that is not empty",
    "mission": "the path of a mission file",
    "seed": "a whole number of 0 or more",
    "metrics": "a [metrics] table of name = expression",
}
VARIED = ("design", "dispersion")
OTHERS = ("title", "repeats", "sampling", "design", "dispersion", "correlated", "limits", "keep", "stop", "output")
SAMPLINGS = {"full_factorial": FullFactorial, "latin_hypercube": LatinHypercube, "sobol": Sobol}
STOPS = {"narrow": UntilInterval, "decided": UntilDecided}


def define(
    *,
    name: str,
    mission: str | os.PathLike[str],
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
    dispersion : by path, a frozen distribution of SciPy, `dispersed(...)` or `uniform_ball(radius)`; `mass_table(file)` by
        the path of bodies
    metrics : expressions by name; limits : by metric, tables such as {"max": 5.0, "unit": "deg"}, or requirements
    Tables as a study file has them serve as well.

    >>> study = define(
    ...     name="gains",
    ...     mission="mission.toml",
    ...     seed=7,
    ...     metrics={"base_rotation_deg": "max(degrees(base_rotation_rad))"},
    ...     design={"phase.slew.controller.K_P": levels(1.0, 2.0)},
    ...     limits={"base_rotation_deg": {"max": 5.0, "unit": "deg"}},
    ... )
    >>> study.by_chance, study.allowed
    (False, {'base_rotation_deg': (-inf, 5.0)})
    """
    given = {
        "name": name,
        "title": title,
        "mission": os.fspath(mission) if isinstance(mission, os.PathLike) else mission,
        "seed": seed,
        "repeats": repeats,
        "correlated": correlated,
        "metrics": metrics,
        "limits": limits,
        "output": {"folder": output, "output_step_s": output_step_s},
    }
    more = {"sampling": sampling, "design": design, "dispersion": dispersion, "keep": keep, "stop": stop}
    return defined(given | {key: value for key, value in more.items() if value is not None}, StudyFindings())


def defined(given: Mapping[str, Any], findings: StudyFindings, tables: Callable[[Any], MassTable] = mass_table) -> Definition:
    """Return the study that parts by name, or the tables of a file, say; raises `InvalidInput`.

    tables : what reads the tables of masses that are named
    """
    return _Defining(given, findings, tables).definition()


class _Defining:
    """One pass over what is given: what is right becomes parts, everything else becomes findings, each for itself."""

    def __init__(self, given: Mapping[str, Any], findings: StudyFindings, tables: Callable[[Any], MassTable]) -> None:
        self.given, self.findings, self.tables = given, findings, tables

    def definition(self) -> Definition:
        """Return the definition; raises `InvalidInput`."""
        find, part = self.findings, self.part
        varied = {key: {path: value for path, value, _ in entries(self.table(key), (key,))} for key in VARIED}
        metrics: Any = self.given.get("metrics", {})
        output: Mapping[str, Any] = part("output", _output) or {}
        sampling: Sampling | None = part("sampling", lambda given: _of_type(given, SAMPLINGS, "sampling"))
        made = Definition(
            name=part("name", lambda given: _name("name", given)) or "",
            title=part("title", lambda given: _kept("title", given, str, "a text")) or "",
            mission=part("mission", lambda given: _name("mission", given)) or "",
            seed=self.given.get("seed", 0),
            repeats=self.given.get("repeats", 1),
            sampling=sampling or FullFactorial(),
            design=find.each("design", varied["design"], lambda path, given: variable_of(given)),
            dispersion=find.each("dispersion", varied["dispersion"], lambda path, given: dispersion_of(given, self.tables)),
            correlated=tuple(self.listed("correlated", _group)),
            metrics=tuple(self.listed("metrics", lambda given: _kept("metrics", given, Metric), Metric)),
            requirements=tuple(self.listed("limits", lambda given: _kept("limits", given, Requirement), requirement_of)),
            keep=self.keep(),
            stop=part("stop", lambda given: _of_type(given, STOPS, "stop")),
            output=output.get("folder", ""),
            output_step_s=output.get("output_step_s"),
            written=find.written,
        )
        self.check_keys()
        count = sum(map(len, varied.values())) if sampling or "sampling" not in self.given else -1
        for place, problem in conflicts(made, metrics.keys() if isinstance(metrics, Mapping) else (), count):
            if place[0] != "metrics" or "metrics" in self.given:  # where they are missing, that was told
                find.add(place, problem)
        find.refuse_if_any()
        return made

    def check_keys(self) -> None:
        """Note the keys of a file that there are not, and those that are missing, each mistake once."""
        valid = (*NEEDED, *OTHERS)
        unknown = [key for key in self.given if key not in valid]
        for key in unknown:
            expected = f"one of the keys {', '.join(likely_first(key, valid))}"
            self.findings.add((key,), Problem(key, expected, repr(key), hint=nearest(key, valid)))
        needed = {key: words for key, words in NEEDED.items() if key != "schema" or self.findings.written}
        for key, words in needed.items():
            if key not in self.given and not any(nearest(other, [key]) for other in unknown):
                self.findings.add((key,), Problem(key, words, "nothing"))

    def part(self, key: str, make: Callable[[Any], T]) -> T | None:
        """Return what is made of a part, nothing where it is not there or refused."""
        return self.findings.attempt((key,), lambda: make(self.given[key])) if key in self.given else None

    def table(self, key: str) -> Mapping[str, Any]:
        """Return a table, an empty one where there is none."""
        return self.part(key, lambda given: _kept(key, given, Mapping, f"a [{key}] table")) or {}

    def listed(self, key: str, one: Callable[[Any], T], named: Callable[[str, Any], T] | None = None) -> Iterable[T]:
        """Return what is made of the entries of a list, or of a table where entries may be `named`."""
        given = self.given.get(key, ())
        if named and isinstance(given, Mapping):
            return self.findings.each(key, given, named).values()
        words = "a list, or a table" if named else "a list"
        return self.findings.every(key, self.part(key, lambda given: _kept(key, given, list | tuple, words)) or (), one)

    def keep(self) -> Keep:
        """Return whose histories are kept."""
        given = self.given.get("keep", Keep())
        if isinstance(given, Mapping) and "worst" in given:
            words = "a table { metric = name, count = number }"
            worst = self.findings.attempt(("keep", "worst"), lambda: from_table(KeptWorst, given["worst"], "worst", words))
            given = {**given, "worst": worst}
        return self.findings.attempt(("keep",), lambda: from_table(Keep, given, "keep", "a Keep, or a table")) or Keep()


def requirement_of(metric: str, given: Any) -> Requirement:
    """Return a requirement from a table of its keys; raises `InvalidInput`."""
    if isinstance(given, Requirement):
        return given
    if not isinstance(given, Mapping):
        hint = 'such as { max = 5.0, unit = "deg" }'
        raise InvalidInput(Problem(metric, "a table with min or max, and unit", repr(given), hint=hint))
    refuse_others(given, ("min", "max", "unit", "probability", "confidence"))
    return Requirement(metric=metric, **given)


def _group(given: Any) -> Correlated:
    if isinstance(given, Correlated):
        return given
    if isinstance(given, Mapping):
        refuse_others(given, ("paths", "matrix"))
        return Correlated.of(given.get("paths", ()), given.get("matrix"))
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise InvalidInput(Problem("correlated", "pairs of paths and a matrix", repr(given)))
    return Correlated.of(*given)


def _of_type(given: Any, kinds: Mapping[str, type], key: str) -> Any:
    """Return one of several kinds, or that of a table that names it as its type."""
    if isinstance(given, tuple(kinds.values())):
        return given
    if not isinstance(given, Mapping):
        names = " or ".join(kind.__name__ for kind in kinds.values())
        raise InvalidInput(Problem(key, f"{names}, or a table with type = {' or '.join(map(repr, kinds))}", repr(given)))
    name = given.get("type")
    if not isinstance(name, str) or name not in kinds:
        found = "nothing" if name is None else repr(name)
        raise InvalidInput(Problem("type", f"one of {', '.join(kinds)}", found, hint=nearest(str(name), kinds)))
    return from_table(kinds[name], {inner: value for inner, value in given.items() if inner != "type"}, key, "a table")


def _output(given: Any) -> Mapping[str, Any]:
    table = _kept("output", given, Mapping, "an [output] table")
    refuse_others(table, ("folder", "output_step_s"))
    step_s = table.get("output_step_s")
    if not (step_s is None or (is_number(step_s) and step_s > 0)):
        raise InvalidInput(Problem("output_step_s", "a number > 0 [s], or None", repr(step_s)))
    folder = _kept("folder", table.get("folder", ""), str, "a text")
    return {"folder": folder, "output_step_s": None if step_s is None else float(step_s)}


def _name(key: str, given: Any) -> str:
    problems = name_problems(key, given)
    if problems:
        raise InvalidInput(Problem(key, problem.expected, problem.found) for problem in problems)
    return str(given)


def _kept(key: str, given: Any, kind: Any, words: str = "") -> Any:
    expect(key, given, kind, words or f"a {kind.__name__}")
    return given
