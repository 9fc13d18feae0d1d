"""From a study file to its definition, with every mistake reported at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..errors import InvalidInput
from ..system import TomlDocument, schema_problems
from ._conflicts import conflicts
from ._definition import SCHEMA, Definition, requirement_of
from ._dispersions import Correlated
from ._entries import dispersion, entries, variable
from ._metric import Metric
from ._retention import Keep, KeptWorst
from ._sampling import FullFactorial, LatinHypercube, Sampling, Sobol
from ._stop import Stop, UntilDecided, UntilInterval
from ._written import Place, StudyFindings, WrittenStudy

T = TypeVar("T")
_TABLES = ("design", "dispersion")


def load_definition(path: str | os.PathLike[str]) -> Definition:
    """Read a study file (`scmanip.study/1`); raises `InvalidInput` with every problem, each with file, line and column."""
    return read_definition(TomlDocument.read(path))


def read_definition(document: TomlDocument) -> Definition:
    """Return the definition that a document holds; raises `InvalidInput` with every problem."""
    _refuse_other_files(document)
    return _Reading(document).definition()


class _Reading:
    """One pass over a document: what is right becomes parts, everything else becomes findings, each for itself."""

    def __init__(self, document: TomlDocument) -> None:
        self.data = document.data
        listed = {table: list(entries(self.table(table), (table,))) for table in _TABLES}
        places: dict[Place, Place] = {(table, path): place for table in _TABLES for path, _, place in listed[table]}
        self.varied = {table: {path: value for path, value, _ in listed[table]} for table in _TABLES}
        self.written = WrittenStudy(document, places)
        self.findings = StudyFindings(self.written)

    def definition(self) -> Definition:
        """Return the definition; raises `InvalidInput`."""
        self._check_schema()
        whole = not self.findings.problems
        metrics = {name: text for name, text in self.table("metrics").items() if isinstance(text, str) and text}
        limits = {name: limit for name, limit in self.table("limits").items() if not self._is_wrong("limits", name)}
        sampling = self._part("sampling", _sampling)
        made = Definition(
            name=str(self.data.get("name", "")),
            title=str(self.data.get("title", "")),
            mission=str(self.data.get("mission", "")),
            seed=self._sound("seed", 0),
            repeats=self._sound("repeats", 1),
            sampling=sampling or FullFactorial(),
            design=self.findings.each("design", self.varied["design"], lambda path, given: variable(given)),
            dispersion=self.findings.each("dispersion", self.varied["dispersion"], lambda path, given: dispersion(given)),
            correlated=tuple(self._groups()),
            metrics=tuple(self.findings.each("metrics", metrics, Metric).values()),
            requirements=tuple(self.findings.each("limits", limits, requirement_of).values()),
            keep=self._part("keep", _keep) or Keep(),
            stop=self._part("stop", _stop),
            output=self.table("output").get("folder", "") if whole else "",
            output_step_s=_float(self.table("output").get("output_step_s")) if whole else None,
            written=self.written,
        )
        varied = sum(map(len, self.varied.values())) if sampling or "sampling" not in self.data else -1
        for place, problem in conflicts(made, self.table("metrics").keys(), varied):
            if place[0] in self.data or place[0] in _TABLES:  # the schema reports what is missing
                self.findings.add(place, problem)
        self.findings.refuse_if_any()
        return made

    def table(self, key: str) -> dict[str, Any]:
        """Return a table of the file, an empty one where there is none."""
        given = self.data.get(key)
        return given if isinstance(given, dict) else {}

    def _check_schema(self) -> None:
        from pydantic import ValidationError

        from ._schema import StudyFile

        try:
            StudyFile.model_validate(self.data)
        except ValidationError as error:
            self.findings.problems += schema_problems(self.written.document, error, StudyFile)
            self.wrong: set[Place] = {details["loc"][:2] for details in error.errors()}
        else:
            self.wrong = set()

    def _is_wrong(self, *place: str | int) -> bool:
        return any(wrong[: len(place)] == place for wrong in self.wrong)

    def _sound(self, key: str, otherwise: int) -> int:
        return self.data.get(key, otherwise) if not self._is_wrong(key) else otherwise

    def _part(self, key: str, make: Callable[[dict[str, Any]], T]) -> T | None:
        """Return what is made of a table, None where it is not there or wrong."""
        if key not in self.data or self._is_wrong(key):
            return None
        return self.findings.attempt((key,), lambda: make(self.table(key)))

    def _groups(self) -> list[Correlated]:
        given = self.data.get("correlated")
        if not isinstance(given, list) or any(self._is_wrong("correlated", i) for i in range(len(given))):
            return []
        return self.findings.every("correlated", given, lambda table: Correlated.of(table["paths"], table["matrix"]))


def _float(given: float | None) -> float | None:
    return None if given is None else float(given)


def _sampling(table: Mapping[str, Any]) -> Sampling:
    if table["type"] == "full_factorial":
        return FullFactorial()
    return (Sobol if table["type"] == "sobol" else LatinHypercube)(table["count"])


def _keep(table: Mapping[str, Any]) -> Keep:
    worst = table.get("worst")
    return Keep(**{**table, "worst": None if worst is None else KeptWorst(**worst)})


def _stop(table: Mapping[str, Any]) -> Stop:
    keys = {key: value for key, value in table.items() if key != "type"}
    return UntilInterval(**keys) if table["type"] == "narrow" else UntilDecided(**keys)


def _refuse_other_files(document: TomlDocument) -> None:
    """A file of another kind gets one sentence, not a list of everything that a study file would hold."""
    found = document.data.get("schema")
    if found == SCHEMA or (found is None and document.data.keys() & {"mission", "design", "dispersion", "metrics"}):
        return
    kind = next((kind for kind in ("system", "mission") if str(found).startswith(f"scmanip.{kind}/")), "")
    hint = f"this is a {kind} file" if kind else ""
    raise InvalidInput(document.problem(("schema",), f"{SCHEMA!r}", "nothing" if found is None else repr(found), hint))
