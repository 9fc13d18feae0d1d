"""A TOML text together with the line and column of every key."""

from __future__ import annotations

import os
import re
import tomllib
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..errors import InvalidInput, Problem
from ._toml_places import KeyPath, key_places

_WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, eq=False)
class TomlDocument:
    """Parsed TOML that remembers where everything was written.

    data : the tables as plain dictionaries and lists
    text : what was parsed
    file : the name that error messages show
    offsets : where in `text` each key, table and array element stands, by its path
    """

    data: dict[str, Any]
    text: str
    file: str
    offsets: dict[KeyPath, int]

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> TomlDocument:
        """Read a UTF-8 file; raises `InvalidInput` when it cannot be read or is no TOML."""
        return cls.parse(read_text(path), os.fspath(path))

    @classmethod
    def parse(cls, text: str, file: str) -> TomlDocument:
        """Parse TOML; raises `InvalidInput` with line and column of the first syntax error."""
        try:
            return cls(tomllib.loads(text), text, file, key_places(text))
        except RecursionError:
            raise InvalidInput(Problem("file", "a TOML file", "brackets nested too deep", file=file)) from None
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(_syntax_problem(text, file, str(error))) from None
        except ValueError:  # Python reads integers of a few thousand digits at most
            raise InvalidInput(Problem("file", "a TOML file", "a number with too many digits", file=file)) from None

    def place(self, path: KeyPath) -> tuple[int, int]:
        """Return line and column (from 1) of a key, array element or table; what is absent stands at its table."""
        while path and path not in self.offsets:
            path = path[:-1]
        offset = self.offsets.get(path, 0)
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def problem(self, path: KeyPath, expected: str, found: str, hint: str = "") -> Problem:
        """Return a problem with what stands at `path`."""
        line, column = self.place(path)
        one_line = "\\n".join(hint.splitlines())  # a name in a hint may hold line ends
        return Problem(key_text(path), expected, found, self.file, line, column, one_line)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a UTF-8 file; raises `InvalidInput` when there is none."""
    file = os.fspath(path)
    try:
        raw = Path(file).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InvalidInput(Problem("file", "a file that can be read", reason.lower(), file=file)) from None
    return utf8_text(raw, file)


def utf8_text(raw: bytes, file: str) -> str:
    """Return bytes as text, a byte-order mark skipped; raises `InvalidInput` with the place of the first bad byte."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        found = f"byte 0x{raw[error.start]:02x}"
        raise InvalidInput(Problem("file", "text in UTF-8", found, file, line, column)) from None


def key_text(path: KeyPath) -> str:
    """Return a path as a person writes it: `body[2].joint.axis`; the path of the whole file is `file`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += ("." if text else "") + (step if _BARE_KEY.fullmatch(step) else repr(step))
    return text or "file"


def _syntax_problem(text: str, file: str, message: str) -> Problem:
    where = _WHERE.search(message)
    lines = text.split("\n")
    line, column = len(lines), len(lines[-1]) + 1
    if where and where[1]:
        line, column = int(where[1]), int(where[2])
    found = _WHERE.sub("", message)
    return Problem("syntax", "valid TOML", found[:1].lower() + found[1:], file, line, column)
