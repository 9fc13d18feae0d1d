"""What study files may say, as a JSON schema for editors. Loads pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ._define import NEEDED, OTHERS, SAMPLINGS, STOPS
from ._definition import SCHEMA
from ._entries import DESIGN_KEYS, DISPERSION_KEYS
from ._requirement import Requirement
from ._retention import Keep, KeptWorst

_TEXT = {"type": "string"}


def study_schema() -> dict[str, Any]:
    """Return the JSON schema of study files, `scmanip.study/1`; what depends on the mission only `load_study` checks.

    >>> {"mission", "seed", "design", "metrics"} <= set(study_schema()["properties"])
    True
    """
    design = f"a list, or a table with the keys {', '.join(DESIGN_KEYS)}"
    dispersion = f"a table with the keys {', '.join(DISPERSION_KEYS)} and those of the distribution"
    known: dict[str, Any] = {
        "schema": {"const": SCHEMA},
        "name": _TEXT,
        "title": _TEXT,
        "mission": _TEXT,
        "seed": {"type": "integer", "minimum": 0},
        "repeats": {"type": "integer", "minimum": 1},
        "sampling": _of(SAMPLINGS),
        "stop": _of(STOPS),
        "design": {"type": "object", "additionalProperties": {"type": ["array", "object"], "description": design}},
        "dispersion": {"type": "object", "additionalProperties": {"type": "object", "description": dispersion}},
        "correlated": {"type": "array"},
        "metrics": {"type": "object", "additionalProperties": _TEXT},
        "limits": {"type": "object", "additionalProperties": _table(Requirement, without="metric")},
        "keep": _table(Keep, worst=_table(KeptWorst)),
        "output": _closed({"folder": _TEXT, "output_step_s": {"type": "number", "exclusiveMinimum": 0}}),
    }
    properties = {key: {**known[key], **_said(key)} for key in (*NEEDED, *OTHERS)}
    return {**_closed(properties), "required": list(NEEDED)}


def _said(key: str) -> dict[str, str]:
    return {"description": NEEDED[key]} if key in NEEDED else {}


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _of(kinds: Mapping[str, type]) -> dict[str, Any]:
    return {"anyOf": [_table(kind, type={"const": name}) for name, kind in kinds.items()]}


def _table(kind: type, *, without: str = "", **others: Any) -> dict[str, Any]:
    """Return the schema of a table of the fields of a dataclass that its maker takes, some of them given."""
    from pydantic import TypeAdapter

    made = TypeAdapter(kind).json_schema().get("properties", {})
    return _closed({part.name: made[part.name] for part in fields(kind) if part.init and part.name != without} | others)
