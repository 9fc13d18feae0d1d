"""Names that a user gives."""

from __future__ import annotations

import unicodedata

from ._errors import Problem


def name_problems(key: str, name: object) -> list[Problem]:
    """Return what keeps `name` from being a name: any text but the empty one will do, if all of it can be seen."""
    if not isinstance(name, str) or not name:
        return [Problem(f"{key} name", "a text that is not empty", repr(name))]
    return [] if name.isprintable() else [Problem(f"{key} name", "a text without characters that cannot be seen", ascii(name))]


def folded(name: str) -> str:
    """Return what is the same of names that look the same: their form after Unicode's normalisation NFKC."""
    return unicodedata.normalize("NFKC", name)


def pair_problems(key: str, names: object) -> list[Problem]:
    """Return what keeps `names` from being the names of two different frames."""
    pair = list(names) if isinstance(names, tuple | list) else []
    if len(pair) == 2 and all(isinstance(name, str) for name in pair) and pair[0] != pair[1]:
        return []
    return [Problem(key, "the names of two different frames", repr(names))]
