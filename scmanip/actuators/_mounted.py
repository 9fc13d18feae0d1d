"""Whether actuators can be where a system has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..errors import Problem, checked, folded
from ._actuator import Actuator
from ._hardware import ActuatorHost

_PLACES = ("body", "joint")  # keys of actuators that say where they are


@checked
@dataclass(frozen=True, eq=False)
class Mounted:
    """An actuator in its place, made or as a file writes it.

    kind : its class
    texts : its fields that are texts, as far as they are said, the one that it is called by among them
    report : makes a problem of a key, of what is expected, what is found and a hint

    >>> def report(key, expected, found, hint):
    ...     return f"{key}: expected {expected}, found {found}"
    >>> Mounted(Motor, {"joint": "elbow"}, report).kind.kind
    'motor'
    """

    kind: type[Actuator]
    texts: Mapping[str, str]
    report: Callable[[str, str, str, str], Problem]


@checked
def mounting_problems(actuators: Iterable[Mounted], hardware: ActuatorHost) -> list[Problem]:
    """Return a problem for all that keeps actuators from their places, and for every name used twice.

    >>> def report(key, expected, found, hint):
    ...     return f"{key}: expected {expected}, found {found}"
    >>> twice = [Mounted(Motor, {"joint": "elbow"}, report)] * 2
    >>> mounting_problems(twice, ActuatorHost(fixed=False, joints={"elbow": True}))
    ["joint: expected a joint without another motor, found 'elbow', which has one"]
    """
    return list(_problems(actuators, hardware))


def _problems(actuators: Iterable[Mounted], hardware: ActuatorHost) -> Iterator[Problem]:
    used: dict[tuple[str, str], str] = {}
    for one in actuators:
        name, word = one.texts[one.kind.calling], one.kind.kind
        group = one.kind.calling if one.kind.calling in _PLACES else word  # a joint has one drive of all kinds
        key = "" if one.kind.states else group, folded(name)  # states are called as whose they are
        if key in used:
            yield one.report(*one.kind.again(name, used[key]))
        used[key] = word
        elsewhere = [(key, where) for key, where in one.texts.items() if key in _PLACES and where in hardware.free]
        for place, where in elsewhere:
            yield one.report(place, f"a {place} that the base carries", repr(where), "it is free, or a free body carries it")
        for flaw in () if elsewhere else one.kind.mounting(one.texts, hardware):
            yield one.report(*flaw)
