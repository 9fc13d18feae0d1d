"""The kinds of actuators that there are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import checked
from ..plugins import Kinds
from ._actuator import Actuator
from ._motor import Motor
from ._thruster import Thruster
from ._wheel import Wheel

OWN: tuple[type[Actuator], ...] = (Motor, Wheel, Thruster)


def _made(word: str, given: Any) -> type[Actuator] | None:
    return given if isinstance(given, type) and issubclass(given, Actuator) and given.kind == word else None


ACTUATOR_KINDS: Kinds[type[Actuator]] = Kinds(
    "scmanip.actuators", "actuator", lambda: {kind.kind: kind for kind in OWN}, _made, "an Actuator with kind = {name!r}"
)


@checked
def by_kind(actuators: Iterable[Actuator]) -> tuple[Actuator, ...]:
    """Return actuators kind by kind, our own kinds first, so that wheels come before all others that have states.

    >>> motor, wheel = Motor("elbow"), Wheel("x", axis=[1, 0, 0], inertia_kg_m2=0.02)
    >>> [actuator.kind for actuator in by_kind([motor, wheel])]
    ['motor', 'wheel']
    """
    given = list(actuators)
    places = {kind: place for place, kind in enumerate(dict.fromkeys([*OWN, *map(type, given)]))}
    return tuple(sorted(given, key=lambda actuator: places[type(actuator)]))
