"""The files of a study's folder from which it can be built again, and from which alone it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..errors import InvalidInput, Problem, checked
from ..mission import NamedSystems, Source, is_object, toml_text, with_objects
from ..study import Definition, MassTable, read_definition, stored_inputs
from ..system import System, TomlDocument, path_text
from .variation._documents import Documents

STUDY, MISSION = "study.toml", "mission.toml"
SYSTEMS, TABLES = "systems", "tables"


def study_files(definition: Definition, documents: Documents) -> dict[str, str]:
    """Return the texts by name: the study, its mission, and every system and table of masses that one of them names."""
    texts = {STUDY: study_text(definition), MISSION: documents.mission.text}
    texts |= {stored_name(each.given, TABLES): each.text for each in definition.mass_tables}
    return texts | {stored_name(given): source.text for given, source in documents.sources.known.items()}


def study_text(definition: Definition) -> str:
    """Return the study file that says what a definition says."""
    if definition.written is not None:
        return definition.written.document.text
    return toml_text(_said(definition.table))


def stored_name(given: str, kind: str = SYSTEMS) -> str:
    """Return where the folder of a study has the system, or table, that its files call `given`; each has a place of its own."""
    last = re.sub(r"[^\w.-]", "_", re.split(r"[/\\:]", given)[-1], flags=re.ASCII)
    return f"{kind}/{sha256(given.encode()).hexdigest()[:16]}-{last[-40:]}"


@checked
def stored_definition(folder: Path) -> Definition:
    """Return the study in a folder; raises `InvalidInput`, also where a file is not the one with which it was begun.

    >>> from pathlib import Path
    >>> stored_definition(Path("gains")).table["design"]
    {'phase.joint_sequence.controller.K_P': {'levels': [1.0, 2.0]}}
    """
    texts = stored_inputs(folder)[1]

    def table(given: str) -> MassTable:
        name = stored_name(path_text(given), TABLES)
        if name not in texts:
            raise _unfit(folder, name)
        return MassTable(given, texts[name], str(folder / name))

    return read_definition(_document(folder, STUDY, texts), table)


def stored_documents(folder: Path, own: Mapping[str, Any]) -> Documents:
    """Return the mission of a study's folder, of nothing but what lies there and objects that it names; raises `InvalidInput`
    likewise.
    """
    record, texts = stored_inputs(folder)
    try:
        systems = {given: texts[stored_name(given)] for given in record["about"]["systems"]}
    except (KeyError, TypeError, AttributeError):
        raise _unfit(folder, "the systems of the mission") from None
    known = {given: _source(given, text, folder) for given, text in systems.items() if not is_object(text[2:])}
    return Documents.of(*with_objects(_document(folder, MISSION, texts), NamedSystems(None, known=known), own))


def _document(folder: Path, name: str, texts: Mapping[str, str]) -> TomlDocument:
    if name not in texts:
        raise _unfit(folder, name)
    return TomlDocument.parse(texts[name], str(folder / name))


def _unfit(folder: Path, lacking: str) -> InvalidInput:
    return InvalidInput(Problem(f"study folder '{folder}'", f"the study of a mission, with {lacking}", "a study without"))


def _source(given: str, text: str, folder: Path) -> Source:
    return Source(given, text, System.from_toml_text(text, file=str(folder / stored_name(given))))


def _said(table: dict[str, Any]) -> dict[str, Any]:
    """Return tables without what is nothing."""
    return {
        key: _said(value) if isinstance(value, dict) else value
        for key, value in table.items()
        if value not in (None, "", {}, [])
    }
