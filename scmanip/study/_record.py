"""study.json: what a folder's results belong to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from ..compiled import releases
from ..errors import Problem
from ._planned import Planned
from ._recipe import Recipe

SCHEMA = "scmanip.study-results/1"
_HINTS = {
    "versions": "install these versions, or begin in a new folder",
    "recipe": "the mission or a file it uses has changed: begin in a new folder",
    "": "begin in a new folder",
}
_MISSING = "nothing"


def record_of(plan: Planned, recipe: Recipe, about: Mapping[str, Any]) -> dict[str, Any]:
    """Return all that results depend on, as JSON knows it; `about` is what else its caller wants to be compared."""
    record = {
        "schema": SCHEMA,
        "cases": plan.cases,
        "columns": list(plan.columns),
        "definition": _parsed(plan.text),
        "definition_key": plan.key,
        "recipe": recipe.key,
        "about": dict(about),
        "versions": releases(),
    }
    return dict(json.loads(json.dumps(record)))


def text_of(record: Mapping[str, Any]) -> str:
    """Return study.json."""
    return json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def identity(record: Mapping[str, Any]) -> str:
    """Return a digest of the record, which every chunk carries."""
    return sha256(text_of(record).encode()).hexdigest()


def differences(stored: Any, given: Any, file: str) -> list[Problem]:
    """Return one problem for each key whose value is not the stored one; digests only where nothing else tells."""
    found = list(_differences(stored, given, "", file))
    telling = [problem for problem in found if problem.key not in ("definition_key", "recipe")]
    return telling or found


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
