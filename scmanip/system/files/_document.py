"""A TOML text together with the line and column of every key."""

from __future__ import annotations

import os
import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from ...errors import InvalidInput, InvalidSystem, Problem
from ._text_file import LARGEST, read_text
from ._toml_places import STRING, KeyPath, key_places

DEEPEST = 32  # our own files are 5 deep
_MARKS = re.compile(
    rf"(?P<skipped>{STRING.pattern}|#[^\n]*)|(?P<broken>[\"'])|(?P<dot>\.)|(?P<open>[\[{{])|(?P<close>[\]}}])|(?P<next>[,\n])",
    re.DOTALL,
)
MOST_ENTRIES = 10_000  # a system of 300 bodies has 5,000

_WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_XML = {"<robot": "URDF", "<mujoco": "MJCF"}  # of other tools, by what only they hold
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, eq=False)
class TomlDocument:
    r"""Parsed TOML that remembers where everything was written.

    data : the tables as plain dictionaries and lists
    text : what was parsed
    file : the name that error messages show
    offsets : where in `text` each key, table and array element stands, by its path
    physical : whether inertias that no rigid body has are refused, which published data sometimes are

    >>> document = TomlDocument.parse("[base]\nmass_kg = 200.0\n", "chaser.toml")
    >>> document.place(("base", "mass_kg"))
    (2, 1)
    >>> print(document.problem(("base", "mass_kg"), "a number > 0", "-1"))
    chaser.toml:2:1: base.mass_kg: expected a number > 0, found -1
    """

    data: dict[str, Any]
    text: str
    file: str
    offsets: dict[KeyPath, int]
    physical: bool = False

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> TomlDocument:
        """Read a UTF-8 file; raises `InvalidInput` when it cannot be read or is no TOML."""
        return cls.parse(read_text(path), os.fspath(path))

    @classmethod
    def parse(cls, text: str, file: str) -> TomlDocument:
        """Parse TOML; raises `InvalidInput` with line and column of the first syntax error."""
        _refuse_what_takes_long(text, file)
        try:
            document = cls(tomllib.loads(text), text, file, key_places(text))
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(_syntax_problem(text, file, str(error))) from None
        except ValueError:  # Python reads integers of a few thousand digits at most
            raise InvalidInput(Problem("file", "a TOML file", "a number with too many digits", file=file)) from None
        document._refuse_too_many_entries()
        return document

    def place(self, path: KeyPath) -> tuple[int, int]:
        """Return line and column (from 1) of a key, array element or table; what is absent stands at its table."""
        while path and path not in self.offsets:
            path = path[:-1]
        offset = self.offsets.get(path, 0)
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def order(self, path: KeyPath) -> tuple[Any, ...]:
        """Return what sorts tables as they come."""
        return self.place(path)

    def problem(self, path: KeyPath, expected: str, found: str, hint: str = "") -> Problem:
        """Return a problem with what stands at `path`."""
        line, column = self.place(path)
        one_line = "\\n".join(hint.splitlines())  # a name in a hint may hold line ends
        return Problem(key_text(path), expected, found, self.file, line, column, one_line)

    def _refuse_too_many_entries(self) -> None:
        """Raise `InvalidInput` at the first of more entries than readers look at one by one."""
        paths = list(islice(_entries((), self.data), MOST_ENTRIES + 1))
        if len(paths) > MOST_ENTRIES:
            expected = f"at most {MOST_ENTRIES:,} keys and entries of lists that are no numbers in a file"
            raise InvalidInput(self.problem(paths[-1], expected, "more"))

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]


def system_document(text: str, file: str) -> TomlDocument:
    """Return the document of a system's text; raises `InvalidSystem` for what is no TOML."""
    try:
        return TomlDocument.parse(text, file)
    except InvalidInput as error:
        raise InvalidSystem(error.problems) from None


def _refuse_what_takes_long(text: str, file: str) -> None:
    """Raise `InvalidInput` for a text on which a parser may spend more time and memory than its length tells."""
    if len(text) > LARGEST:
        raise InvalidInput(Problem("file", f"at most {LARGEST:,} characters", f"{len(text):,}", file=file))
    place = too_deep(text)
    if place is not None:
        line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
        expected = f"at most {DEEPEST} tables, lists and keys in one another"
        raise InvalidInput(Problem("syntax", expected, "one that lies too deep", file, line, column))


def _entries(path: KeyPath, data: Any) -> Iterator[KeyPath]:
    """Yield the paths of all keys of tables, and of all entries of lists but numbers."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in pairs:
        if isinstance(step, str) or not isinstance(value, int | float):
            yield (*path, step)
            yield from _entries((*path, step), value)


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
    words = f"a mistake: {found[:1].lower()}{found[1:]}"
    for mark, tool in _XML.items():
        if mark in text and text.lstrip().startswith("<"):
            return Problem("syntax", "TOML", tool, file, line, column, _hint_of_xml(file, tool))
    return Problem("syntax", "valid TOML", words, file, line, column)


def _hint_of_xml(file: str, tool: str) -> str:
    """Return what to do with a robot of another tool that stands where a file of ours belongs."""
    suffix = f".{tool.lower()}"
    if file.lower().endswith((suffix, ".xml")):
        return "it describes a system, which missions name: `scmanip new mission FILE --of SYSTEM` writes one"
    return f"let its name end in {suffix}"


def too_deep(text: str) -> int | None:
    """Return the offset of the first key or bracket that is more than `DEEPEST` deep, None where there is none.

    A text that is no TOML is looked at up to the first string without an end, where a parser stops too.
    """
    outer, depth, dots = list[int](), 0, 0
    for mark in _MARKS.finditer(text):
        kind = mark.lastgroup
        if kind == "broken":
            return None
        if kind == "dot":
            dots += 1
        elif kind == "open":
            outer.append(dots + 1)
            depth, dots = depth + dots + 1, 0
        elif kind != "skipped":
            depth -= outer.pop() if kind == "close" and outer else 0
            dots = 0
        if depth + dots > DEEPEST:
            return mark.start()
    return None
