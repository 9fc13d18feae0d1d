"""Names that a user gives."""

from __future__ import annotations

import unicodedata

from ._errors import Problem


def name_problems(key: str, name: object) -> list[Problem]:
    """Return what keeps `name` from being a name: any text but the empty one will do, if all of it can be seen.

    >>> name_problems("body", "link 1")
    []
    >>> print(*name_problems("body", ""))
    body name: expected a text that is not empty, found ''
    """
    if not isinstance(name, str) or not name:
        return [Problem(f"{key} name", "a text that is not empty", repr(name))]
    return [] if name.isprintable() else [Problem(f"{key} name", "a text without characters that cannot be seen", ascii(name))]


def folded(name: str) -> str:
    r"""Return what is the same of names that look the same: their form after Unicode's normalisation NFKC.

    >>> folded("\N{OHM SIGN}") == folded("\N{GREEK CAPITAL LETTER OMEGA}")
    True
    """
    return unicodedata.normalize("NFKC", name)


def pair_problems(key: str, names: object) -> list[Problem]:
    """Return what keeps `names` from being the names of two different frames.

    >>> pair_problems("frames", ("tip", "base"))
    []
    >>> print(*pair_problems("frames", ("tip", "tip")))
    frames: expected the names of two different frames, found ('tip', 'tip')
    """
    pair = list(names) if isinstance(names, tuple | list) else []
    if len(pair) == 2 and all(isinstance(name, str) for name in pair) and pair[0] != pair[1]:
        return []
    return [Problem(key, "the names of two different frames", repr(names))]
