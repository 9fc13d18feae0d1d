"""Checks of what a study is given: numbers, and tables of keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from ...errors import InvalidInput, Problem, likely_first, nearest, refuse
from ...spatial import is_number

T = TypeVar("T")


def share_problems(**shares: float) -> Iterator[Problem]:
    """Give what keeps numbers from being shares or probabilities."""
    for name, value in shares.items():
        if not (is_number(value) and 0 < value < 1):
            hint = "write 90 % as 0.9" if is_number(value) and 1 < value <= 100 else ""
            yield Problem(name, "a number between 0 and 1", repr(value), hint=hint)


def check_shares(**shares: float) -> None:
    """Raise `InvalidInput` for what is no share or probability."""
    refuse(share_problems(**shares))


def check_whole(key: str, value: object, least: int, most: int | None = None) -> None:
    """Raise `InvalidInput` for what is no whole number from `least` on."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least or (most is not None and value > most):
        span = f"of {least} or more" if most is None else f"from {least} to {most}"
        raise InvalidInput(Problem(key, f"a whole number {span}", repr(value)))


def refuse_others(given: Iterable[str], valid: Collection[str]) -> None:
    """Raise `InvalidInput` for keys that there are not."""
    others = [key for key in given if key not in valid]
    said = {key: f"one of the keys {', '.join(likely_first(key, valid))}" if valid else "no key here" for key in others}
    refuse(Problem(key, said[key], f"the unknown key {key!r}", hint=nearest(key, valid)) for key in others)


def from_table(kind: Callable[..., T], given: Any, key: str, words: str) -> T:
    """Return an instance of a dataclass, or one of a table of its positional fields; raises `InvalidInput`."""
    valid = {part.name: part for part in fields(kind) if part.name in kind.__match_args__}  # type: ignore[arg-type,attr-defined]
    if isinstance(given, kind):  # type: ignore[arg-type]
        return given
    if not isinstance(given, Mapping):
        raise InvalidInput(Problem(key, words, repr(given)))
    refuse_others(given, valid)
    needed = (name for name, part in valid.items() if part.default is MISSING)
    refuse(Problem(name, "a value", "nothing") for name in needed if name not in given)
    return kind(**given)
