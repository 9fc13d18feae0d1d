"""The kinds of descriptions of systems that there are, and what is read of one."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ...errors import InvalidSystem, Problem, expect, refuse
from ...plugins import Kinds
from ..files._assembled import AssembledDocument
from ..files._document import TomlDocument
from ._described import FetchedRobot
from ._format import Format
from ._left_out import LeftOut
from ._pinocchio_model import PinocchioModel
from ._settled import settled
from ._side import read_side, side_roots, with_side
from ._toml_format import Packaged, Toml
from ._xml_format import Xml


@cache
def _own() -> Mapping[str, Format]:
    found = (("model", Packaged()), ("robot_descriptions", FetchedRobot()), ("pinocchio", PinocchioModel()), ("xml", Xml()))
    return {**dict(found), "toml": Toml()}


def _made(word: str, given: Any) -> Format | None:
    del word
    return _instance(given) if isinstance(given, type) and issubclass(given, Format) else None


@cache
def _instance(kind: type[Format]) -> Format:
    return kind()


FORMATS: Kinds[Format] = Kinds("scmanip.formats", "file", _own, _made, "a Format")


def format_of(source: Any) -> Format:
    """Return the kind of a description: a file in TOML where no other kind takes it."""
    kinds = sorted(FORMATS.sound.values(), key=lambda kind: isinstance(kind, Toml))
    return next(kind for kind in kinds if kind.takes(source))


def read_document(source: Any, side: Any, roots: Sequence[Any], *, strict: bool) -> TomlDocument:
    """Return the tables that a description says and a side table adds; arguments as of `load_system`."""
    table = None if side is None else read_side(side)
    declared = tuple(os.fspath(root) for root in roots)
    read = format_of(source).document(source, (*declared, *(side_roots(table) if table else ())))
    merged = with_side(read, table) if table else read
    if not isinstance(read, AssembledDocument) or not isinstance(merged, AssembledDocument):
        return merged
    _tell(read, strict=strict)
    return settled(merged)


def _tell(document: AssembledDocument, *, strict: bool) -> None:
    """Warn about what was left out, or refuse it."""
    if strict:
        expected = "what a system has a word for"
        refuse([Problem("file", expected, p.words, p.file, p.line, p.column) for p in document.left_out], InvalidSystem)
    elif document.left_out:
        first: dict[str, int] = {}
        for place in document.left_out:
            first.setdefault(place.words, place.line)
        counts = Counter(place.words for place in document.left_out)
        words = ", ".join(f"{count} {what} (line {first[what]})" for what, count in counts.items())
        warnings.warn(f"{document.file}: left out {words}", LeftOut, stacklevel=4)


def expect_roots(roots: Any) -> Sequence[Any]:
    """Return declared folders; raises `InvalidInput` for what are none."""
    expect("roots", roots, (list, tuple), "a list of folders")
    for root in roots:
        expect("roots", root, (str, os.PathLike), "a list of folders")
    return list(roots)
