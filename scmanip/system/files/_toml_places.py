"""Where every key of a TOML text stands: the line numbers that the standard library's parser does not give."""

from __future__ import annotations

import re
import tomllib

KeyPath = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})|' + r"'''.*?'''(?:'{0,2})|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^,\]}#\n]+")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def key_places(text: str) -> dict[KeyPath, int]:
    """Return the offset in `text` of every key, table header and array element, by its path.

    text : valid TOML. A path is made of keys and, inside arrays, numbers from 0: ("body", 2, "com_m", 0).
    """
    return _Scanner(text).places


class _Scanner:
    """Walks a valid TOML text once; `at` is the offset of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places: dict[KeyPath, int] = {}
        self.array_tables: dict[KeyPath, int] = {}
        table: KeyPath = ()
        while self.skip_blank() < len(text):
            if self.next_is("["):
                table = self.header()
            else:
                self.key_and_value(table)

    def skip_blank(self) -> int:
        """Step over spaces, line ends and comments; return where that leads."""
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        return self.at

    def next_is(self, mark: str) -> bool:
        return self.text.startswith(mark, self.at)

    def header(self) -> KeyPath:
        """Read `[a.b]` or `[[a.b]]` and return the path of the table that it opens."""
        brackets = 2 if self.next_is("[[") else 1
        start = self.at
        self.at += brackets
        *outer, (last, _) = self.key()
        path: KeyPath = ()
        for name, _ in outer:
            path = self.latest((*path, name), start)
        path = (*path, last)
        if brackets == 2:
            self.places.setdefault(path, start)
            self.array_tables[path] = self.array_tables.get(path, -1) + 1
            path = (*path, self.array_tables[path])
        self.at += brackets
        self.places[path] = start
        return path

    def latest(self, path: KeyPath, start: int) -> KeyPath:
        """Return `path`, or its newest element where it is an array of tables."""
        self.places.setdefault(path, start)
        return (*path, self.array_tables[path]) if path in self.array_tables else path

    def key(self) -> list[tuple[str, int]]:
        """Read a dotted key: its parts and where each starts."""
        parts = []
        while True:
            self.skip_blank()
            start, quoted = self.at, self.next_is('"') or self.next_is("'")
            word = (STRING if quoted else _BARE_KEY).match(self.text, start)
            name = word[0] if word else ""  # valid TOML has a word here
            self.at += max(len(name), 1)
            parts.append((tomllib.loads(f"x = {name}")["x"] if quoted else name, start))
            self.skip_blank()
            if not self.next_is("."):
                return parts
            self.at += 1

    def key_and_value(self, table: KeyPath) -> None:
        path = table
        for name, start in self.key():
            path = (*path, name)
            self.places.setdefault(path, start)
        self.at += 1  # the equals sign
        self.value(path)

    def value(self, path: KeyPath) -> None:
        self.skip_blank()
        if self.next_is("["):
            self.array(path)
        elif self.next_is("{"):
            self.inline_table(path)
        else:
            scalar = STRING.match(self.text, self.at) or _PLAIN.match(self.text, self.at)
            self.at = scalar.end() if scalar else self.at

    def array(self, path: KeyPath) -> None:
        self.at += 1
        count = 0
        while self.skip_blank() < len(self.text) and not self.next_is("]"):
            self.places[(*path, count)] = self.at
            self.value((*path, count))
            count += 1
            self.skip_comma()
        self.at += 1

    def inline_table(self, path: KeyPath) -> None:
        self.at += 1
        while self.skip_blank() < len(self.text) and not self.next_is("}"):
            self.key_and_value(path)
            self.skip_comma()
        self.at += 1

    def skip_comma(self) -> None:
        self.skip_blank()
        self.at += self.next_is(",")
