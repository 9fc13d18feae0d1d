"""Plain data into TOML text, for system files and resolved mission files (the standard library only reads TOML)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import checked

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


@checked
def toml_text(data: Mapping[str, Any]) -> str:
    """Return `data` (nested mappings, sequences, str, bool, int, float) as TOML 1.0; floats keep every digit.

    Mappings become tables, sequences of mappings at the top level arrays of tables, deeper mappings inline tables.

    >>> print(toml_text({"name": "chaser", "base": {"mass_kg": 200.0, "com_m": [0.0, 0.0, 0.1]}}), end="")
    name = "chaser"
    <BLANKLINE>
    [base]
    mass_kg = 200.0
    com_m = [0.0, 0.0, 0.1]
    """
    lines = [f"{_key(key)} = {_value(value)}" for key, value in data.items() if not _is_section(value)]
    for key, value in data.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{_key(key)}]", *_entries(value)]
        elif _is_section(value):
            for table in value:
                lines += ["", f"[[{_key(key)}]]", *_entries(table)]
    return "\n".join(lines) + "\n"


def _is_section(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    return is_list and len(value) > 0 and all(isinstance(item, Mapping) for item in value)


def _entries(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items()]


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_entries(value)) + " }" if value else "{}"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_value, value)) + "]"
    raise TypeError(f"TOML has no form for {type(value).__name__}")


def _float(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(float(value))


def _string(text: str) -> str:
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character.isprintable() else f"\\U{ord(character):08X}"
