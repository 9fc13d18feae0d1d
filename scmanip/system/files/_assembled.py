"""Tables of a system file that come from elsewhere, each with the file, line and column where it is said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...errors import Problem
from ._document import TomlDocument, key_text
from ._toml_places import KeyPath


class SourcePlace(NamedTuple):
    """Where something is said: file, line and column from 1, and what it is called there, such as "link 'arm'"."""

    file: str
    line: int
    column: int
    words: str = ""


@dataclass(frozen=True, eq=False)
class AssembledDocument(TomlDocument):
    """Tables in the order in which they were put together; `places` says where those are said that are known.

    left_out : places of what the system has no word for, which `words` call
    called : what bodies are called here that are called otherwise there
    """

    places: dict[KeyPath, SourcePlace] = field(default_factory=dict)
    left_out: tuple[SourcePlace, ...] = ()
    called: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: dict[str, Any], file: str, places: dict[KeyPath, SourcePlace], **known: Any) -> AssembledDocument:
        """Return a document of tables that nobody has checked; known : other fields."""
        return cls(data, "", file, {}, places=places, **known)

    def place(self, path: KeyPath) -> tuple[int, int]:
        place, _ = self._nearest(path)
        return place.line, place.column

    def order(self, path: KeyPath) -> tuple[Any, ...]:
        """Return what sorts tables: bodies stand in the order in which they were put together."""
        return path

    def problem(self, path: KeyPath, expected: str, found: str, hint: str = "") -> Problem:
        place, known = self._nearest(path)
        below = key_text(path[known:]) if path[known:] else ""
        key = " ".join(filter(None, (place.words, below))) if place.words else key_text(path)
        return Problem(key, expected, found, place.file, place.line, place.column, "\\n".join(hint.splitlines()))

    def _nearest(self, path: KeyPath) -> tuple[SourcePlace, int]:
        """Return the innermost known place on the way to `path`, and how many steps lead to it."""
        known = len(path)
        while known and path[:known] not in self.places:
            known -= 1
        return self.places.get(path[:known], SourcePlace(self.file, 1, 1)), known
