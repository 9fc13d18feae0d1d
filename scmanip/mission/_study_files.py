"""The files of a study's folder from which it can be built again, and from which alone it is."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..errors import InvalidInput, Problem
from ..study import RECORD, Definition, read_definition, stored_inputs
from ..system import System, TomlDocument
from ._source import Source, Sources
from ._study_documents import Documents
from ._toml_text import toml_text

STUDY, MISSION = "study.toml", "mission.toml"


def study_files(definition: Definition, documents: Documents) -> dict[str, str]:
    """Return the texts by name: the study, its mission, and every system that one of them names."""
    texts = {STUDY: study_text(definition), MISSION: documents.mission.text}
    return texts | {stored_name(given): source.text for given, source in documents.sources.known.items()}


def study_text(definition: Definition) -> str:
    """Return the study file that says what a definition says."""
    if definition.written is not None:
        return definition.written.document.text
    return toml_text(_said(definition.table))


def stored_name(given: str) -> str:
    """Return where the folder of a study has the system that its files call `given`; each has a place of its own."""
    last = re.sub(r"[^\w.-]", "_", re.split(r"[/\\:]", given)[-1], flags=re.ASCII)
    return f"systems/{sha256(given.encode()).hexdigest()[:16]}-{last[-40:]}"


def stored_definition(folder: Path) -> tuple[Definition, Documents]:
    """Return the study in a folder and its mission, of nothing but what lies there; raises `InvalidInput`."""
    record, texts = stored_inputs(folder)
    try:
        systems = {given: texts[stored_name(given)] for given in record["about"]["systems"]}
        study, mission = texts[STUDY], texts[MISSION]
    except (KeyError, TypeError, AttributeError):
        expected = f"{RECORD} with the digests of {STUDY}, {MISSION} and the systems"
        raise InvalidInput(Problem(f"study folder '{folder}'", expected, "another one")) from None
    known = {given: _source(given, text, folder) for given, text in systems.items()}
    document = TomlDocument.parse(mission, str(folder / MISSION))
    return read_definition(TomlDocument.parse(study, str(folder / STUDY))), Documents.of(document, Sources(None, known=known))


def _source(given: str, text: str, folder: Path) -> Source:
    return Source(given, text, System.from_toml_text(text, file=str(folder / stored_name(given))))


def _said(table: dict[str, Any]) -> dict[str, Any]:
    """Return tables without what is nothing."""
    return {
        key: _said(value) if isinstance(value, dict) else value
        for key, value in table.items()
        if value not in (None, "", {}, [])
    }
