"""The kinds of actuators that there are."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from ..errors import InvalidInput, Problem
from ..plugins import broken, load, offered
from ._actuator import Actuator
from ._motor import Motor
from ._thruster import Thruster
from ._wheel import Wheel

OWN: tuple[type[Actuator], ...] = (Motor, Wheel, Thruster)
GROUP = "scmanip.actuators"
"""Entry points of installed packages in which further kinds are found."""


def actuator_kinds(asked: Container[str] = ()) -> dict[str, type[Actuator]]:
    """Return the kinds by the words of their tables: our own, then those of installed packages, whose entry points have them.

    asked : words that a file has tables of; what is broken elsewhere keeps nobody from anything
    Raises `InvalidInput`, its problem called as the word, for one asked for that does not load or is no kind.
    """
    kinds: dict[str, type[Actuator]] = {kind.kind: kind for kind in OWN}
    for word in offered(GROUP):
        try:
            kinds[word] = _offered(word)
        except InvalidInput:
            if word in asked:
                raise
    return kinds


def _offered(word: str) -> type[Actuator]:
    kind: Any = load(GROUP, word, word)
    if any(own.kind == word for own in OWN) or not (
        isinstance(kind, type) and issubclass(kind, Actuator) and kind.kind == word
    ):
        expected = f"a kind of actuator with the word {word!r}, which no other one has"
        raise InvalidInput(Problem(word, expected, broken(GROUP, word, repr(kind))))
    return kind


def by_kind(actuators: Iterable[Actuator]) -> tuple[Actuator, ...]:
    """Return actuators kind by kind, our own kinds first, so that wheels come before all others that have states."""
    given = list(actuators)
    places = {kind: place for place, kind in enumerate(dict.fromkeys([*OWN, *map(type, given)]))}
    return tuple(sorted(given, key=lambda actuator: places[type(actuator)]))
