"""How deep the tables of a TOML text lie in one another, seen before it is parsed: a parser's time grows with the square."""

from __future__ import annotations

import re

from ._toml_places import STRING

DEEPEST = 32  # our own files are 5 deep

_MARKS = re.compile(
    rf"(?P<skipped>{STRING.pattern}|#[^\n]*)|(?P<broken>[\"'])|(?P<dot>\.)|(?P<open>[\[{{])|(?P<close>[\]}}])|(?P<next>[,\n])",
    re.DOTALL,
)


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
