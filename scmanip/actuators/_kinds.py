"""The kinds of actuators that there are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import entry_points

from ..errors import InvalidInput, Problem
from ._actuator import Actuator
from ._motor import Motor
from ._thruster import Thruster
from ._wheel import Wheel

OWN: tuple[type[Actuator], ...] = (Motor, Wheel, Thruster)
GROUP = "scmanip.actuators"
"""Entry points of installed packages in which further kinds are found."""


@cache
def actuator_kinds() -> dict[str, type[Actuator]]:
    """Return the kinds by the words of their tables: our own, then those of installed packages.

    Raises `InvalidInput` where two have one word.
    """
    kinds: dict[str, type[Actuator]] = {kind.kind: kind for kind in OWN}
    for entry in entry_points(group=GROUP):
        kind = entry.load()
        if kinds.setdefault(kind.kind, kind) is not kind:
            raise InvalidInput(
                Problem(f"entry point {entry.name!r}", "a kind of actuator of its own", f"another [[{kind.kind}]]")
            )
    return kinds


def by_kind(actuators: Iterable[Actuator]) -> tuple[Actuator, ...]:
    """Return actuators with our own kinds first, so that wheels come before all others that have states."""
    places = {kind: place for place, kind in enumerate(OWN)}
    return tuple(sorted(actuators, key=lambda actuator: places.get(type(actuator), len(OWN))))
