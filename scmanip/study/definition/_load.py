"""From a study file to its definition."""

from __future__ import annotations

import os

from ...errors import InvalidInput
from ...system import TomlDocument
from ._define import VARIED, defined
from ._definition import SCHEMA, Definition
from ._entries import entries
from ._written import Place, StudyFindings, WrittenStudy


def load_definition(path: str | os.PathLike[str]) -> Definition:
    """Read a study file (`scmanip.study/1`); raises `InvalidInput` with every problem, each with file, line and column."""
    return read_definition(TomlDocument.read(path))


def read_definition(document: TomlDocument) -> Definition:
    """Return the definition that a document holds; raises `InvalidInput` with every problem."""
    _refuse_other_files(document)
    places: dict[Place, Place] = {}
    for key in VARIED:
        table = document.data.get(key)
        places |= {(key, path): place for path, _, place in entries(table if isinstance(table, dict) else {}, (key,))}
    return defined(document.data, StudyFindings(WrittenStudy(document, places)))


def _refuse_other_files(document: TomlDocument) -> None:
    """A file of another kind gets one sentence, not a list of everything that a study file would hold."""
    found = document.data.get("schema")
    if found == SCHEMA or (found is None and document.data.keys() & {"mission", "design", "dispersion", "metrics"}):
        return
    kind = next((kind for kind in ("system", "mission") if str(found).startswith(f"scmanip.{kind}/")), "")
    hint = f"this is a {kind} file" if kind else ""
    raise InvalidInput(document.problem(("schema",), f"{SCHEMA!r}", "nothing" if found is None else repr(found), hint))
