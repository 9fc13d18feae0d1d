"""System files, and the packaged models, which are system files."""

from __future__ import annotations

import os
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from ...errors import InvalidInput, InvalidSystem, Problem, nearest
from ...plugins import broken, load, offered
from ..files._document import TomlDocument, system_document
from ..files._text_file import path_text, read_text, utf8_text
from ._format import Format

LIBRARY, _GROUP = "model:", "scmanip.models"


class Toml(Format):
    """A file in TOML."""

    name = "system file"

    def takes(self, source: Any) -> bool:
        return True

    def document(self, source: str | os.PathLike[str], roots: tuple[str, ...]) -> TomlDocument:
        del roots
        file = path_text(source)
        return system_document(_file_text(file), file)


class Packaged(Format):
    """A model of the library, of this package or of another one: "model:ets7"."""

    name = "packaged model"

    def takes(self, source: Any) -> bool:
        return isinstance(source, str) and source.startswith(LIBRARY)

    def document(self, source: str, roots: tuple[str, ...]) -> TomlDocument:
        del roots
        return system_document(model_text(source), source)


def model_names() -> tuple[str, ...]:
    """Return the names of the packaged models, of this package and of others, each loaded as `load_system("model:name")`."""
    return tuple(sorted({*_own_names(), *offered(_GROUP)}))


def _own_names() -> list[str]:
    return [entry.name.removesuffix(".toml") for entry in _models().iterdir() if entry.name.endswith(".toml")]


def _models() -> Traversable:
    return files(__package__.rpartition(".")[0]) / "models"


def model_text(file: str) -> str:
    """Return the text of a packaged model; raises `InvalidSystem` where there is none."""
    name, names = file.removeprefix(LIBRARY), model_names()
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
    if file.lower().endswith(".xacro"):
        hint = "expand it by `xacro` and give what that writes"
        raise InvalidSystem(Problem("file", "a system file, URDF or MJCF", "a macro of URDF", file=file, hint=hint))
    try:
        return read_text(file)
    except InvalidInput as error:
        hint = f"the packaged model is '{LIBRARY}{file}'" if file in model_names() else ""
        raise InvalidSystem(
            Problem(p.key, p.expected, p.found, p.file, p.line, p.column, hint) for p in error.problems
        ) from None
