"""The files of a study's folder from which it can be built again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from ..errors import InvalidInput, Problem
from ..study import Definition
from ._source import Source
from ._study_documents import Documents
from ._study_recipe import MissionRecipe
from ._toml_text import toml_text

STUDY, MISSION, ORIGIN = "study.toml", "mission.toml", "mission-folder.txt"


def study_files(definition: Definition, recipe: MissionRecipe, estimates: Iterable[Source]) -> dict[str, str]:
    """Return the texts by name: the study, its mission, and the systems that lie beside it.

    Systems that the mission names by a path that leads elsewhere are found from the mission's own folder, which is named.
    """
    documents = recipe.variation.documents
    texts = {STUDY: study_text(definition), MISSION: documents.mission.text, ORIGIN: str(documents.folder.resolve()) + "\n"}
    sources = [documents.source, *(files.source for files, _ in recipe.variation.others.values())]
    sources += estimates
    return texts | {source.given: source.text for source in sources if _lies_beside(source.given)}


def study_text(definition: Definition) -> str:
    """Return the study file that says what a definition says."""
    if definition.written is not None:
        return definition.written.document.text
    return toml_text(_said(definition.table))


def stored_documents(folder: Path) -> Documents:
    """Return the mission of a study's folder, whose systems lie there or where they were; raises `InvalidInput`."""
    if not (folder / MISSION).is_file():
        raise InvalidInput(Problem("folder", "the folder of a study", f"'{folder}', which has no {MISSION}"))
    try:
        return Documents.read(folder / MISSION)
    except InvalidInput:
        return Documents.read(folder / MISSION, Path((folder / ORIGIN).read_text(encoding="utf-8").strip()))


def _lies_beside(given: str) -> bool:
    path = PurePosixPath(given)
    return not given.startswith("model:") and not path.is_absolute() and ".." not in path.parts


def _said(table: dict[str, Any]) -> dict[str, Any]:
    """Return tables without what is nothing."""
    return {
        key: _said(value) if isinstance(value, dict) else value
        for key, value in table.items()
        if value not in (None, "", {}, [])
    }
