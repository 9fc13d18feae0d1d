"""Systems from files and from the packaged model library."""

from __future__ import annotations

import os
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from ..errors import InvalidInput, InvalidSystem, Problem, nearest
from ..plugins import broken, load, offered
from ._system import System
from .files._text_file import path_text, read_text, utf8_text

_LIBRARY, _GROUP = "model:", "scmanip.models"


def load_system(path: str | os.PathLike[str], *, strict: bool = False) -> System:
    """Read a system file, or a packaged model: `load_system("arm.toml")`, `load_system("model:ets7")`.

    strict : also refuse what `System.warnings()` lists
    Raises `InvalidSystem` with every problem of the file, each with line and column; nothing is built from a bad file.
    """
    file = path_text(path)
    return System.from_toml_text(system_text(file), file=file, strict=strict)


def system_text(file: str) -> str:
    """Return the text of a system file or of a packaged model; raises `InvalidSystem` where there is none."""
    return _model_text(file) if file.startswith(_LIBRARY) else _file_text(file)


def system_schema() -> dict[str, Any]:
    """Return the JSON schema of system files, `scmanip.system/1`, with the kinds of all installed packages.

    What ties tables to each other is checked by `load_system` alone.
    """
    from .files._schema import system_file  # loads pydantic

    return system_file().model_json_schema()


def model_names() -> tuple[str, ...]:
    """Return the names of the packaged models, of this package and of others, each loaded as `load_system("model:name")`."""
    return tuple(sorted({*_own_names(), *offered(_GROUP)}))


def _own_names() -> list[str]:
    return [entry.name.removesuffix(".toml") for entry in _models().iterdir() if entry.name.endswith(".toml")]


def _models() -> Traversable:
    return files(__package__) / "models"


def _model_text(file: str) -> str:
    name, names = file.removeprefix(_LIBRARY), model_names()
    if name not in names:
        raise InvalidSystem(Problem("model", f"one of {', '.join(names)}", repr(name), hint=nearest(name, names)))
    if name in _own_names():
        return utf8_text((_models() / f"{name}.toml").read_bytes(), file)
    try:
        text = load(_GROUP, name, "model")
    except InvalidInput as error:
        raise InvalidSystem(error.problems) from None
    if not isinstance(text, str):
        raise InvalidSystem(Problem("model", "the text of a system file", broken(_GROUP, name, repr(text))))
    return text


def _file_text(file: str) -> str:
    if Path(file).suffix.lower() in (".urdf", ".xml", ".xacro"):
        raise InvalidSystem(Problem("file", "a system file in TOML", "another format", file=file))
    try:
        return read_text(file)
    except InvalidInput as error:
        hint = f"the packaged model is '{_LIBRARY}{file}'" if file in model_names() else ""
        raise InvalidSystem(
            Problem(p.key, p.expected, p.found, p.file, p.line, p.column, hint) for p in error.problems
        ) from None
