"""From a study file to its definition."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ...errors import InvalidInput, checked
from ...system import TomlDocument, other_kind
from ._define import VARIED, defined
from ._definition import SCHEMA, Definition
from ._entries import entries
from ._mass_table import MassTable, mass_table
from ._written import Place, StudyFindings, WrittenStudy


def load_definition(path: str | os.PathLike[str]) -> Definition:
    """Read a study file (`scmanip.study/1`); raises `InvalidInput` with every problem, each with file, line and column.

    >>> from scmanip.mission import named_file
    >>> study = load_definition(named_file("mission:wheel_sizing"))
    >>> study.name, len(study.metrics)
    ('wheel_sizing', 4)
    """
    return read_definition(TomlDocument.read(path))


@checked
def read_definition(document: TomlDocument, tables: Callable[[str], MassTable] | None = None) -> Definition:
    """Return the definition that a document holds; raises `InvalidInput` with every problem.

    tables : what reads the tables of masses that it names; else they are files, from the folder of its own

    >>> from scmanip.mission import named_file
    >>> from scmanip.system import TomlDocument
    >>> study = read_definition(TomlDocument.read(named_file("mission:wheel_sizing")))
    >>> study.seed
    3
    """
    _refuse_other_files(document)
    places: dict[Place, Place] = {}
    for key in VARIED:
        table = document.data.get(key)
        places |= {(key, path): place for path, _, place in entries(table if isinstance(table, dict) else {}, (key,))}
    beside = partial(mass_table, folder=Path(document.file).parent)
    return defined(document.data, StudyFindings(WrittenStudy(document, places)), tables or beside)


def _refuse_other_files(document: TomlDocument) -> None:
    """A file of another kind gets one sentence, not a list of everything that a study file would hold."""
    found = document.data.get("schema")
    if found == SCHEMA or (found is None and document.data.keys() & {"mission", "design", "dispersion", "metrics"}):
        return
    raise InvalidInput(other_kind(document, SCHEMA))
