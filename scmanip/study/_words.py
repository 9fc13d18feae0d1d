"""The words of a metric's expression, what may follow what, and how a mistake in one is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..errors import InvalidInput, Problem, expect, nearest
from ._functions import FUNCTIONS

LONGEST = 1000
DEEPEST = 60
ALLOWED = "numbers, series, + - * / **, parentheses, components such as [0], and functions such as max(...)"
_VALUE = "a number, a series, a function or '('"
_WORD = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z_0-9.]))|(?P<name>[A-Za-z_]\w*)|(?P<mark>\*\*|[-+*/()\[\],])|(?P<blank>\s+)",
    re.ASCII,
)
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
    *("None", "True", "False"),
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
class Lexeme:
    """A word: its kind is "number", "name", "mark" or, behind the last one, "end"; `at` counts from 0."""

    kind: str
    text: str
    at: int


def check_words(text: str) -> None:
    """Raise `InvalidInput` at the first character that starts no word, or else at the first word that may not stand there."""
    expect("expression", text, str, "a text")
    if len(text) > LONGEST:
        raise InvalidInput(Problem("expression", f"at most {LONGEST} characters", f"{len(text)}"))
    words = [Lexeme("mark", "", 0), *_words(text), Lexeme("end", "", len(text))]
    closes: list[str] = []
    for before, word in pairwise(words):
        if before.kind == "name" and word.text == "(" and before.text not in FUNCTIONS:
            expected, hint = f"one of the functions {', '.join(FUNCTIONS)}", nearest(before.text, FUNCTIONS)
            raise mistake(text, before.at, expected, repr(before.text), hint)
        expected = _expected(before, word, closes)
        if expected:
            found = "the end" if word.kind == "end" else repr(word.text)
            raise mistake(text, word.at, expected, found, f"allowed are {ALLOWED}")
        if len(closes) > DEEPEST:
            raise too_deep(text, word.at)


def mistake(text: str, at: int, expected: str, found: str, hint: str = "") -> InvalidInput:
    """Return the error about what stands at a character of an expression."""
    start = max(0, at - 30)
    around = f"{'... ' if start else ''}{text[start : at + 30]}{' ...' if at + 30 < len(text) else ''}"
    where = f" at character {at + 1} of {around!r}"
    return InvalidInput(Problem("expression", expected, found + where, hint=hint))


def too_deep(text: str, at: int) -> InvalidInput:
    """Return the error about an expression that has too much inside one another."""
    return mistake(text, at, f"at most {DEEPEST} operations inside one another", "more", "split it into several metrics")


def _words(text: str) -> Iterator[Lexeme]:
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
            yield Lexeme(kind, word[0], at)
        at = word.end()


def _expected(before: Lexeme, word: Lexeme, closes: list[str]) -> str:
    """Return what was expected in place of a word, or nothing.

    closes : what may end the brackets that are open, with a comma for a function's; changed by the word
    """
    if before.text == "[":
        return "" if word.text.isdigit() else "the number of a component, from 0, such as [0]"
    if before.text not in (")", "]") and before.kind == "mark":  # a value comes
        closes += [")"] if word.text == "(" else []
        return "" if word.kind in ("number", "name") or word.text in ("(", "+", "-") else _VALUE
    closing = closes[-1] if closes else ""
    if word.text == "(" and before.kind == "name":
        closes.append("),")
    elif before.text in FUNCTIONS:
        return f"'(' behind the function {before.text!r}"
    elif word.text == "[" and closing != "]":
        closes.append("]")
    elif word.text and word.text == closing[:1]:
        closes.pop()
    elif closing == "]" or word.text not in ("+", "-", "*", "/", "**", *closing[1:]):
        return f"'{closing[0]}'" if closing else "an operator or the end" if word.kind != "end" else ""
    return ""
