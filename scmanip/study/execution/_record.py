"""study.json: what a folder's results belong to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from ...compiled import processor, releases
from ...errors import InvalidInput, Problem
from ...storage import Folder, Manifest
from ..definition._plan import MOST_CASES
from ._planned import PlannedCases, Recipe

SCHEMA = "scmanip.study-results/2"
RECORD = "study.json"
_HINTS = {
    "versions": "install these versions, or begin in a new folder",
    "processor": "last bits depend on it: go on where the study was begun, or begin in a new folder",
    "recipe": "the mission or a file it uses has changed: begin in a new folder",
    "": "begin in a new folder",
}
_MISSING = "nothing"


_KINDS = {"cases": int, "columns": list, "metrics": list, "about": dict, "versions": dict, "files": dict, "processor": str}
_OWN = "sha256"
_MOST = 2**26  # bytes that are read of one


def record_of(
    plan: PlannedCases, recipe: Recipe, about: Mapping[str, Any], metrics: Sequence[str], files: Mapping[str, str]
) -> dict[str, Any]:
    """Return all that results depend on, as JSON knows it.

    about : what else its caller wants to be compared
    metrics : in the order of their columns
    files : texts that lie beside it, by name
    """
    record = {
        "schema": SCHEMA,
        "cases": plan.cases,
        "columns": list(plan.columns),
        "definition": _parsed(plan.text),
        "definition_key": plan.key,
        "recipe": recipe.key,
        "about": dict(about),
        "metrics": list(metrics),
        "files": dict(Manifest.of({name: text.encode() for name, text in files.items()}).digests),
        "versions": releases(),
        "processor": processor(),
    }
    return dict(json.loads(json.dumps(record)))


def data_of(record: Mapping[str, Any]) -> bytes:
    """Return study.json; it has a digest of what else it says, so that what is edited in it is known."""
    return _json({**record, _OWN: sha256(_json(record)).hexdigest()})


def identity(record: Mapping[str, Any]) -> str:
    """Return a digest of the record, which every chunk carries."""
    return sha256(data_of(record)).hexdigest()


def stored_record(folder: Folder) -> dict[str, Any]:
    """Return study.json of a folder; raises InvalidInput where there is none that can be read."""
    expected = f"{RECORD}, as a study writes it"
    try:
        record = json.loads(folder.read(RECORD, most=_MOST))
    except FileNotFoundError:
        raise _unfit(folder, expected, f"no {RECORD}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise _unfit(folder, expected, str(error)) from None
    if isinstance(record, dict) and record.get("schema", SCHEMA) != SCHEMA:
        raise _unfit(folder, f"{RECORD} with schema {SCHEMA!r}", repr(record["schema"]))
    wrong = [key for key, kind in _KINDS.items() if type(record.get(key)) is not kind] if isinstance(record, dict) else ["all"]
    if wrong or not 0 < record["cases"] <= MOST_CASES or not _are_texts(record):
        raise _unfit(folder, expected, f"another thing at {(*wrong, 'its values')[0]}")
    return {key: value for key, value in record.items() if key != _OWN}


def differences(stored: Any, given: Any, file: str) -> list[Problem]:
    """Return one problem for each key whose value is not the stored one; digests only where nothing else tells."""
    found = list(_differences(stored, given, "", file))
    telling = [problem for problem in found if not problem.key.startswith(("definition_key", "recipe", "files."))]
    hint = "begin in a new folder, or go on with what this one has: scmanip study resume"
    files = [changed(name, hint) for name, digest in stored["files"].items() if given["files"].get(name, digest) != digest]
    return telling or files or found


def changed(name: str, hint: str = "put it back as it was, or begin in a new folder") -> Problem:
    """Return the problem of a file that is not the one with which a study was begun."""
    return Problem(name, "the file with which the study was begun", f"{name} has changed", hint=hint)


def _json(table: Mapping[str, Any]) -> bytes:
    return (json.dumps(table, indent=2, sort_keys=True) + "\n").encode()


def _are_texts(record: Mapping[str, Any]) -> bool:
    return all(isinstance(text, str) for key in ("columns", "metrics", "files") for text in record[key])


def _unfit(folder: Folder, expected: str, found: str) -> InvalidInput:
    return InvalidInput(Problem(f"study folder '{folder.path}'", expected, found))


def _differences(stored: Any, given: Any, key: str, file: str) -> Iterator[Problem]:
    if isinstance(stored, dict) and isinstance(given, dict):
        for name in sorted(stored.keys() | given.keys()):
            yield from _differences(stored.get(name), given.get(name), f"{key}.{name}".lstrip("."), file)
    elif isinstance(stored, list) and isinstance(given, list) and len(stored) == len(given):
        for i, (one, other) in enumerate(zip(stored, given, strict=True)):
            yield from _differences(one, other, f"{key}[{i}]", file)
    elif stored != given or type(stored) is not type(given):
        hint = _HINTS.get(key.partition(".")[0], _HINTS[""])
        yield Problem(key, f"{_shown(stored)}, as the study was begun", _shown(given), file=file, hint=hint)


def _shown(value: Any) -> str:
    text = _MISSING if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]} ..."


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
