"""The words of a metric's expression, and how a mistake in one is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import InvalidInput, Problem, expect

LONGEST = 1000
_WORD = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z_0-9.]))|(?P<name>[A-Za-z_]\w*)|(?P<mark>\*\*|[-+*/()\[\],])|(?P<blank>\s+)",
    re.ASCII,
)
ALLOWED = "numbers, series, + - * / **, parentheses, components such as [0], and functions such as max(...)"
_PYTHON = {
    "lambda",
    "for",
    "if",
    "else",
    "in",
    "is",
    "not",
    "and",
    "or",
    "import",
    "def",
    "await",
    "yield",
    "None",
    "True",
    "False",
}
_HINTS = {
    ".": "attributes do not exist here; a decimal point has digits beside it",
    "^": "a power is written **",
    "%": "a remainder does not exist here",
    "'": "texts do not exist here",
    '"': "texts do not exist here",
    "=": "nothing is assigned here",
    ":": "slices, lambda and := do not exist here",
    "<": "a limit belongs in [limits]",
    ">": "a limit belongs in [limits]",
}


@dataclass(frozen=True)
class Token:
    """A word: its kind is "number", "name", "mark" or, behind the last one, "end"; `at` counts from 0."""

    kind: str
    text: str
    at: int


def tokens(text: str) -> list[Token]:
    """Return the words of an expression; raises `InvalidInput` at the first character that starts none."""
    expect("expression", text, str, "a text")
    if len(text) > LONGEST:
        raise InvalidInput(Problem("expression", f"at most {LONGEST} characters", f"{len(text)}"))
    return [*_words(text), Token("end", "", len(text))]


def mistake(text: str, at: int, expected: str, found: str, hint: str = "") -> InvalidInput:
    """Return the error about what stands at a character of an expression."""
    start = max(0, at - 30)
    around = f"{'... ' if start else ''}{text[start : at + 30]}{' ...' if at + 30 < len(text) else ''}"
    where = f" at character {at + 1} of {around!r}"
    return InvalidInput(Problem("expression", expected, found + where, hint=hint))


def _words(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        word = _WORD.match(text, at)
        if word is None:
            raise mistake(text, at, ALLOWED, repr(text[at]), _HINTS.get(text[at], ""))
        kind = word.lastgroup or ""
        if kind == "name" and (word[0].startswith("_") or "__" in word[0]):
            raise mistake(text, at, ALLOWED, repr(word[0]), "nothing of Python can be reached from here")
        if kind == "name" and word[0] in _PYTHON:
            raise mistake(text, at, ALLOWED, repr(word[0]), "this is arithmetic, not Python")
        if kind != "blank":
            yield Token(kind, word[0], at)
        at = word.end()
