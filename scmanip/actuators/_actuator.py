"""What every actuator is and answers."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from ._declared import Declared
from ._hardware import ActuatorHost, Flaw

NONE: Mapping[str, float] = MappingProxyType({})


class StateEntry(NamedTuple):
    """One number of an actuator's state.

    name, unit : as in "speed", "rad/s"
    channel : its series of a run, and the key under which missions say where it starts; kind and name where nothing is said
    spellings : further such keys, each with what one of its unit is in SI

    >>> (entry,) = Wheel.states
    >>> entry.name, entry.unit, entry.channel
    ('speed', 'rad/s', 'wheel_rad_s')
    """

    name: str
    unit: str
    channel: str = ""
    spellings: Mapping[str, float] = NONE


class Actuator(Declared, ABC):
    """A part of a system that is commanded.

    A kind is one class, and what it can do is what it inherits from: `Drive` moves a joint, `Turner` turns the base from
    inside, `Pusher` pushes from outside. Whoever sums over actuators asks all of them, and gets nothing of those without.

    kind : the word of its tables in system files, "wheel" of `[[wheel]]`
    states : the entries of its own state, packed behind the speeds; none where it has no state

    >>> wheel = Wheel("x", axis=[1, 0, 0], inertia_kg_m2=0.02)
    >>> wheel.kind, [entry.name for entry in wheel.states], wheel.numbers["inertia_kg_m2"].tolist()
    ('wheel', ['speed'], 0.02)
    """

    states: ClassVar[tuple[StateEntry, ...]] = ()

    @classmethod
    def mounting(cls, texts: Mapping[str, str], hardware: ActuatorHost) -> Iterator[Flaw]:
        """Yield what keeps it from its place on the hardware; texts : those of its fields that are said."""
        del texts, hardware
        yield from ()

    @cached_property
    def flaws(self) -> tuple[Flaw, ...]:
        """What is wrong with what it answers, by method."""
        return tuple(self._flaws())

    def _flaws(self) -> Iterator[Flaw]:
        yield from ()

    @classmethod
    def again(cls, name: str, word: str) -> Flaw:
        """Return what is wrong with one that is called as another one is, of the kind `word`."""
        return Flaw(cls.calling, "a name used once", f"{name!r}, already a {word}")
